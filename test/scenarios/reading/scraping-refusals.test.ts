// Every refusal of the scraping actions: its status and code, 0¢, no transaction, no request to a vendor.
import { afterAll, expect, test } from 'vitest'
import { shareGateway, shareGatewayOfWorker } from '#test/harness.ts'
import { startReplayServer } from '#test/replay-server.ts'

const url = 'https://example.com/'
const long = 'x'.repeat(10_001)
const many = (count: number) => Array.from({ length: count }, (_, page) => `${url}${page}`)

const noAddress = [
  { url: 'not an address' },
  { url: 'ftp://example.com/' },
  { url: 'mailto:somebody@example.com' },
  { url: 'localhost' },
  { url: 'javascript:alert(1)' },
]
const badAddress = [{}, { url: '' }, { url: 7 }, { url: `${url}${long}` }, { urls: [url] }]
const withUrl = (...rows: object[]) => rows.map((row) => ({ url, ...row }))
const withUrls = (...rows: object[]) => rows.map((row) => ({ urls: [url], ...row }))
const waits = [{ waitFor: 60_001 }, { waitFor: -1 }, { waitFor: '5' }]
const countries = ['usa', 'u', '12', '']

const rendering = [
  ...badAddress,
  ...withUrl(
    { browser: 'yes' },
    { js_snippet: 'alert(1)' },
    { js_snippet: '' },
    { wait_for_selector: '' },
    { cookies: ['a=1'] },
    { return_page_source: 1 },
    { proxy_type: 'residential' },
    ...countries.map((proxy_country) => ({ proxy_country })),
  ),
]
const extraction = [
  { prompt: 'Titles' },
  { urls: [], prompt: 'Titles' },
  { urls: many(11), prompt: 'Titles' },
  { url, prompt: 'Titles' },
  ...withUrls({}, { prompt: '' }, { prompt: long }, { schema: 'title' }),
]
const pinned = withUrl(
  { provider: 'ns_render_a', render_js: true },
  { provider: 'ns_render_a', render_js: false },
  { provider: 'ns_render_a', stealth: true },
  { provider: 'ns_render_a', proxy_country: 'us' },
  { provider: 'render_a', stealth: false },
  { provider: 'ns_resi' },
)

/** What each action refuses as `bad_request`. An action that takes an address refuses other text as `bad_url`. */
const refused: Record<string, readonly object[]> = {
  'scraping/scrape': [
    ...badAddress,
    ...pinned,
    ...withUrl(
      { formats: [] },
      { formats: 'markdown' },
      { formats: ['rawHtml'] },
      { only_main_content: 1 },
      { wait_for: 60_001 },
      { wait_for: -1 },
      { waitFor: 5 },
      { render_js: 'auto' },
      ...countries.map((proxy_country) => ({ proxy_country })),
    ),
  ],
  'ns_render_a/scrape': [
    ...badAddress,
    ...withUrl(
      ...waits,
      { formats: [] },
      { formats: ['pdf'] },
      { formats: [{ type: 'markdown' }] },
      { stealth: true },
    ),
  ],
  'ns_render_a/crawl': [
    ...badAddress,
    ...withUrl({ limit: 0 }, { limit: 101 }, { maxDepth: -1 }, { maxDepth: 11 }, { maxPages: 5 }),
  ],
  'ns_render_a/map': [...badAddress, ...withUrl({ limit: 5 })],
  'ns_render_a/search': [
    {},
    { query: ' ' },
    { query: long },
    { query: 'tea', limit: 0 },
    { query: 'tea', limit: 101 },
    { query: 'tea', tbs: 'qdr:d' },
  ],
  'ns_render_a/extract': [...extraction, ...withUrls({ prompt: 'Titles', basis: true })],
  'ns_render_b/scrape': [
    ...badAddress,
    ...withUrl(
      ...waits,
      { formats: ['json'] },
      { formats: ['summary'] },
      { renderJs: 'auto' },
      { stealth: null },
      { jsonSchema: 'title' },
      ...countries.map((country) => ({ country })),
    ),
  ],
  'ns_render_b/search': [
    {},
    { query: '' },
    { query: 'tea', limit: 21 },
    { query: 'tea', tbs: 'qdr:x' },
    { query: 'tea', sources: ['videos'] },
    { query: 'tea', sources: [] },
    { query: 'tea', scrapeOptions: { formats: ['pdf'] } },
    { query: 'tea', scrapeOptions: { waitFor: 5 } },
  ],
  'ns_render_b/map': badAddress,
  'ns_render_b/crawl': [
    ...badAddress,
    ...withUrl({ maxPages: 0 }, { maxPages: 101 }, { maxDepth: -1 }, { limit: 5 }),
  ],
  'ns_render_b/crawl_status': [{}, { id: '' }, { id: 7 }, { id: long }],
  'ns_render_b/extract': [...extraction, ...withUrls({ prompt: 'Titles', basis: true })],
  'ns_render_b/extract_status': [{}, { id: ' ' }, { id: null }],
  'ns_resi/scrape': rendering,
  'ns_resi/scrape_residential': rendering,
  'ns_resi/markdown': rendering,
  'ns_resi/extract': [
    { url },
    ...withUrl({ extract_properties: '' }, { extract_properties: ['title'] }),
    ...rendering.map((row) => ({ extract_properties: 'title', ...row })),
  ],
  'unblock/scrape': [...badAddress, ...withUrl({ browser: true }, { proxy_country: 'us' })],
}
const required: Record<string, object> = { 'ns_resi/extract': { extract_properties: 'title' } }
const takesUrls = (action: string) => action.endsWith('/extract') && !action.startsWith('ns_resi')
const takesNoAddress = (action: string) => /search|_status/.test(action)

