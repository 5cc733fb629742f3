// Without a vendor's key this machine reads pages itself: same actions, same prices, and the answer says who did it.
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGateway, verify } from '#test/harness.ts'

const paragraph =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'
const article = (title: string, links = '') =>
  `<title>${title}</title><nav><a href="/">Home</a>${links}</nav><main><h1>${title}</h1>${paragraph.repeat(9)}</main>`
const link = (path: string) => `<a href="${path}">${path}</a>`
const pages: Record<string, string> = {
  '/': article(
    'Home',
    link('/a') + link('/b') + link('/private/x') + link('https://other.example/'),
  ),
  '/a': article('A', link('/a/deep')),
  '/a/deep': article('Deep', link('/a/deeper')),
  '/a/deeper': article('Deeper'),
  '/b': article('B'),
  '/private/x': article('Private'),
  '/empty': '<title>Empty</title>',
}

const visited: string[] = []
const server = createServer((request, reply) => {
  const path = request.url ?? ''
  visited.push(path)
  const page = path === '/robots.txt' ? 'User-agent: *\nDisallow: /private/\n' : pages[path]
  const type = path === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8'
  reply.writeHead(page === undefined ? 404 : 200, { 'content-type': type })
  reply.end(page ?? '<h1>Not found</h1>')
})
const hostOf = () => `127.0.0.1:${portOf(server)}`
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(() => {
  visited.length = 0
})
afterAll(() => void server.close())
const shared = shareGateway(() => ({ env: { EGRESS_ALLOW: hostOf() } }))

async function setUp() {
  const gateway = shared()
  return { origin: `http://${hostOf()}`, gateway, account: await gateway.account(100) }
}

