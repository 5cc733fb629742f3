// scraping/scrape: which provider serves, who is told so, and what is refused. The vendors are asked for real, on the
// loopback.
import { afterAll, describe, expect, test } from 'vitest'
import { shareGateway, verify } from '#test/harness.ts'
import { type Exchange, startReplayServer } from '#test/replay-server.ts'

const url = 'https://example.com/'
const page = { markdown: '# Example', metadata: { statusCode: 200 } }
const keys = {
  ns_render_a: { FIRECRAWL_API_KEY: 'fc-key' },
  ns_render_b: { CRW_API_KEY: 'crw-key' },
} as const
type Vendor = keyof typeof keys

const byA = (body: object = {}): Exchange => ({
  request: {
    method: 'POST',
    path: '/scrape',
    query: {},
    headers: { authorization: 'Bearer fc-key' },
    body: { url, formats: [{ type: 'markdown' }], timeout: 60_000, ...body },
  },
  reply: { status: 200, body: { success: true, data: page } },
})
const byB = (body: object = {}): Exchange => ({
  request: {
    method: 'POST',
    path: '/v1/scrape',
    query: {},
    headers: { authorization: 'Bearer crw-key' },
    body: { url, formats: ['markdown'], ...body },
  },
  reply: { status: 200, body: { success: true, data: page } },
})

/** It remembers what it was asked that no test has told it to answer. */
const server = await startReplayServer([])
afterAll(server.close)
const baseUrl = server.baseUrlFor('')

const both = ['ns_render_a', 'ns_render_b'] as const
const gateways = {
  2: shareScraping(both),
  1: shareScraping(['ns_render_a']),
  0: shareScraping([]),
} as const
const withoutKey = shareGateway({ env: { NS_RENDER_B_BASE_URL: baseUrl } })

/** A gateway with keys for these vendors. */
function shareScraping(vendors: readonly Vendor[]) {
  return shareGateway({
    env: {
      ...Object.fromEntries(vendors.map((vendor) => [`${vendor.toUpperCase()}_BASE_URL`, baseUrl])),
      ...Object.assign({}, ...vendors.map((vendor) => keys[vendor])),
    },
  })
}

type Vendors = typeof both | readonly ['ns_render_a'] | readonly []

/** The gateway with keys for these vendors, who answer `exchanges`. */
async function openScraping(vendors: Vendors, exchanges: readonly Exchange[]) {
  server.add(exchanges)
  const gateway = gateways[vendors.length]()
  return { gateway, account: await gateway.account(100) }
}
const served = [
  { title: 'unpinned: ns_render_b first', vendors: both, input: {}, exchange: byB() },
  {
    title: 'unpinned without ns_render_b: ns_render_a',
    vendors: ['ns_render_a'],
    input: {},
    exchange: byA(),
  },
  {
    title: 'pinned to ns_render_a',
    vendors: both,
    input: { provider: 'ns_render_a' },
    exchange: byA(),
  },
  { title: 'pinned in short', vendors: both, input: { provider: 'render_a' }, exchange: byA() },
  {
    title: 'all that both take, to ns_render_a',
    vendors: both,
    input: {
      provider: 'ns_render_a',
      formats: ['html', 'links', 'screenshot'],
      only_main_content: false,
      wait_for: 59_999.6,
    },
    exchange: byA({
      formats: [{ type: 'html' }, { type: 'links' }, { type: 'screenshot' }],
      onlyMainContent: false,
      waitFor: 60_000,
      timeout: 120_000,
    }),
  },
  {
    title: 'all that ns_render_b takes',
    vendors: both,
    input: {
      provider: 'ns_render_b',
      formats: ['markdown', 'html'],
      only_main_content: true,
      wait_for: 0,
      render_js: true,
      stealth: true,
      proxy_country: 'DE',
    },
    exchange: byB({
      formats: ['markdown', 'html'],
      onlyMainContent: true,
      waitFor: 0,
      deadlineMs: 20_000,
      renderJs: true,
      stealth: true,
      country: 'de',
    }),
  },
  {
    title: 'render_js leads to ns_render_b, also when false',
    vendors: both,
    input: { render_js: false },
    exchange: byB({ renderJs: false }),
  },
] as const

