// The failure reports of each scraping vendor, and the errors that callers receive.
import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { renderA } from '../ns_render_a/provider.ts'
import { renderB } from '../ns_render_b/provider.ts'
import { resi } from '../ns_resi/provider.ts'
import { unblock } from '../unblock/provider.ts'

const url = 'https://example.com/'
const requests = {
  ns_render_a: {
    method: 'POST',
    path: '/scrape',
    query: {},
    body: { url, formats: [{ type: 'markdown' }], timeout: 60_000 },
  },
  ns_render_b: {
    method: 'POST',
    path: '/v1/scrape',
    query: {},
    body: { url, formats: ['markdown'] },
  },
  ns_resi: {
    method: 'GET',
    path: '/general',
    query: { url, browser: 'true', proxy_type: 'datacenter' },
  },
  unblock: { method: 'POST', path: '/extract', query: {}, body: { url, browserHtml: true } },
}
const vendorText = 'the vendor’s own words'
const error = vendorText
const barred = 'This website is not currently supported. Please contact support.'
const noCredit = { 'x-fastcrw-credits-available': '0' }

const rows = [
  [renderA, 200, { success: false, error }, {}, 'all_blocked'],
  [renderA, 500, { success: false, code: 'SCRAPE_ALL_ENGINES_FAILED', error }, {}, 'all_blocked'],
  [renderA, 200, { success: false, code: 'SCRAPE_DNS_RESOLUTION_ERROR', error }, {}, 'all_blocked'],
  [renderA, 403, { success: false, error: barred }, {}, 'all_blocked'],
  [renderA, 403, { success: false, error }, {}, 'upstream_error'],
  [renderA, 400, { success: false, error }, {}, 'bad_request'],
  [renderA, 401, { success: false, error }, {}, 'upstream_error'],
  [renderA, 402, { success: false, error }, {}, 'upstream_error'],
  [renderA, 408, { success: false, error }, {}, 'upstream_error'],
  [renderA, 429, { success: false, error }, { 'retry-after': '9' }, 'rate_limited'],
  [renderA, 500, { success: false, error }, {}, 'upstream_error'],
  [renderB, 200, { success: false, error, data: { metadata: {} } }, {}, 'all_blocked'],
  [renderB, 422, { success: false, error, errorCode: 'target_unreachable' }, {}, 'all_blocked'],
  [renderB, 502, { success: false, error, error_code: 'http_error' }, {}, 'all_blocked'],
  [renderB, 422, { success: false, error, errorCode: 'extraction_error' }, {}, 'upstream_error'],
  [renderB, 422, { success: false, error }, {}, 'bad_request'],
  [renderB, 400, { success: false, error, errorCode: 'invalid_request' }, {}, 'bad_request'],
  [renderB, 401, { success: false, error }, {}, 'upstream_error'],
  [renderB, 402, { success: false, error }, {}, 'upstream_error'],
  [renderB, 429, { success: false, error }, { 'retry-after': '9' }, 'rate_limited'],
  [renderB, 429, { success: false, error }, noCredit, 'upstream_error'],
  [renderB, 503, { success: false, error }, {}, 'upstream_error'],
  [renderB, 504, { success: false, error, errorCode: 'timeout' }, {}, 'upstream_error'],
  [resi, 400, { detail: error }, {}, 'bad_request'],
  [resi, 403, { detail: error }, {}, 'upstream_error'],
  [resi, 404, { detail: error }, {}, 'all_blocked'],
  [resi, 409, { detail: error }, {}, 'upstream_busy'],
  [resi, 422, { detail: error }, {}, 'bad_request'],
  [resi, 423, { detail: error }, {}, 'all_blocked'],
  [resi, 500, { detail: error }, {}, 'upstream_error'],
  [unblock, 400, { type: '/request/invalid', detail: error }, {}, 'bad_request'],
  [unblock, 401, { type: '/auth/key-not-found', detail: error }, {}, 'upstream_error'],
  [unblock, 403, { type: '/auth/account-suspended', detail: error }, {}, 'upstream_error'],
  [unblock, 421, { type: '/website/domain-unreachable', detail: error }, {}, 'all_blocked'],
  [unblock, 429, { type: '/limits/over-user-limit' }, { 'retry-after': '9' }, 'rate_limited'],
  [unblock, 451, { type: '/download/domain-forbidden', detail: error }, {}, 'all_blocked'],
  [unblock, 500, { type: '/server/timed-out', detail: error }, {}, 'upstream_error'],
  [unblock, 503, { type: '/limits/over-global-limit', detail: error }, {}, 'upstream_error'],
  [unblock, 520, { type: '/download/temporary-error', detail: error }, {}, 'all_blocked'],
  [unblock, 521, { type: '/download/internal-error', detail: error }, {}, 'all_blocked'],
] as const

const failures = rows.map(([provider, status, body, headers, code]) => ({
  id: provider.id as keyof typeof requests,
  provider,
  status,
  body,
  headers,
  code,
}))

test.each(failures)(
  '$id: $status $body is $code',
  async ({ id, provider, status, body, headers, code }) => {
    const { error: thrown } = await replayAction(provider, 'scrape', {
      exchanges: [{ request: requests[id], reply: { status, headers, body } }],
      input: { url },
    })
    expect(thrown).toMatchObject({ name: 'CallError', code })
    expect(thrown?.message).not.toContain(vendorText)
    expect(thrown?.retryAfterSeconds).toBe(code === 'rate_limited' ? 9 : undefined)
  },
)

test('a refusal by a busy renderer says when to retry', async () => {
  const { error: thrown } = await replayAction(resi, 'scrape', {
    exchanges: [{ request: requests.ns_resi, reply: { status: 409, body: { detail: '' } } }],
    input: { url },
  })
  expect(thrown).toMatchObject({ status: 409 })
  expect(thrown?.message).toContain('one page per call, and retry serially')
})
