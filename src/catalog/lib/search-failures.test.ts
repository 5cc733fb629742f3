// The failure reports of the vendors of search, pages by place and captchas, including those with status 200, and the
// errors that callers receive.
import { expect, test } from 'vitest'
import { quotePrice } from '#core/price.ts'
import type { Provider } from '#core/provider.ts'
import { replayAction } from '#test/run-action.ts'
import { captcha } from '../ns_captcha/provider.ts'
import { cite } from '../ns_cite/provider.ts'
import { geo } from '../ns_geo/provider.ts'
import { indep } from '../ns_indep/provider.ts'
import { par } from '../ns_par/provider.ts'
import { task } from '../ns_par/task.ts'
import { rag } from '../ns_rag/provider.ts'

const url = 'https://example.com/'
const vendorText = 'the vendor’s own words'
const post = (path: string, body: object) => ({ method: 'POST', path, query: {}, body })
const asks = {
  search: {
    provider: indep,
    action: 'search',
    input: { q: 'tea' },
    request: { method: 'GET', path: '/web/search', query: { q: 'tea', count: '20' } },
  },
  rag: {
    provider: rag,
    action: 'extract',
    input: { urls: [url] },
    request: post('/extract', { urls: [url], format: 'markdown', extract_depth: 'basic' }),
  },
  cite: {
    provider: cite,
    action: 'search',
    input: { q: 'tea?' },
    request: post('/search', { q: 'tea?', outputType: 'sourcedAnswer', depth: 'standard' }),
  },
  par: {
    provider: par,
    action: 'extract',
    input: { urls: [url] },
    request: post('/v1/extract', { urls: [url] }),
  },
  geo: {
    provider: geo,
    action: 'scrape',
    input: { url },
    request: post('/v1/queries', { source: 'universal', url }),
  },
  result: {
    provider: captcha,
    action: 'result',
    input: { taskId: '7' },
    request: post('/getTaskResult', { clientKey: 'test-key', taskId: 7 }),
  },
} satisfies Record<string, { provider: Provider; action: string; input: object; request: object }>

const linkup = (code: string) => ({ statusCode: 0, error: { code, message: vendorText } })
const target = (status_code: number) => ({ results: [{ content: 'x', status_code, url }] })
const twoCaptcha = (errorCode: string) => ({ errorId: 1, errorCode, errorDescription: vendorText })
const detail = { detail: { error: vendorText } }

const rows: [keyof typeof asks, number, object, string, string?][] = [
  ['search', 422, { error: { code: 'VALIDATION', detail: vendorText } }, 'bad_request'],
  ['search', 403, {}, 'upstream_error', 'provider_auth'],
  ['rag', 432, detail, 'upstream_error', 'provider_unfunded'],
  ['rag', 433, detail, 'upstream_error', 'provider_unfunded'],
  ['rag', 429, detail, 'rate_limited'],
  ['cite', 400, linkup('VALIDATION_ERROR'), 'bad_request'],
  ['cite', 400, linkup('SEARCH_QUERY_NO_RESULT'), 'not_found'],
  ['cite', 429, linkup('TOO_MANY_REQUESTS'), 'rate_limited'],
  ['cite', 429, linkup('INSUFFICIENT_FUNDS_CREDITS'), 'upstream_error', 'provider_unfunded'],
  ['cite', 200, { results: [] }, 'upstream_error'],
  ['par', 402, { type: 'error', error: { message: vendorText } }, 'upstream_error'],
  ['par', 408, {}, 'upstream_error', 'timeout'],
  ['geo', 200, target(404), 'all_blocked'],
  ['geo', 200, target(503), 'all_blocked'],
  ['geo', 200, { results: [] }, 'upstream_error'],
  ['geo', 612, {}, 'all_blocked'],
  ['geo', 613, {}, 'all_blocked'],
  ['geo', 401, { message: vendorText }, 'upstream_error', 'provider_auth'],
  ['result', 200, twoCaptcha('ERROR_KEY_DOES_NOT_EXIST'), 'upstream_error', 'provider_auth'],
  ['result', 200, twoCaptcha('ERROR_ZERO_BALANCE'), 'upstream_error', 'provider_unfunded'],
  ['result', 200, twoCaptcha('ERROR_NO_SLOT_AVAILABLE'), 'rate_limited'],
  ['result', 200, twoCaptcha('ERROR_CAPTCHA_UNSOLVABLE'), 'upstream_error'],
  ['result', 200, twoCaptcha('ERROR_NO_SUCH_CAPCHA_ID'), 'not_found'],
  ['result', 200, twoCaptcha('ERROR_BAD_PARAMETERS'), 'bad_request'],
  ['result', 500, {}, 'upstream_error'],
]

