// The map of a site through the door: which addresses it lists, what it costs, and when it is free.
import { afterEach, expect, test } from 'vitest'
import {
  file,
  html,
  redirect,
  type Site,
  serveSite,
  urlset,
} from '#features/web/reading/sites/site.fixture.ts'
import { shareGatewayOfWorker, timelineOf, verify } from '#test/harness.ts'

const opened: Site[] = []
afterEach(async () => {
  for (const site of opened.splice(0)) await site.close()
})

const shared = shareGatewayOfWorker({ env: { EGRESS_ALLOW: '127.0.0.0/8' } })
const robots = 'User-agent: *\nCrawl-delay: 0\nDisallow: /private'

async function setUp(robotsFile = robots) {
  const site = await serveSite('127.0.0.1')
  opened.push(site)
  const { answers, url } = site
  answers.set('/robots.txt', file(robotsFile, 'text/plain'))
  answers.set('/', html('/about', '/pricing', '/docs/', 'https://other.example/', '/report.pdf'))
  answers.set('/docs/', html('/docs/pricing-api', '/private/'))
  for (const path of ['/about', '/pricing', '/docs/pricing-api', '/docs/api'])
    answers.set(path, html())
  answers.set('/sitemap.xml', file(urlset([url('/docs/api'), url('/private/a')])))
  const gateway = shared()
  const account = await gateway.account(100)
  const map = async (options: object = {}) => {
    const { status, body } = await account.call('tollway/map', { url: url('/'), ...options })
    const paths = body.data?.urls?.map((address: string) => address.slice(url('').length))
    return { status, body, paths }
  }
  return { site, gateway, account, map }
}

test('lists the pages of the site for 1¢, and nothing that robots.txt closes', async () => {
  const { site, gateway, account, map } = await setUp()
  const { body, paths } = await map()
  expect(body).toMatchObject({ ok: true, charged_cents: 1, balance_remaining_cents: 99 })
  expect(paths).toEqual(['/', '/about', '/pricing', '/docs/', '/docs/api', '/docs/pricing-api'])
  expect(body.data).toMatchObject({ url: site.url('/'), url_count: 6, found_count: 6 })
  expect(body.data.sources).toContainEqual({
    url: site.url('/sitemap.xml'),
    kind: 'sitemap',
    status: 'read',
  })
  expect(site.hits.filter((hit) => hit.includes('/private'))).toEqual([])
  expect(await timelineOf(account, body.transaction_id)).toEqual(['hold', 'hop', 'settle'])
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('include, exclude, search and limit choose among the pages', async () => {
  const { map } = await setUp()
  expect((await map({ include: ['/docs/*'] })).paths).toEqual([
    '/',
    '/docs/',
    '/docs/api',
    '/docs/pricing-api',
  ])
  expect((await map({ exclude: ['/docs/*'] })).paths).toEqual(['/', '/about', '/pricing'])
  const searched = await map({ search: 'Pricing docs' })
  expect(searched.paths).toEqual(['/', '/docs/pricing-api', '/pricing', '/docs/', '/docs/api'])
  const limited = await map({ limit: 3 })
  expect(limited.paths).toEqual(['/', '/about', '/pricing'])
  expect(limited.body.data).toMatchObject({ url_count: 3 })
  expect(limited.body.data.found_count).toBeGreaterThan(3)
})

test('an address that redirects is mapped where it leads', async () => {
  const { site, map } = await setUp()
  const { port } = site
  site.answers.set('/moved', redirect(`http://127.0.0.1:${port}/`))
  expect((await map({ url: site.url('/moved') })).body.data.urls).toContain(site.url('/about'))
})

test('a site that does not answer, or does not allow it, is free and says why', async () => {
  const closed = await setUp('User-agent: *\nDisallow: /')
  const refused = await closed.map()
  expect([refused.status, refused.body.error]).toEqual([502, 'all_blocked'])
  expect(refused.body.message).toContain('robots.txt')
  expect(closed.site.hits.filter((hit) => !hit.endsWith('/robots.txt'))).toEqual([])
  const { account, map, site } = await setUp()
  for (const path of ['/', '/sitemap.xml']) site.answers.delete(path)
  const gone = await map()
  expect([gone.status, gone.body.error]).toEqual([502, 'all_blocked'])
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

test.each([
  ['a private address', { url: 'http://10.0.0.1/' }, 'bad_url'],
  ['a social platform', { url: 'https://www.linkedin.com/company/x' }, 'onescrape_social'],
  ['a document', { url: 'https://example.com/a.pdf' }, 'onescrape_document'],
  ['an empty pattern', { url: 'https://example.com', include: [' '] }, 'bad_request'],
  ['a limit of one page', { url: 'https://example.com', limit: 1 }, 'bad_request'],
  ['a limit beyond the most', { url: 'https://example.com', limit: 1_001 }, 'bad_request'],
])('refuses %s: 400, nothing held', async (_title, body, error) => {
  const account = await shared().account(100)
  const reply = await account.call('tollway/map', body)
  expect([reply.status, reply.body.error]).toEqual([400, error])
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
})