describe('in place of a vendor', () => {
  test.each(['ns_render_a/scrape', 'ns_render_b/scrape'])('%s reads a page', async (action) => {
    const { origin, gateway, account } = await setUp()
    const formats = ['markdown', 'html', 'rawHtml', 'links']
    const { body } = await account.call(action, { url: `${origin}/`, formats })
    expect(body).toMatchObject({ ok: true, charged_cents: 1 })
    expect(body.data).toMatchObject({
      provider: 'embedded',
      metadata: { statusCode: 200, sourceURL: `${origin}/`, title: 'Home' },
    })
    expect(body.data.markdown).toContain('Every account in these books')
    expect(body.data.markdown).not.toContain('/private/x')
    expect(body.data.html).toContain('<p>')
    expect(body.data.rawHtml).toBe(pages['/'])
    expect(body.data.links).toContain(`${origin}/b`)
    const listed = await gateway.request('GET', `/api/run/${action}`)
    expect(listed.body).toMatchObject({ mode: 'embedded' })
    expect(await account.state()).toEqual({ availableCents: 99, heldCents: 0, transactions: 1 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('scraping/scrape says that this machine has served', async () => {
    const { origin, account } = await setUp()
    const { body } = await account.call('scraping/scrape', { url: `${origin}/a` })
    expect(body).toMatchObject({ data: { provider: 'embedded' }, charged_cents: 1 })
  })

  test('maps a site', async () => {
    const { origin, account } = await setUp()
    const { body } = await account.call('ns_render_a/map', { url: `${origin}/` })
    const urls = body.data.links.map(({ url }: { url: string }) => url)
    expect(urls).toEqual(expect.arrayContaining([`${origin}/`, `${origin}/a`, `${origin}/b`]))
    expect(body.data.provider).toBe('embedded')
  })

  test('crawls along the links, as deep and as much as asked, and as robots.txt allows', async () => {
    const { origin, account } = await setUp()
    const crawl = (input: object) =>
      account.call('ns_render_a/crawl', { url: `${origin}/`, ...input })
    const { body } = await crawl({ limit: 50, maxDepth: 1 })
    const read = body.data.data.map(
      (page: { metadata: { sourceURL: string } }) => new URL(page.metadata.sourceURL).pathname,
    )
    expect(body.data).toMatchObject({ status: 'completed', completed: 3, provider: 'embedded' })
    expect(read.toSorted()).toEqual(['/', '/a', '/b'])
    expect(visited).not.toContain('/private/x')
    expect((await crawl({ limit: 2 })).body.data.completed).toBe(2)
    expect((await crawl({ limit: 50 })).body.data.completed).toBe(5)
  })

  test('crawls in the background, for its payer alone', async () => {
    const { origin, gateway, account } = await setUp()
    const { body } = await account.call('ns_render_b/crawl', { url: `${origin}/` })
    expect(body).toMatchObject({ charged_cents: 10, data: { provider: 'embedded' } })
    const { id } = body.data
    const stranger = await gateway.account(10)
    expect((await stranger.call('ns_render_b/crawl_status', { id })).status).toBe(404)
    const poll = async () => (await account.call('ns_render_b/crawl_status', { id })).body.data
    await expect.poll(async () => (await poll()).status).toBe('completed')
    expect(await poll()).toMatchObject({ id, completed: 4, provider: 'embedded' })
  })

  test('a crawl whose gateway is gone is taken up where it stopped', async () => {
    const { origin, gateway, account } = await setUp()
    const { body } = await account.call('ns_render_b/crawl', { url: `${origin}/`, maxPages: 1 })
    const { id } = body.data
    const poll = async () => (await account.call('ns_render_b/crawl_status', { id })).body.data
    await expect.poll(async () => (await poll()).status).toBe('completed')
    await gateway.database.query(
      `update own_crawl set state = 'scraping', heard_of_at = now() - interval '1 hour',
       input = jsonb_set(input, '{pagesMax}', '3') where id = $1`,
      [id],
    )
    visited.length = 0
    await expect.poll(async () => (await poll()).status).toBe('completed')
    expect((await poll()).completed).toBe(3)
    expect(visited).not.toContain('/')
  })
})

describe('does not pretend', () => {
  test.each([
    ['ns_render_b/scrape', { formats: ['screenshot'] }],
    ['ns_render_b/scrape', { stealth: true }],
    ['ns_render_b/scrape', { country: 'de' }],
    ['ns_render_b/scrape', { jsonSchema: { type: 'object' } }],
    ['ns_render_a/scrape', { formats: ['markdown', 'screenshot'] }],
    ['scraping/scrape', { proxy_country: 'de' }],
  ])('%s %o: 503, uncharged, and what to do', async (action, input) => {
    const { origin, account } = await setUp()
    const reply = await account.call(action, { url: `${origin}/`, ...input })
    expect(reply.status).toBe(503)
    expect(reply.body).toMatchObject({ error: 'provider_not_configured' })
    expect(reply.body.message).toMatch(/NS_RENDER_[AB]_API_KEY/)
    expect(visited).toEqual([])
    expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  })

  test.each(['ns_render_a/search', 'ns_render_a/extract', 'ns_render_b/extract'])(
    '%s stays unavailable',
    async (action) => {
      const { gateway } = await setUp()
      const { body } = await gateway.request('GET', `/api/run/${action}`)
      expect(body).toMatchObject({ mode: 'unavailable' })
      expect(body.reason).toContain('_API_KEY')
    },
  )

  test.each([
    ['ns_render_a/scrape', '/nowhere', 502, 'all_blocked'],
    ['ns_render_a/crawl', '/nowhere', 502, 'all_blocked'],
  ])('%s of a page that is not there costs nothing', async (action, path, status, error) => {
    const { origin, account } = await setUp()
    const input = { url: origin + path }
    const reply = await account.call(action, input)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ error })
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test.each(['ns_render_a/scrape', 'ns_render_a/map', 'ns_render_b/crawl'])(
    '%s never reaches into the operator’s network',
    async (action) => {
      const { account } = await setUp()
      const reply = await account.call(action, { url: 'http://127.0.0.1:1/' })
      expect(reply.body).toMatchObject({ ok: false, error: 'bad_url' })
      expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    },
  )

  test('a page ladder does not count this machine as a vendor', async () => {
    const { origin, account } = await setUp()
    const { body } = await account.call('tollway/onescrape', { urls: [`${origin}/empty`] })
    const hops = body.data.rows[0].hops as { provider: string; skipped?: string }[]
    expect(hops.filter(({ provider }) => provider.startsWith('ns_render'))).toEqual([
      expect.objectContaining({ skipped: 'not_configured' }),
      expect.objectContaining({ skipped: 'not_configured' }),
    ])
  })
})
