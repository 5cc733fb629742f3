// The operator's own proxies stand on rungs 3, 4 and 5: a site that shows a wall to everybody shows its page through
// one.
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FakeProxy, serveProxy } from '#platform/egress/operator-proxy.fixture.ts'
import { portOf } from '#platform/http/port.ts'
import { shareGateway, startGateway } from '#test/harness.ts'

const article =
  '<title>Mill</title><h1>Mill</h1><p>The river ran past the old mill, and the miller counted his sacks of flour every evening.</p>'
const wall = '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'

interface Served {
  readonly port: number
  readonly agents: string[]
}

async function serve(status: number, html: string): Promise<Served> {
  const agents: string[] = []
  const server = createServer((request, reply) => {
    agents.push(request.headers['user-agent'] ?? '')
    reply.writeHead(status, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  return { port: portOf(server), agents }
}

const kinds = ['DATACENTER', 'UNBLOCK', 'RESIDENTIAL'] as const
type Kind = (typeof kinds)[number]

const proxies = {} as Record<Kind, FakeProxy>
/** Where each proxy leads. It looks at each request. */
const ways = { DATACENTER: { leadsTo: 0 }, UNBLOCK: { leadsTo: 0 }, RESIDENTIAL: { leadsTo: 0 } }
beforeAll(async () => {
  for (const kind of kinds) proxies[kind] = await serveProxy(ways[kind])
})
afterAll(async () => {
  for (const kind of kinds) await proxies[kind].close()
})
const settings = (env: Record<string, string> = {}) => ({
  env: {
    EGRESS_ALLOW: '127.0.0.0/8',
    CHROMIUM_PATH: '/nowhere/chromium',
    ...Object.fromEntries(kinds.map((kind) => [`READING_${kind}_PROXIES`, proxies[kind].address])),
    ...env,
  },
})
const shared = shareGateway(() => settings())

/** A site that is closed, and a proxy of each kind, of which one leads to the page. */
async function setUp(opening: Kind, gateway = shared()) {
  const closed = await serve(403, wall)
  const open = await serve(200, article)
  for (const kind of kinds) {
    ways[kind].leadsTo = kind === opening ? open.port : closed.port
    proxies[kind].asked.length = 0
    proxies[kind].moods.length = 0
  }
  const account = await gateway.account(100)
  const url = `http://127.0.0.1:${closed.port}/`
  const readDeeply = async () => {
    const { body } = await account.call('tollway/onescrape-deep', { urls: [url] })
    const jobId: string = body.data.job_id
    const polled = await account.call('tollway/result', { job_id: jobId, wait_seconds: 50 })
    const transaction = await account.get(`/api/v1/transactions/${jobId}`)
    return { job: polled.body.data, told: JSON.stringify([polled.body, transaction.body]) }
  }
  return { account, closed, open, url, readDeeply }
}

test('rung 3 of the cheap tier asks as a browser, through the datacenter', async () => {
  const { account, open, url } = await setUp('DATACENTER')
  const { body } = await account.call('tollway/onescrape', { urls: [url] })
  expect(body).toMatchObject({ ok: true, charged_cents: 2 })
  expect(body.data.rows[0]).toMatchObject({ provider: 'browser_fetch', title: 'Mill', hard: false })
  expect(open.agents).toEqual([expect.stringMatching(/Chrome\/\d+/)])
  expect(proxies.UNBLOCK.asked).toEqual([])
  expect(proxies.RESIDENTIAL.asked).toEqual([])
})

test('refused as one browser, it asks once more as another', async () => {
  const { closed, readDeeply } = await setUp('UNBLOCK')
  await readDeeply()
  const [direct, ...throughDatacenter] = closed.agents
  expect(direct).toMatch(/Chrome/)
  expect(throughDatacenter).toEqual([
    expect.stringMatching(/Chrome/),
    expect.stringMatching(/Firefox/),
  ])
  expect(proxies.DATACENTER.asked).toHaveLength(2)
})

const deep = [
  { opening: 'UNBLOCK', provider: 'unblock_proxy', cents: 2 },
  { opening: 'RESIDENTIAL', provider: 'residential_fetch', cents: 4 },
] as const
test.each(deep)('on the deep tier $provider reads it for $cents¢', async (row) => {
  const { readDeeply, account } = await setUp(row.opening)
  const { job, told } = await readDeeply()
  expect(job).toMatchObject({ status: 'succeeded', charged_cents: row.cents })
  expect(job.result.rows[0]).toMatchObject({
    provider: row.provider,
    title: 'Mill',
    hard: true,
    charged_cents: row.cents,
  })
  expect(told).not.toMatch(/operator|p@ss|p%40ss/)
  expect(await account.state()).toMatchObject({ availableCents: 100 - row.cents, heldCents: 0 })
})

test('a residential pool that is busy is asked again', async () => {
  const { readDeeply } = await setUp('RESIDENTIAL')
  proxies.RESIDENTIAL.moods.push(409, 502)
  const { job } = await readDeeply()
  expect(job.result.rows[0]).toMatchObject({ provider: 'residential_fetch', charged_cents: 4 })
  expect(proxies.RESIDENTIAL.asked).toHaveLength(3)
})

test('with the wrong password the rung has failed, and the page is free', async () => {
  const { readDeeply } = await setUp('RESIDENTIAL')
  proxies.RESIDENTIAL.moods.push(407, 407, 407)
  const { job } = await readDeeply()
  expect(job).toMatchObject({ status: 'failed', error: 'all_blocked', charged_cents: 0 })
  expect(proxies.RESIDENTIAL.asked).toHaveLength(2)
})

test('a vendor on rung 4 is asked as the action unblock/scrape', async () => {
  const asked: string[] = []
  const vendor = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url}`)
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ url: 'http://x.example/', statusCode: 200, browserHtml: article }))
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void vendor.close())
  const gateway = await startGateway(
    settings({
      READING_DATACENTER_PROXIES: '',
      READING_UNBLOCK_PROXIES: '',
      UNBLOCK_API_KEY: 'key',
      UNBLOCK_BASE_URL: `http://127.0.0.1:${portOf(vendor)}`,
    }),
  )
  const { readDeeply } = await setUp('DATACENTER', gateway)
  const { job } = await readDeeply()
  expect(job).toMatchObject({ status: 'succeeded', charged_cents: 2 })
  expect(job.result.rows[0]).toMatchObject({ provider: 'unblock', hard: true, title: 'Mill' })
  expect(asked).toEqual(['POST /extract'])
})
