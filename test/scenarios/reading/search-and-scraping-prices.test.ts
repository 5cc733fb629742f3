// What every action of web search, scraping and platform data charges for what it delivered, and that what it refuses
// or fails to deliver costs nothing: through the door, down to the balance.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway, type TestAccount, verify } from '#test/harness.ts'
import { shareVendorStub } from '#test/vendor-stub.ts'

const services = [
  ...['ns_semantic', 'ns_indep', 'ns_rag', 'ns_cite', 'ns_par', 'ns_render_a', 'ns_render_b'],
  ...['ns_resi', 'ns_geo', 'ns_captcha', 'tiktok', 'amazon', 'linkedin', 'twitter'],
]
const stub = shareVendorStub()
const endings: (() => Promise<void>)[] = []
let gateway: Gateway
let account: TestAccount

beforeAll(async () => {
  const env = Object.fromEntries(
    services.flatMap((service) => [
      [`${service.toUpperCase()}_BASE_URL`, `${stub().url}/${service}`],
      [`${service.toUpperCase()}_API_KEY`, 'user:a-secret'],
    ]),
  )
  gateway = await startGateway({ env }, (end) => endings.unshift(end))
  account = await gateway.account(1_000)
})
afterAll(async () => {
  for (const end of endings) await end()
})

const url = 'https://example.com/'
const urls = (count: number) => Array.from({ length: count }, (_, page) => `${url}${page}`)
const page = { markdown: '# Hi', metadata: { statusCode: 200 } }
const found = { url, title: 'Tea' }
const passage = { ...found, content: 'Tea.' }
const read = { url, raw_content: 'Tea.' }
const task = { type: 'ImageToTextTask', body: 'aGk=' }
const results = (rows: object[]) => ({ results: rows })
const parallel = (count: number) => ({
  extract_id: 'e',
  results: Array.from({ length: count }, () => found),
  errors: [],
})
const geo = results([{ content: '<p>Hi</p>', status_code: 200, url, job_id: '1' }])
const semantic = { results: [] }
const unread = { statuses: [{ id: url, status: 'error', error: { tag: 'CRAWL_NOT_FOUND' } }] }
const done = { status: 'completed', data: [page] }
const schema = { type: 'object' }

/** Action, input, what the vendor says, dollars charged. */
const prices: [string, object, unknown | { replies: unknown[] }, string][] = [
  ['ns_semantic/search', { query: 'tea' }, semantic, '0.010000'],
  ['ns_semantic/search', { query: 'tea', type: 'deep', numResults: 100 }, semantic, '0.010000'],
  ['ns_semantic/contents', { urls: urls(10), text: true }, semantic, '0.010000'],
  ['ns_semantic/contents', { urls: urls(11), text: true }, semantic, '0.020000'],
  ['ns_semantic/contents', { ids: urls(10), text: true, summary: true }, semantic, '0.020000'],
  ['ns_semantic/contents', { urls: urls(11), text: true }, { ...semantic, ...unread }, '0.000000'],
  [
    'ns_semantic/contents',
    { urls: urls(11), text: true },
    { results: [{ ...found, id: '1' }], ...unread },
    '0.020000',
  ],
  ['ns_indep/search', { q: 'tea' }, { web: results([found]) }, '0.010000'],
  ['ns_indep/news', { q: 'tea', count: 50 }, results([found]), '0.010000'],
  ['ns_rag/search', { query: 'tea' }, { query: 'tea', ...results([passage]) }, '0.010000'],
  ['ns_rag/extract', { urls: urls(5) }, results([read]), '0.010000'],
  ['ns_rag/extract', { urls: urls(1) }, { results: [], failed_results: [{ url }] }, '0.000000'],
  ['ns_cite/search', { q: 'tea?' }, { answer: 'Yes.', sources: [] }, '0.010000'],
  ['ns_cite/deep-search', { q: 'tea?' }, { answer: 'Yes.', sources: [] }, '0.050000'],
  ['ns_par/search', { query: 'tea' }, { search_id: 's', results: [] }, '0.010000'],
  ['ns_par/extract', { urls: urls(3) }, parallel(3), '0.030000'],
  ['ns_par/extract', { urls: urls(3) }, parallel(1), '0.010000'],
  ['ns_par/extract', { urls: urls(3) }, parallel(0), '0.000000'],
  ['ns_par/extract', { urls: urls(1) }, parallel(9), '0.010000'],
  ['ns_par/task', { input: 'tea' }, { run_id: 'r1', status: 'queued' }, '0.100000'],
  [
    'ns_par/task',
    { input: 'tea', processor: 'ultra' },
    { run_id: 'r2', status: 'queued' },
    '0.300000',
  ],
  ['scraping/scrape', { url }, { success: true, data: page }, '0.010000'],
  ['ns_render_a/scrape', { url }, { success: true, data: page }, '0.010000'],
  ['ns_render_a/crawl', { url, limit: 100 }, { replies: [{ id: 'c' }, done] }, '0.010000'],
  ['ns_render_a/map', { url }, { links: [found] }, '0.010000'],
  ['ns_render_a/search', { query: 'tea', limit: 100 }, { data: { web: [found] } }, '0.010000'],
  [
    'ns_render_a/extract',
    { urls: [url], schema },
    { replies: [{ id: 'e' }, { ...done, data: {} }] },
    '0.010000',
  ],
  ['ns_render_b/scrape', { url, stealth: true }, { success: true, data: page }, '0.010000'],
  ['ns_render_b/search', { query: 'tea' }, { success: true, data: [found] }, '0.010000'],
  ['ns_render_b/map', { url }, { success: true, data: { links: [url] } }, '0.010000'],
  ['ns_render_b/crawl', { url }, { success: true, id: 'crawl' }, '0.100000'],
  ['ns_render_b/crawl_status', { id: 'crawl' }, { ...done, total: 1, completed: 1 }, '0.010000'],
  ['ns_render_b/extract', { urls: urls(10), schema }, { success: true, id: 'fields' }, '0.050000'],
  ['ns_render_b/extract_status', { id: 'fields' }, { status: 'processing' }, '0.010000'],
  ['ns_resi/scrape', { url }, '<p>Hi</p>', '0.010000'],
  ['ns_resi/scrape_residential', { url }, '<p>Hi</p>', '0.040000'],
  ['ns_resi/markdown', { url }, { url, markdown: 'Hi' }, '0.010000'],
  ['ns_resi/extract', { url, extract_properties: 'title' }, { title: 'Hi' }, '0.200000'],
  ['ns_geo/scrape', { url }, geo, '0.001150'],
  ['ns_geo/scrape', { url, geo_location: 'Germany', render: 'html' }, geo, '0.001350'],
  ['ns_captcha/solve', { task }, { errorId: 0, taskId: 7 }, '0.003000'],
  ['ns_captcha/result', { taskId: 7 }, { errorId: 0, status: 'processing' }, '0.003000'],
  ['tiktok/search', { searchQueries: ['tea'] }, [{}], '0.010000'],
  ['tiktok/search', { searchQueries: ['tea'], maxItems: 26 }, [], '0.020000'],
  ['amazon/products', { asins: ['B08N5WRWNW'], maxItems: 500 }, [{}], '0.200000'],
]

