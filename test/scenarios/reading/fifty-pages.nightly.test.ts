// Fifty pages of which half are written by scripts: read by one job, with few tabs and within two gigabytes.
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { portOf } from '#platform/http/port.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { memoryBytes } from '../../../bench/lib/processes.ts'

const installed = (await findChromium()) !== undefined
const paragraph =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'
const memoryBytesMax = 2_000_000_000
/** As the renderers have it: two for each core. */
const tabsMax = 2 * availableParallelism()
const wordsMs = 300

/** /plain… have their words; /app… fetch them, and each open tab waits for its own. */
async function serveSite() {
  let open = 0
  let openMost = 0
  const server = createServer(async (request, reply) => {
    const at = request.url ?? ''
    const html = { 'content-type': 'text/html; charset=utf-8' }
    if (at.startsWith('/plain'))
      reply.writeHead(200, html).end(`<h1>${at}</h1>${paragraph.repeat(6)}`)
    else if (at.startsWith('/app'))
      reply.writeHead(200, html).end(`<title>${at}</title><div id="root"></div><script>
        fetch('/words').then((reply) => reply.text()).then((text) => { document.getElementById('root').innerHTML = text })
      </script>`)
    else if (at === '/words') {
      open += 1
      openMost = Math.max(openMost, open)
      await pause(wordsMs)
      open -= 1
      reply.writeHead(200, html).end(`<h1>From a script</h1>${paragraph.repeat(6)}`)
    } else reply.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${portOf(server)}`
  return { origin, openMost: () => openMost }
}

const shared = shareGatewayOfWorker({ env: { EGRESS_ALLOW: '127.0.0.0/8' } })

test.skipIf(!installed)('fifty pages, half of them for a browser', async () => {
  const site = await serveSite()
  const gateway = shared()
  const account = await gateway.account(1_000)
  let memory = 0
  const watch = setInterval(async () => {
    memory = Math.max(memory, await memoryBytes(process.pid))
  }, 250)
  onTestFinished(() => clearInterval(watch))
  const urls = Array.from(
    { length: 50 },
    (_each, n) => `${site.origin}/${n % 2 === 0 ? 'plain' : 'app'}${n}`,
  )
  const { body } = await account.call('tollway/onescrape-deep', { urls })
  let polled = await account.call('tollway/result', { job_id: body.data.job_id, wait_seconds: 50 })
  for (let polls = 0; polls < 4 && polled.body.data.status === 'running'; polls += 1)
    polled = await account.call('tollway/result', { job_id: body.data.job_id, wait_seconds: 50 })
  const { data } = polled.body
  // 25 pages of rung 1 at a tenth of a cent, and 25 of a browser at one.
  expect(data).toMatchObject({ status: 'succeeded', result: { spent_usd: '0.275000' } })
  const providers: string[] = data.result.rows.map((row: { provider: string }) => row.provider)
  expect(providers).toEqual(urls.map((url) => (url.includes('/plain') ? 'fetch' : 'chromium')))
  expect(site.openMost()).toBeGreaterThan(1)
  expect(site.openMost()).toBeLessThanOrEqual(tabsMax)
  process.stderr.write(
    `Fifty pages took ${(memory / 1e6).toFixed(0)} MB at most, browsers included.\n`,
  )
  expect(memory).toBeGreaterThan(100_000_000)
  expect(memory).toBeLessThan(memoryBytesMax)
})
