// All actions of ns_render_a against a strict server made from the vendor's own OpenAPI document.
import { describe, expect, test } from 'vitest'
import { renderA } from '#catalog/ns_render_a/provider.ts'
import type { CallError } from '#core/errors.ts'
import { systemClock } from '#platform/clock.ts'
import { runAction } from '#test/run-action.ts'
import { readVendorDocument } from './vendor-document.ts'

const { present, objections, requestSchema, startVendor } = readVendorDocument('ns_render_a')
const credential = ['authorization', 'Bearer test-key'] as const
const clock = { ...systemClock, sleep: async () => {} }

const url = 'https://example.com/'
const pages = [{ markdown: '# Example', metadata: { statusCode: 200, sourceURL: url } }]
const found = { url, title: 'Example', description: 'An example.' }
const replies = {
  'POST /search': [{ success: true, data: { web: [found] }, creditsUsed: 2 }],
  'GET /crawl/{id}': [
    { status: 'scraping', total: 2, completed: 0, data: [] },
    { status: 'completed', total: 2, completed: 1, next: null, data: pages },
  ],
  'GET /extract/{id}': [
    { success: true, status: 'processing' },
    { success: true, status: 'completed', data: { title: 'Example' }, tokensUsed: 7 },
  ],
}
const schema = { type: 'object', properties: { title: { type: 'string' } } }

const cases = [
  { action: 'scrape', input: { url } },
  { action: 'scrape', input: { url: 'example.com', onlyMainContent: false, waitFor: 60_000 } },
  {
    action: 'scrape',
    input: { url, formats: ['markdown', 'html', 'rawHtml', 'links', 'screenshot'], waitFor: 0 },
  },
  { action: 'crawl', input: { url } },
  { action: 'crawl', input: { url, limit: 100, maxDepth: 0 } },
  { action: 'map', input: { url } },
  { action: 'search', input: { query: 'tea' } },
  { action: 'search', input: { query: 'tea', limit: 100 } },
  { action: 'extract', input: { urls: ['https://example.com/*'], prompt: 'The title.' } },
  { action: 'extract', input: { urls: [url, 'example.org'], schema } },
  { action: 'extract', input: { urls: [url], prompt: 'The title.', schema } },
]

const answers: Record<string, object> = {
  scrape: { markdown: 'text', links: ['text'], metadata: { statusCode: 1 } },
  crawl: { status: 'completed', completed: 1, data: pages },
  map: { links: [{ url: 'text', title: 'text' }] },
  search: { results: [found] },
  extract: { status: 'completed', data: { title: 'Example' } },
}
const polls: Record<string, string> = { crawl: 'GET /crawl/{id}', extract: 'GET /extract/{id}' }

describe.skipIf(!present)('the vendor’s own document', () => {
  test.each(cases)(
    'accepts what $action sends for $input, and its reply is understood',
    async ({ action, input }) => {
      const { baseUrl, problems, asked } = await startVendor({ credential, replies })
      const output = await runAction(renderA, action, { baseUrl, input, clock })
      expect(problems).toEqual([])
      expect(output).toMatchObject(answers[action] as object)
      const poll = polls[action]
      expect(asked).toEqual([`POST /${action}`, ...(poll === undefined ? [] : [poll, poll])])
    },
  )

  test('is given formats as objects, the pages to crawl, and time for a wait', async () => {
    const { baseUrl, bodies } = await startVendor({ credential, replies })
    for (const { action, input } of [cases[1], cases[3]] as typeof cases)
      await runAction(renderA, action, { baseUrl, input, clock })
    expect(bodies).toEqual([
      {
        url,
        formats: [{ type: 'markdown' }],
        onlyMainContent: false,
        waitFor: 60_000,
        timeout: 120_000,
      },
      { url, limit: 10 },
    ])
  })

  test('has a way to stop a crawl that takes too long, and what was read is answered', async () => {
    let nowMs = 0
    const slow = {
      now: () => nowMs,
      sleep: async (ms: number) => {
        nowMs += 20 * ms
      },
    }
    const crawling = { status: 'scraping', total: 9, completed: 1, data: pages }
    const { baseUrl, problems, asked } = await startVendor({
      credential,
      replies: { 'GET /crawl/{id}': [crawling] },
    })
    const output = await runAction(renderA, 'crawl', { baseUrl, input: { url }, clock: slow })
    expect(problems).toEqual([])
    expect(asked.at(-1)).toBe('DELETE /crawl/{id}')
    expect(output).toMatchObject({ status: 'cancelled', total: 9, completed: 1, data: pages })
  })

  test.each([
    ['scrape', 402, 'upstream_error'],
    ['crawl', 402, 'upstream_error'],
    ['map', 429, 'rate_limited'],
    ['search', 408, 'upstream_error'],
    ['extract', 400, 'bad_request'],
    ['scrape', 500, 'upstream_error'],
  ])('%s: its failure %i is %s to our caller, in our words', async (action, status, code) => {
    const { baseUrl } = await startVendor({ credential, status })
    const { input } = cases.find((row) => row.action === action) as (typeof cases)[number]
    const error: CallError = await runAction(renderA, action, { baseUrl, input }).catch(
      (thrown) => thrown,
    )
    expect(error.code).toBe(code)
    expect(error.message).not.toMatch(/Payment|limit exceeded|timed out|Invalid|unexpected/)
  })

  test.each([
    ['/scrape', { url, formats: ['screen'] }],
    ['/scrape', { url, formats: ['markdown'] }],
    ['/scrape', { url, wait_for: 1 }],
    ['/scrape', { formats: [] }],
    ['/crawl', { url, maxDepth: 1 }],
    ['/extract', { urls: url }],
    ['/search', { query: 'tea', limit: 101 }],
  ])('refuses what this test must be able to catch: %s %o', (address, body) => {
    expect(objections(requestSchema(address), body)).not.toEqual([])
  })
})