const vendor = await startReplayServer([])
afterAll(vendor.close)
const names = ['NS_RENDER_A', 'NS_RENDER_B', 'NS_RESI', 'UNBLOCK']
const withVendors = shareGateway({
  env: Object.fromEntries(
    names.flatMap((name) => [
      [`${name}_API_KEY`, 'key'],
      [`${name}_BASE_URL`, vendor.baseUrlFor('')],
    ]),
  ),
})
const alone = shareGatewayOfWorker()

test('the scraping actions refuse what they cannot serve, before anything is held or asked', async () => {
  const account = await withVendors().account(100)
  const rows = Object.entries(refused).flatMap(([action, inputs]) => [
    ...inputs.map((input) => ({ action, input, error: 'bad_request' })),
    ...(takesNoAddress(action) ? [] : noAddress).map((input) => ({
      action,
      input: takesUrls(action)
        ? { urls: [url, input.url], prompt: 'Titles' }
        : { ...required[action], ...input },
      error: 'bad_url',
    })),
  ])
  const found = await Promise.all(
    rows.map(async ({ action, input }) => {
      const { status, body } = await account.call(action, input)
      return { action, input, status, error: body.error, told: body.message?.length > 10 }
    }),
  )
  expect(found).toEqual(rows.map((row) => ({ ...row, status: 400, told: true })))
  expect(found.length).toBeGreaterThan(200)
  expect(vendor.problems()).toEqual([])
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
})

test('a field pinned to ns_render_a says what to leave out', async () => {
  const account = await withVendors().account(100)
  const [input] = pinned
  const { body } = await account.call('scraping/scrape', input)
  expect(body.message).toBe(
    'render_js: is not supported by ns_render_a: leave it out, or leave out provider.',
  )
})

test.each([
  ['ns_render_a/extract', { urls: [url], prompt: 'Title' }, 'FIRECRAWL_API_KEY'],
  ['ns_render_b/extract', { urls: [url], prompt: 'Title' }, 'CRW_API_KEY, FASTCRW_API_KEY'],
  ['ns_render_b/search', { query: 'tea' }, 'CRW_API_KEY, FASTCRW_API_KEY'],
  ['ns_resi/scrape', { url }, 'SCRAPINGANT_API_KEY'],
  ['unblock/scrape', { url }, 'ZYTE_API_KEY'],
])('%s without its provider: 503, and which key to set', async (action, input, key) => {
  const account = await alone().account(100)
  const { status, body } = await account.call(action, input)
  expect(status).toBe(503)
  expect(body).toMatchObject({ ok: false, error: 'provider_not_configured' })
  expect(body.message).toContain(key)
  expect(await account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
})

test.each([
  ['a screenshot', { url, formats: ['screenshot'] }, 503, 'provider_not_configured'],
  ['stealth', { url, stealth: true }, 503, 'provider_not_configured'],
  ['a private address', { url: 'http://10.0.0.1/' }, 400, 'bad_url'],
])(
  'scraping/scrape on this machine refuses %s before anything is held',
  async (_what, input, status, error) => {
    const account = await alone().account(100)
    const reply = await account.call('scraping/scrape', input)
    expect(reply).toMatchObject({ status, body: { ok: false, error } })
    expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  },
)
