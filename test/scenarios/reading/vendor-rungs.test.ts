// With vendors' keys the ladder has more rungs: inner calls, priced and recorded, whose pages are judged like our own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGateway } from '#test/harness.ts'

const text =
  '<title>Mill</title><h1>Mill</h1><p>The river ran past the old mill, and the miller counted his sacks of flour every evening.</p>'
const wall = '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'

const endings: (() => void)[] = []
afterAll(() => {
  for (const end of endings) end()
})

async function serve(answer: (request: IncomingMessage, reply: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => void server.close())
  return `http://127.0.0.1:${portOf(server)}`
}

let renderer = ''
let proxies = ''
beforeAll(async () => {
  renderer = await serve((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(
      JSON.stringify({ success: true, data: { html: wall, metadata: { statusCode: 200 } } }),
    )
  })
  proxies = await serve((request, reply) => {
    const residential = request.url?.includes('proxy_type=residential')
    reply.writeHead(200, { 'content-type': 'text/html' }).end(residential ? text : wall)
  })
})
const shared = shareGateway(() => ({
  env: {
    EGRESS_ALLOW: '127.0.0.0/8',
    CHROMIUM_PATH: '/nowhere/chromium',
    NS_RENDER_B_API_KEY: 'key',
    NS_RENDER_B_BASE_URL: renderer,
    NS_RESI_API_KEY: 'key',
    NS_RESI_BASE_URL: proxies,
  },
}))

/**
 * A site behind a wall, a rendering vendor that meets the wall too, and proxies that get through from the residential
 * pool.
 */
async function setUp() {
  const site = await serve(
    (_request, reply) => void reply.writeHead(200, { 'content-type': 'text/html' }).end(wall),
  )
  const gateway = shared()
  return { site, gateway, account: await gateway.account(100) }
}

test('the deep tier climbs to the residential pool, and the page costs what that rung costs', async () => {
  const { site, account } = await setUp()
  const { body } = await account.call('tollway/onescrape-deep', { urls: [site] })
  const polled = await account.call('tollway/result', {
    job_id: body.data.job_id,
    wait_seconds: 50,
  })
  const { result, charged_cents } = polled.body.data
  expect(charged_cents).toBe(4)
  const [row] = result.rows
  expect(row).toMatchObject({ provider: 'ns_resi', hard: true, charged_cents: 4, title: 'Mill' })
  expect(row.content).toContain('sacks of flour')
  expect(
    row.hops.map(
      (hop: {
        provider: string
        action: string
        ok: boolean
        charged_cents: number
        skipped?: string
      }) => [hop.provider, hop.action, hop.skipped ?? hop.ok, hop.charged_cents],
    ),
  ).toEqual([
    ['fetch', 'get', false, 0],
    ['ns_semantic', 'contents', 'not_configured', 0],
    ['chromium', 'render', expect.stringContaining('Chromium'), 0],
    ['chromium_whole', 'render', expect.stringContaining('Chromium'), 0],
    ['ns_render_b', 'scrape', false, 0],
    ['ns_render_a', 'scrape', 'not_configured', 0],
    ['browser_fetch', 'get', false, 0],
    ['ns_resi', 'scrape', false, 0],
    ['unblock', 'scrape', 'not_configured', 0],
    ['ns_resi', 'scrape_residential', true, 4],
  ])
  const { body: transaction } = await account.get(`/api/v1/transactions/${body.data.job_id}`)
  const asked = transaction.timeline.filter(
    (step: { event: string; skipped?: string }) => step.event === 'hop' && !step.skipped,
  )
  expect(
    asked.map((step: { provider: string; action: string }) => `${step.provider}/${step.action}`),
  ).toEqual([
    'fetch/get',
    'ns_render_b/scrape',
    'browser_fetch/get',
    'ns_resi/scrape',
    'ns_resi/scrape_residential',
  ])
})

test('the cheap tier stops before the unblock rungs', async () => {
  const { site, account } = await setUp()
  const reply = await account.call('tollway/onescrape', { urls: [site] })
  expect(reply.body).toMatchObject({ ok: false, error: 'all_blocked' })
  const hops = reply.body.data.rows[0].hops.map((hop: { action: string }) => hop.action)
  expect(hops).not.toContain('scrape_residential')
  expect(reply.body.message).toContain('tollway/onescrape-deep')
})