describe('charges for what was delivered', () => {
  test.each(prices)('%s %o', async (action, input, reply, usd) => {
    const { replies = [reply] } = (reply as { replies?: unknown[] }) ?? {}
    stub().say(...replies.map((body) => ({ body })))
    const before = await account.get('/api/v1/account')
    const answer = await account.call(action, input)
    expect(answer.body).toMatchObject({ ok: true, charged_usd: usd })
    const after = await account.get('/api/v1/account')
    const paid = Number(before.body.available_usd) - Number(after.body.available_usd)
    expect(paid).toBeCloseTo(Number(usd), 6)
    expect(after.body.held_cents).toBe(0)
    expect(stub().asked.length).toBeGreaterThan(0)
  })

  test('polling research is free', async () => {
    stub().say({ body: { run_id: 'r1', status: 'running' } })
    const answer = await account.call('ns_par/task-status', { run_id: 'r1' })
    expect(answer.body).toMatchObject({ data: { status: 'running' }, charged_cents: 0 })
  })

  test('and the books are right', async () => {
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })
})

test.each(
  prices.filter(([action], place) => prices.findIndex(([one]) => one === action) === place),
)('%s costs nothing when the vendor refuses the request', async (action, input) => {
  stub().say({ status: 400, body: { success: false, error: 'no' } })
  const before = await account.state()
  const answer = await account.call(action, input)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).not.toBe(402)
  const { availableCents, heldCents } = await account.state()
  expect({ availableCents, heldCents }).toEqual({
    availableCents: before.availableCents,
    heldCents: 0,
  })
})

const linkedin = 'https://www.linkedin.com/in/somebody/'
const q = { q: 'tea' }
const query = { query: 'tea' }

