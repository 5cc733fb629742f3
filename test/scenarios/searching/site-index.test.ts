// Indexes of sites through the door: a site is read into an index, searched, indexed again and deleted.
import { afterEach, expect, test } from 'vitest'
import {
  file,
  page,
  type Site,
  serveSite,
  urlset,
} from '#features/web/reading/sites/site.fixture.ts'
import { shareGatewayOfWorker, startGateway, verify } from '#test/harness.ts'

const opened: Site[] = []
afterEach(async () => {
  for (const site of opened.splice(0)) await site.close()
})

const gateway = shareGatewayOfWorker({
  env: { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere' },
})
const filler = '<p>This manual tells operators how the harbour works, in short chapters.</p>'

const chapter = (title: string, body: string) =>
  page(`<title>${title}</title><main><h1>${title}</h1>${body}${filler.repeat(4)}</main>`)

async function openSite(paths: Readonly<Record<string, ReturnType<typeof page>>>) {
  const site = await serveSite('127.0.0.1')
  opened.push(site)
  const { answers, url } = site
  answers.set('/robots.txt', file('User-agent: *\nCrawl-delay: 0\nDisallow: /crew', 'text/plain'))
  const map = () => {
    const listed = [...answers.keys()].filter((path) => !/robots|sitemap/.test(path))
    answers.set('/sitemap.xml', file(urlset(listed.map((path) => url(path)))))
  }
  for (const [path, answer] of Object.entries(paths)) answers.set(path, answer)
  map()
  return { ...site, map }
}

const harbour = () =>
  openSite({
    '/': chapter('Harbour manual', '<p>Read the chapters in any order.</p>'),
    '/mooring': chapter(
      'Mooring',
      '<h2 id="lines">Lines</h2><p>Double the bow lines before a storm, and slacken them at high water.</p>',
    ),
    '/dues': chapter(
      'Harbour dues',
      '<p>Ships pay dues by their length, set as dues_per_metre.</p>',
    ),
    '/crew/rota': chapter('Rota', '<p>Names of the crew.</p>'),
  })

async function finish(
  account: Awaited<ReturnType<ReturnType<typeof gateway>['account']>>,
  body: object,
) {
  const handle = await account.call('tollway/index-site', { max_pages: 20, ...body })
  expect(handle.body).toMatchObject({ ok: true })
  const poll = { job_id: handle.body.data.job_id, wait_seconds: 50 }
  return (await account.call('tollway/result', poll)).body.data
}

test('an index holds the pages that robots.txt allows, for the price of reading them, and finds their passages', async () => {
  const site = await harbour()
  const account = await gateway().account(100)
  const { status, charged_cents, result } = await finish(account, { url: site.url('/') })
  expect({ status, charged_cents }).toEqual({ status: 'succeeded', charged_cents: 2 })
  expect(result).toMatchObject({ added: 3, updated: 0, unchanged: 0, removed: 0, unread_count: 0 })
  expect(site.hits.filter((hit) => hit.includes('/crew'))).toEqual([])

  const found = await account.call('tollway/search-index', { query: 'doubling a line in storms' })
  expect(found.body).toMatchObject({ ok: true, charged_cents: 0 })
  expect(found.body.data.hits[0]).toMatchObject({
    index_id: result.index_id,
    url: site.url('/mooring'),
    passage_url: site.url('/mooring#lines'),
    title: 'Mooring',
    headings: ['Mooring', 'Lines'],
    matched_words: ['double', 'lines', 'storm'],
  })
  expect(found.body.data.hits[0].snippet).toContain('bow lines before a storm')

  const query = 'doubling a line in storms'
  const evidence = await account.call('tollway/onesearch', { query, facets: ['own'] })
  expect(evidence.body).toMatchObject({
    charged_cents: 5,
    data: {
      evidence: [
        {
          facet: 'own',
          source: 'tollway/search-index',
          url: site.url('/mooring#lines'),
          title: 'Mooring · Lines',
          content: expect.stringContaining('bow lines before a storm'),
        },
      ],
    },
  })
  const stranger = await gateway().account(10)
  const none = await stranger.call('tollway/onesearch', { query, facets: ['own'] })
  expect(none).toMatchObject({ status: 404, body: { error: 'not_found' } })
  expect(await stranger.state()).toMatchObject({ availableCents: 10, heldCents: 0 })

  for (const query of ['dues_per_metre', 'dues per metre'])
    expect((await account.call('tollway/search-index', { query })).body.data.hits[0].url).toBe(
      site.url('/dues'),
    )
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('a page with the title and content of another one is indexed and charged once', async () => {
  const site = await harbour()
  const copies = ['/index.html', '/start', '/home', '/welcome', '/main', '/top', '/default']
  const start = site.answers.get('/') ?? chapter('', '')
  for (const path of [...copies, ...copies.map((path) => `${path}2`)]) site.answers.set(path, start)
  site.map()
  const account = await gateway().account(100)
  const { charged_cents, result } = await finish(account, { url: site.url('/') })
  expect({ charged_cents, ...result }).toMatchObject({
    charged_cents: 2,
    added: 3,
    unread_count: 14,
  })
  expect(result.unread[0].error).toMatch(/^same as http/)
})

test('indexing again updates what has changed, keeps the rest, and removes pages that are gone', async () => {
  const site = await harbour()
  const account = await gateway().account(100)
  const first = await finish(account, { url: site.url('/') })
  const passages = () =>
    gateway().database.query<{ xmin: string; url: string }>(
      `select s.xmin::text, url from indexed_passage s join indexed_page p on p.id = s.page_id where p.index_id = $1
       order by url, position`,
      [first.result.index_id],
    )
  const before = await passages()
  site.answers.set('/mooring', chapter('Mooring', '<p>Anchors have replaced all ropes.</p>'))
  site.answers.delete('/dues')
  site.map()
  const { result } = await finish(account, { url: site.url('/') })
  expect(result).toMatchObject({
    index_id: first.result.index_id,
    added: 0,
    updated: 1,
    unchanged: 1,
    removed: 1,
  })
  const home = (rows: Awaited<ReturnType<typeof passages>>) =>
    rows.filter(({ url }) => url === site.url('/'))
  expect(home(await passages())).toEqual(home(before))
  const urls = async (query: string) =>
    (await account.call('tollway/search-index', { query })).body.data.hits.map(
      (hit: { url: string }) => hit.url,
    )
  expect(await urls('dues')).toEqual([])
  expect(await urls('anchors')).toEqual([site.url('/mooring')])
})

test('an index is its owner’s: others read 404, and a limited key sees its own alone', async () => {
  const site = await harbour()
  const owner = await gateway().account(100)
  const { result } = await finish(owner, { url: site.url('/') })
  const { index_id } = result
  const other = await gateway().account(100)
  const attempts = [
    ['tollway/search-index', { query: 'storm', index_id }],
    ['tollway/search-index', { query: 'storm' }],
    ['tollway/delete-index', { index_id }],
  ] as const
  for (const [action, body] of attempts)
    expect(await other.call(action, body)).toMatchObject({ status: 404 })
  const refused = await other.call('tollway/index-site', { url: site.url('/'), index_id })
  expect([refused.status, refused.body.error]).toEqual([404, 'not_found'])
  expect(await other.state()).toMatchObject({ heldCents: 0, transactions: 0 })
  expect((await other.call('tollway/list-indexes', {})).body.data.indexes).toEqual([])

  const limited = await gateway().request('POST', '/api/v1/keys', {
    key: owner.key,
    body: { actions: ['tollway/*'] },
  })
  const seen = await gateway().call(
    'tollway/search-index',
    { query: 'storm', index_id },
    {
      key: limited.body.api_key,
    },
  )
  expect(seen.status).toBe(404)

  const listed = await owner.call('tollway/list-indexes', {})
  expect(listed.body.data).toMatchObject({
    indexes: [{ index_id, sites: [site.url('/')], pages: 3 }],
  })
  expect((await owner.call('tollway/delete-index', { index_id })).body.data.deleted).toBe(true)
  expect((await owner.call('tollway/search-index', { query: 'storm' })).status).toBe(404)
  const left = await gateway().database.query(
    'select 1 from indexed_posting join indexed_page on page_id = id where index_id = $1',
    [index_id],
  )
  expect(left).toEqual([])
})

test('jobs at once for the same new site share one index, and each page is added and paid once', async () => {
  const site = await harbour()
  const account = await gateway().account(100)
  const ended = await Promise.all([1, 2].map(() => finish(account, { url: site.url('/') })))
  expect(ended.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  const [one, other] = ended.map(({ result }) => result)
  expect(other.index_id).toBe(one.index_id)
  expect([one.added + other.added, one.unchanged + other.unchanged]).toEqual([3, 3])
  expect((await account.call('tollway/list-indexes', {})).body.data.indexes).toMatchObject([
    { index_id: one.index_id, pages: 3 },
  ])
  expect(await account.state()).toMatchObject({ heldCents: 0 })
  expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })
})

test('jobs at once that update an index leave each page once, and none fails', async () => {
  const site = await harbour()
  const account = await gateway().account(200)
  const { index_id } = (await finish(account, { url: site.url('/') })).result
  site.answers.set('/tides', chapter('Tides', '<p>High water comes twice a day.</p>'))
  site.answers.set('/dues', chapter('Harbour dues', '<p>Ships pay dues by their weight.</p>'))
  site.map()
  const ended = await Promise.all(
    [1, 2].map(() => finish(account, { url: site.url('/'), index_id })),
  )
  expect(ended.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  const results = ended.map(({ result }) => result)
  expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(1)
  const rows = await gateway().database.query(
    'select url from indexed_page where index_id = $1 order by url',
    [index_id],
  )
  expect(rows).toEqual(
    ['/', '/dues', '/mooring', '/tides'].map((path) => ({ url: site.url(path) })),
  )
  expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })
})

test('a site of which nothing can be read leaves no index and costs nothing', async () => {
  const site = await openSite({})
  const account = await gateway().account(100)
  const ended = await finish(account, { url: site.url('/') })
  expect(ended).toMatchObject({ status: 'failed', charged_cents: 0 })
  expect((await account.call('tollway/list-indexes', {})).body.data.indexes).toEqual([])
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

test('pages beyond the quota are neither kept nor charged', async () => {
  const site = await harbour()
  const small = await startGateway({
    env: { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere', SITE_INDEX_QUOTA_MB: '0' },
  })
  const account = await small.account(100)
  const ended = await finish(account, { url: site.url('/') })
  expect(ended).toMatchObject({ status: 'failed', charged_cents: 0 })
  const details = (
    await small.database.query<{ output: string }>(
      `select output from call where action = 'tollway/index-site'`,
    )
  )[0]?.output
  expect(JSON.parse(details ?? '{}').unread.map(({ error }: { error: string }) => error)).toEqual([
    'quota',
    'quota',
    'quota',
  ])
})
