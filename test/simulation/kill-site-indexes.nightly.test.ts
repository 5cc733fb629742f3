// kill -9 in the middle of indexing a site: another process goes on with the pages that are left, and each page is
// charged once.
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const pageCount = 40
/** The gateway is killed when it has asked for so many pages. */
const killsAt = [9, 21]
const balanceCents = 200
/** 1¢ for the map, and a tenth of a cent for each page. */
const priceCents = 5
const paragraph = '<p>A paragraph of real words, long enough to be taken for a real one.</p>'
const env = { CHROMIUM_PATH: '/nowhere/chromium' }

/** From the asked page on, replies wait until the gateway has been killed. */
async function serveSite() {
  const asked: string[] = []
  let stopAt = Number.POSITIVE_INFINITY
  let reach = () => {}
  const server = createServer(({ url = '' }, reply) => {
    const page = /^\/(\d+)$/.exec(url)?.[1]
    if (url === '/robots.txt') return void reply.end('User-agent: *\nCrawl-delay: 0\n')
    if (url === '/sitemap.xml') return void reply.end(sitemap())
    if (page === undefined) return void reply.writeHead(404).end()
    asked.push(url)
    if (asked.length >= stopAt) return reach()
    const html = `<title>Page ${page}</title><h1>Page ${page}</h1><p>Of word${page}.</p>${paragraph.repeat(6)}`
    reply.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${portOf(server)}`
  const sitemap = () =>
    `<urlset>${Array.from({ length: pageCount }, (_, page) => `<url><loc>${origin}/${page}</loc></url>`).join('')}</urlset>`
  return {
    origin,
    asked,
    /** Resolves when so many pages have been asked for. The last one and those after it get no reply. */
    stopAfter(count: number) {
      stopAt = count
      return new Promise<void>((resolve) => {
        reach = resolve
      })
    },
    goOn() {
      stopAt = Number.POSITIVE_INFINITY
      server.closeAllConnections()
    },
  }
}

test('an index is whole after two kills, and its pages are paid once', async () => {
  const dataDir = await makeDataDirectory()
  const site = await serveSite()
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  onTestFinished(async () => {
    await gateway.stop()
    await removeDataDirectory(dataDir)
  })
  let stopped = site.stopAfter(killsAt[0] ?? 0)
  const opened = await send(await gateway.listening, {
    path: '/api/v1/admin/accounts',
    key: adminToken,
    body: { balance_cents: balanceCents, confirm_cents: balanceCents },
  })
  const key = opened?.body.api_key
  const handle = await send(await gateway.listening, {
    path: '/api/run/tollway/index-site',
    key,
    // The map of so many pages is full with the sitemap, so each request below is that of a page to index.
    body: { url: `${site.origin}/0`, max_pages: pageCount },
  })
  expect(handle?.body).toMatchObject({ ok: true, data: { status: 'queued' } })
  for (const [, next] of killsAt.map((at, place) => [at, killsAt[place + 1]])) {
    await stopped
    await gateway.kill()
    site.goOn()
    if (next !== undefined) stopped = site.stopAfter(next)
    gateway = startGatewayProcess(dataDir, env)
    await gateway.listening
  }

  const url = await gateway.listening
  const run = async (action: string, body: object) =>
    (await send(url, { path: `/api/run/tollway/${action}`, key, body }))?.body
  const poll = () => run('result', { job_id: handle?.body.data.job_id, wait_seconds: 50 })
  let polled = await poll()
  for (let again = 0; again < 3 && polled?.data.status === 'running'; again += 1)
    polled = await poll()
  expect(polled?.data).toMatchObject({
    status: 'succeeded',
    charged_cents: priceCents,
    result: { spent_cents: priceCents, updated: 0, removed: 0, unread_count: 0 },
  })
  const { added, unchanged } = polled?.data.result ?? {}
  expect(added + unchanged).toBe(pageCount)
  // A kill costs the pages that were under way, and no others.
  expect(site.asked.length).toBeLessThanOrEqual(pageCount + killsAt.length * 8)
  const listed = await run('list-indexes', {})
  expect(listed?.data.indexes).toMatchObject([{ pages: pageCount }])
  for (const page of [0, 20, 39]) {
    const found = await run('search-index', { query: `word${page}` })
    expect(found?.data.hits).toMatchObject([{ url: `${site.origin}/${page}` }])
  }
  const account = await send(url, { path: '/api/v1/account', key })
  expect(account?.body).toMatchObject({
    available_cents: balanceCents - priceCents,
    held_cents: 0,
  })
  const verified = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
  expect(verified?.body).toMatchObject({ ok: true, problems: [] })
})