test.each(rows)('%s: %i %o is %s', async (name, status, body, code, reason) => {
  const { provider, action, input, request } = asks[name]
  const { error } = await replayAction(provider, action, {
    exchanges: [{ request, reply: { status, body } }],
    input,
  })
  expect(error).toMatchObject({ name: 'CallError', code })
  expect(error?.message).not.toContain(vendorText)
  if (reason !== undefined) expect(error?.data).toEqual({ reason })
})

test('a run that is done without a report yet counts as running', async () => {
  const path = '/v1/tasks/runs/r1'
  const run = { run_id: 'r1', status: 'completed' }
  const { output } = await replayAction(par, 'task-status', {
    exchanges: [
      { request: { method: 'GET', path, query: {} }, reply: { status: 200, body: run } },
      {
        request: { method: 'GET', path: `${path}/result`, query: { timeout: '10' } },
        reply: { status: 408, body: {} },
      },
    ],
    input: { run_id: 'r1' },
  })
  expect(output).toEqual({ run_id: 'r1', status: 'running' })
})

test('an object of the caller’s schema is separate from the answer’s own fields', async () => {
  const structuredOutputSchema = '{"type":"object","properties":{"answer":{"type":"number"}}}'
  const asked = { q: 'tea?', outputType: 'structured', structuredOutputSchema }
  const { output } = await replayAction(cite, 'deep-search', {
    exchanges: [
      {
        request: post('/search', { ...asked, depth: 'deep' }),
        reply: { status: 200, body: { answer: 42 } },
      },
    ],
    input: asked,
  })
  expect(output).toEqual({ structured: { answer: 42 } })
})

test.each([[null], [{}]])(
  'an answer by the caller’s schema that holds nothing is none: %o',
  async (body) => {
    const asked = {
      q: 'tea?',
      outputType: 'structured',
      structuredOutputSchema: '{"type":"object"}',
    }
    const { error } = await replayAction(cite, 'search', {
      exchanges: [
        {
          request: post('/search', { ...asked, depth: 'standard' }),
          reply: { status: 200, body },
        },
      ],
      input: asked,
    })
    expect(error).toMatchObject({ code: 'upstream_error' })
  },
)

test.each([
  [`${'tea '.repeat(49)}time`, `${'tea '.repeat(49)}time`],
  [`${'tea '.repeat(49)}times and places`, 'tea '.repeat(49).trim()],
  ['x'.repeat(400), 'x'.repeat(200)],
])(
  '%# the words of a long objective are a query as long as the vendor takes',
  async (query, words) => {
    const { output } = await replayAction(par, 'search', {
      exchanges: [
        {
          request: post('/v1/search', { objective: query, search_queries: [words] }),
          reply: { status: 200, body: { search_id: 's', results: [] } },
        },
      ],
      input: { query },
    })
    expect(output).toEqual({ search_id: 's', results: [] })
  },
)

test.each([
  ['pro', 10],
  ['ultra', 30],
])('research on %s is quoted exactly, at %i cents', (processor, cents) => {
  const quote = quotePrice(task.price, { input: 'tea', processor })
  expect(quote).toEqual({ kind: 'exact', micros: cents * 10_000 })
})