describe('scraping/scrape', () => {
  test.each(served)('$title', async ({ vendors, input, exchange }) => {
    const { gateway, account } = await openScraping(vendors, [exchange])
    const reply = await account.call('scraping/scrape', { url, ...input })
    expect(server.problems()).toEqual([])
    const provider = exchange.request.path === '/scrape' ? 'ns_render_a' : 'ns_render_b'
    expect(reply.body).toMatchObject({ ok: true, data: { ...page, provider }, charged_cents: 1 })
    const { body } = await account.get(`/api/v1/transactions/${reply.body.transaction_id}`)
    expect(body.timeline).toContainEqual({
      event: 'hop',
      provider,
      action: 'scrape',
      ok: true,
      charged_cents: 1,
      latency_ms: expect.any(Number),
    })
    expect(await account.state()).toEqual({ availableCents: 99, heldCents: 0, transactions: 1 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('an unreadable page costs nothing, and no other vendor is asked', async () => {
    const blocked = { ...byB(), reply: { status: 200, body: { success: false, error: 'wall' } } }
    const { account } = await openScraping(both, [blocked])
    const reply = await account.call('scraping/scrape', { url })
    expect(server.problems()).toEqual([])
    expect(reply.status).toBe(502)
    expect(reply.body).toMatchObject({ ok: false, error: 'all_blocked' })
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  const missing = [
    { title: 'the provider of stealth', vendors: ['ns_render_a'], input: { stealth: true } },
    { title: 'either', vendors: [], input: { proxy_country: 'de' } },
  ] as const
  test.each(missing)('what needs $title that has no key: 503, nothing held', async (row) => {
    const { account } = await openScraping(row.vendors, [])
    const reply = await account.call('scraping/scrape', { url, ...row.input })
    expect(reply.status).toBe(503)
    expect(reply.body).toMatchObject({ ok: false, error: 'provider_not_configured' })
    expect(reply.body.message).toMatch(/Set NS_RENDER_B_API_KEY/)
    expect(server.problems()).toEqual([])
    expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  })

  test('without either provider this machine serves, and it says so', async () => {
    const { gateway } = await openScraping([], [])
    const { body } = await gateway.request('GET', '/api/run/scraping/scrape')
    expect(body).toMatchObject({ mode: 'embedded' })
  })

  test('a server of the operator’s own needs no key, and is named', async () => {
    const exchange = byB()
    const { headers: _headers, ...request } = exchange.request
    server.add([{ ...exchange, request }])
    const gateway = withoutKey()
    const listed = await gateway.request('GET', '/api/run/ns_render_b/scrape')
    expect(listed.body).toMatchObject({ mode: 'keyless' })
    const account = await gateway.account(100)
    const { body } = await account.call('ns_render_b/scrape', { url })
    expect(body).toMatchObject({ data: { ...page, provider: 'fastCRW' }, charged_cents: 1 })
    expect(server.problems()).toEqual([])
  })

  test('with one of them it is live', async () => {
    const { gateway } = await openScraping(['ns_render_a'], [])
    const { body } = await gateway.request('GET', '/api/run/scraping/scrape')
    expect(body).toMatchObject({ mode: 'live' })
  })
})

test.each([
  ['ns_render_a', 'scrape', { url: 'http://169.254.169.254/latest/meta-data' }],
  ['ns_render_a', 'map', { url: 'http://[::1]:9200/' }],
  ['ns_render_a', 'extract', { urls: [url, 'http://10.0.0.7/'], prompt: 'All of it.' }],
  ['ns_render_b', 'scrape', { url: 'http://localhost:8080/' }],
  ['ns_render_b', 'crawl', { url: 'http://192.168.1.1/' }],
] as const)(
  'the operator’s own %s/%s opens nothing of its network',
  async (vendor, action, input) => {
    const { account } = await openScraping(both, [])
    const refused = await account.call(`${vendor}/${action}`, input)
    expect([refused.status, refused.body.error]).toEqual([400, 'bad_url'])
    expect(server.problems()).toEqual([])
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  },
)
