// The operator's own proxies in place of the vendors of proxies: a site that shows a wall to everybody shows its page
// through them, and what only a vendor could do is refused for free.
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeProxy, serveProxy } from '#platform/egress/operator-proxy.fixture.ts'
import { portOf } from '#platform/http/port.ts'
import { shareGateway } from '#test/harness.ts'

const text =
  'The river ran past the old mill, and the miller counted his sacks of flour every evening.'
/** Its own words come with its script. */
const page = `<title>Mill</title><h1>Mill</h1><p>${text}</p><p id="late"></p>
  <script>late.textContent = ['Scripts', 'have', 'run.'].join(' ')</script>`
const wall = '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'
const written = 'Scripts have run.'

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings) await end()
})

async function serve(status: number, html: () => string): Promise<number> {
  const server = createServer((_request, reply) => {
    reply.writeHead(status, { 'content-type': 'text/html' }).end(html())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return portOf(server)
}

let closed = 0
let behind = page
let proxy: FakeProxy
beforeAll(async () => {
  closed = await serve(403, () => wall)
  proxy = await serveProxy({ leadsTo: await serve(200, () => behind) })
  endings.push(proxy.close)
})

const shareProxies = (...kinds: ('DATACENTER' | 'RESIDENTIAL')[]) =>
  shareGateway(() => ({
    env: {
      EGRESS_ALLOW: `127.0.0.1:${closed}`,
      ...Object.fromEntries(kinds.map((kind) => [`READING_${kind}_PROXIES`, proxy.address])),
    },
  }))
const both = shareProxies('DATACENTER', 'RESIDENTIAL')
const residential = shareProxies('RESIDENTIAL')

/** Behind the proxies is this. */
async function setUp(html = page) {
  behind = html
  proxy.asked.length = 0
  const gateway = both()
  return { gateway, account: await gateway.account(100), url: `http://127.0.0.1:${closed}/` }
}

test.each([
  ['ns_resi/scrape', {}, 'raw', true, 1],
  ['ns_resi/scrape', { browser: false }, 'raw', false, 1],
  ['ns_resi/scrape', { return_page_source: true }, 'raw', false, 1],
  ['ns_resi/scrape_residential', { timeout: 60 }, 'raw', true, 4],
  ['ns_resi/markdown', {}, 'markdown', true, 1],
  ['ns_geo/scrape', { max_cost_cents: 25 }, 'content', false, 1],
  ['ns_geo/scrape', { max_cost_cents: 25, render: 'html' }, 'content', true, 1],
] as const)(
  '%s %o reads the page through the proxies',
  async (action, input, field, runs, cents) => {
    const { gateway, account, url } = await setUp()
    const { body } = await account.call(action, { url, ...input })
    expect(body).toMatchObject({ ok: true, charged_cents: cents, data: { provider: 'embedded' } })
    expect(body.data[field]).toContain(text)
    expect(body.data[field].includes(written)).toBe(runs)
    expect(proxy.asked.length).toBeGreaterThan(0)
    const listed = await gateway.request('GET', `/api/run/${action}`)
    expect(listed.body).toMatchObject({ mode: 'embedded' })
  },
)

test.each([
  ['ns_resi/scrape', { proxy_country: 'de' }, 'NS_RESI_API_KEY'],
  ['ns_resi/scrape_residential', { js_snippet: btoa('1') }, 'NS_RESI_API_KEY'],
  ['ns_resi/markdown', { cookies: 'a=1' }, 'NS_RESI_API_KEY'],
  ['ns_resi/scrape', { wait_for_selector: '#late' }, 'NS_RESI_API_KEY'],
  ['ns_geo/scrape', { geo_location: 'Germany', max_cost_cents: 25 }, 'NS_GEO_API_KEY'],
])('%s %o is the vendor’s alone: 503, and nothing is held', async (action, input, key) => {
  const { account, url } = await setUp()
  const { status, body } = await account.call(action, { url, ...input })
  expect([status, body.error]).toEqual([503, 'provider_not_configured'])
  expect(body.message).toContain(key)
  expect(proxy.asked).toEqual([])
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
})

test('a wall behind the proxies is not a page and is free', async () => {
  const { account, url } = await setUp(wall)
  const { status, body } = await account.call('ns_resi/scrape', { url, browser: false })
  expect([status, body.error]).toEqual([502, 'all_blocked'])
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

test('a page that takes longer than the caller allows is free', async () => {
  const { account, url } = await setUp()
  proxy.moods.push('hang')
  const input = { url, browser: false, timeout: 5 }
  const { status, body } = await account.call('ns_resi/scrape', input)
  expect([status, body.error]).toEqual([502, 'all_blocked'])
  expect(body.message).toContain('5 seconds')
})

test('addresses of this machine’s network are refused before a proxy is asked', async () => {
  const { account } = await setUp()
  const { status, body } = await account.call('ns_resi/scrape', { url: 'http://169.254.169.254/' })
  expect([status, body.error]).toEqual([400, 'bad_url'])
  expect(proxy.asked).toEqual([])
})

test('an action without proxies of its kind stays unavailable', async () => {
  const modes = await Promise.all(
    ['ns_resi/scrape', 'ns_resi/scrape_residential', 'ns_resi/extract', 'ns_geo/scrape'].map(
      async (id) => (await residential().request('GET', `/api/run/${id}`)).body.mode,
    ),
  )
  expect(modes).toEqual(['unavailable', 'embedded', 'unavailable', 'embedded'])
})