const refusals: [string, object][] = [
  ...['start_published_date', 'end_published_date'].flatMap((field): [string, object][] => [
    ['ns_semantic/search', { ...query, category: 'people', [field]: '2026-01-01' }],
    ['ns_semantic/search', { ...query, category: 'company', [field]: '2026-01-01' }],
  ]),
  ['ns_semantic/search', { ...query, category: 'people', exclude_domains: ['a.example'] }],
  ['ns_semantic/search', { ...query, numResults: 101 }],
  ['ns_semantic/search', { ...query, type: 'fast' }],
  ['ns_semantic/contents', { text: true }],
  ['ns_semantic/contents', { urls: [url] }],
  ['ns_indep/search', {}],
  ['ns_indep/search', { ...q, count: 21 }],
  ['ns_indep/search', { ...q, count: 0 }],
  ['ns_indep/search', { ...q, offset: 10 }],
  ['ns_indep/search', { ...q, freshness: 'ph' }],
  ['ns_indep/search', { ...q, freshness: '2026-02-01to2026-01-01' }],
  ['ns_indep/search', { ...q, freshness: '2026-02-30to2026-03-01' }],
  ['ns_indep/search', { ...q, result_filter: 'web,maps' }],
  ['ns_indep/search', { ...q, country: 'usa' }],
  ['ns_indep/search', { q: 'word '.repeat(51) }],
  ['ns_indep/news', { ...q, count: 51 }],
  ['ns_indep/news', { ...q, result_filter: 'news' }],
  ['ns_rag/search', { ...query, max_results: 21 }],
  ['ns_rag/search', { ...query, topic: 'sports' }],
  ['ns_rag/search', { ...query, include_raw_content: true }],
  ['ns_rag/search', { ...query, topic: 'news', country: 'fr' }],
  ['ns_rag/search', { ...query, country: 'q9' }],
  ['ns_rag/search', { ...query, search_depth: 'advanced' }],
  ['ns_rag/extract', { urls: urls(6) }],
  ['ns_rag/extract', { urls: [] }],
  ['ns_rag/extract', { urls: [url], format: 'html' }],
  ['ns_cite/search', { ...q, outputType: 'structured' }],
  ['ns_cite/search', { ...q, structuredOutputSchema: '{"type":"object"}' }],
  ['ns_cite/search', { ...q, outputType: 'structured', structuredOutputSchema: 'no json' }],
  [
    'ns_cite/search',
    { ...q, outputType: 'structured', structuredOutputSchema: '{"type":"array"}' },
  ],
  ['ns_cite/search', { ...q, outputType: 'searchResults', includeInlineCitations: true }],
  ['ns_cite/search', { ...q, fromDate: '2026-02-01', toDate: '2026-01-01' }],
  ['ns_cite/deep-search', { ...q, fromDate: 'yesterday' }],
  ['ns_cite/deep-search', { ...q, depth: 'standard' }],
  ['ns_par/search', {}],
  ['ns_par/extract', { urls: urls(21) }],
  ['ns_par/task', { input: 'tea', processor: 'core' }],
  ['ns_par/task', { input: { text: 'tea' } }],
  ['scraping/scrape', { url, provider: 'render_a', render_js: true }],
  ['scraping/scrape', { url, provider: 'ns_render_a', stealth: false }],
  ['scraping/scrape', { url, provider: 'ns_render_a', proxy_country: 'de' }],
  ['scraping/scrape', { url, wait_for: 60_001 }],
  ['scraping/scrape', { url, provider: 'ns_resi' }],
  ['ns_render_b/extract', { urls: urls(11), schema }],
  ['ns_render_b/extract', { urls: [url], prompt: 'title', basis: true }],
  ['ns_render_b/crawl', { url, maxPages: 101 }],
  ['ns_render_b/search', { ...query, tbs: 'qdr:x' }],
  ['ns_resi/scrape', { url, timeout: 61 }],
  ['ns_geo/scrape', { url, render: 'png' }],
  ['ns_geo/scrape', { url: 'ftp://example.com/' }],
  ['ns_captcha/solve', { task: { websiteURL: url } }],
  ['ns_captcha/solve', {}],
  ['ns_captcha/result', { taskId: 'seven' }],
  ['ns_captcha/result', { taskId: 0 }],
  ['tiktok/search', { searchQueries: ['tea'], maxItems: 1_001 }],
  ['tiktok/search', { searchTerms: ['tea'] }],
  ['amazon/reviews', { productUrls: [url] }],
  ['linkedin/profile-posts', { targetUrls: linkedin }],
  ['twitter/followers', { user_names: [] }],
]

describe('refuses before anything is held or asked', () => {
  test.each(refusals)('%s %o', async (action, input) => {
    stub().say({ body: {} })
    const fresh = await gateway.account(5)
    const answer = await fresh.call(action, input)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^bad_(request|url)$/),
    })
    expect(answer.body.message.length).toBeGreaterThan(10)
    expect(stub().asked).toEqual([])
    expect(await fresh.state()).toEqual({ availableCents: 5, heldCents: 0, transactions: 0 })
  })

  const foreign: [string, object][] = [
    ['ns_par/task-status', { run_id: 'r1' }],
    ['ns_captcha/result', { taskId: 7 }],
    ['ns_render_b/crawl_status', { id: 'crawl' }],
    ['ns_render_b/extract_status', { id: 'fields' }],
  ]
  test.each(foreign)('%s %o of another account: 404', async (action, input) => {
    stub().say({ body: {} })
    const stranger = await gateway.account(5)
    const answer = await stranger.call(action, input)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ ok: false, error: 'not_found' })
    expect(stub().asked).toEqual([])
    expect(await stranger.state()).toEqual({ availableCents: 5, heldCents: 0, transactions: 0 })
  })
})
