// Measures pages a second and their cost, for a plain fetch and for each browser of this machine, on the same pages.
//
//   npm run bench pages [<pages>]
//
// The pages are on loopback: 60 kB of HTML with 4 style sheets, 6 scripts, 12 pictures and 2 fonts, like pages of shops
// and newspapers. Their words are in the HTML, so every rung reads the same. CPU is that of the gateway's process and
// its browsers, without the server of the pages.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { portOf } from '#platform/http/port.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { anonymous } from '../src/core/caller.ts'
import { createRenderers } from '../src/features/web/reading/browsers/renderers.ts'
import { createOwnRungs } from '../src/features/web/reading/ladder/own-rungs.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createEgressFetcher } from '../src/platform/egress/fetcher.ts'
import { createEgressGuard } from '../src/platform/egress/guard.ts'
import { cpuSeconds, memoryBytes } from './lib/processes.ts'

const pagesAtOnce = 4
const memoryIntervalMs = 200

if (process.argv[2] === 'serve') await servePages()
else await measureRungs(Number(process.argv[2] ?? 60))

async function measureRungs(pages: number): Promise<void> {
  const server = fork(import.meta.filename, ['serve'])
  const [origin] = (await once(server, 'message')) as [string]
  const guard = createEgressGuard({ allow: [new URL(origin).host] })
  const renderers = createRenderers({ guard, log, clock: systemClock })
  const fetcher = createEgressFetcher({ guard })
  const own = createOwnRungs({
    guard,
    fetcher,
    renderers,
    ownPages: () => undefined,
    waysOut: {},
    clock: systemClock,
  })
  console.log('| rung | pages/s | CPU s a page | p50 ms | p95 ms | most memory, MB |')
  console.log('|---|---|---|---|---|---|')
  for (const { position, provider, availability, read } of own.rungs) {
    const calling = { call: () => Promise.reject(new Error('no vendor')), available: () => false }
    const available = await availability(calling)
    if (!available.ok) {
      console.log(`| ${position} ${provider} | ${available.reason} | | | | |`)
      continue
    }
    const readPage = (page: number) =>
      read({
        ...calling,
        caller: anonymous,
        url: `${origin}/page/${page}`,
        format: 'markdown',
        mainContent: true,
        signal: AbortSignal.timeout(60_000),
      })
    for (let page = 0; page < pagesAtOnce; page += 1) await readPage(page)
    const { pagesPerSecond, cpu, times, bytes } = await measure(pages, readPage, server.pid ?? 0)
    const quantile = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(0)
    console.log(
      `| ${position} ${provider} | ${pagesPerSecond.toFixed(1)} | ${cpu.toFixed(3)} | ${quantile(0.5)} | ${quantile(0.95)} | ${(bytes / 1e6).toFixed(0)} |`,
    )
  }
  await Promise.all([renderers.close(), own.close(), fetcher.close()])
  server.kill()
}

async function measure(
  pages: number,
  read: (page: number) => Promise<{ body: string }>,
  serverPid: number,
) {
  const cpuNow = async () => (await cpuSeconds(process.pid)) - (await cpuSeconds(serverPid))
  const times: number[] = []
  let bytes = 0
  const watch = setInterval(async () => {
    bytes = Math.max(bytes, (await memoryBytes(process.pid)) - (await memoryBytes(serverPid)))
  }, memoryIntervalMs)
  const cpuBefore = await cpuNow()
  const startedAt = performance.now()
  const waiting = Array.from({ length: pages }, (_each, page) => page).values()
  const readers = Array.from({ length: pagesAtOnce }, async () => {
    for (const page of waiting) {
      const pageStartedAt = performance.now()
      const { body } = await read(page)
      if (!body.includes(`The end of page ${page}.`)) throw new Error(`Page ${page} is incomplete.`)
      times.push(performance.now() - pageStartedAt)
    }
  })
  await Promise.all(readers)
  const seconds = (performance.now() - startedAt) / 1_000
  const cpu = ((await cpuNow()) - cpuBefore) / pages
  clearInterval(watch)
  times.sort((one, other) => one - other)
  return { pagesPerSecond: pages / seconds, cpu, times, bytes }
}

async function servePages(): Promise<void> {
  const words = 'The miller counted his sacks of flour every evening and wrote their number down. '
  const count = (length: number, part: (n: number) => string) =>
    Array.from({ length }, (_each, n) => part(n)).join('\n')
  const styles = count(400, (n) => `.a${n} > .b${n} { color: #${n + 1_000}; margin: ${n % 9}px; }`)
  const script = `(() => { let sum = 0; for (let i = 0; i < 2e6; i += 1) sum += i % 7; document.body.dataset.sum = sum
    addEventListener('scroll', () => {}); setInterval(() => { document.body.dataset.tick = Date.now() }, 50) })()
    ${count(300, (n) => `function f${n}(a, b) { return a * ${n} + b }`)}`
  const picture = Buffer.alloc(30_000, 7)
  const pageOf = (page: string) => `<!doctype html><title>Page ${page}</title>
    ${count(4, (n) => `<link rel="stylesheet" href="/styles${n}.css">`)}
    <style>@font-face { font-family: f; src: url(/a.woff2) } body { font-family: f }</style>
    <nav>${count(60, (n) => `<a href="/${n}">Link ${n}</a>`)}</nav>
    <main><h1>Page ${page}</h1>${count(100, (n) => `<section class="a${n}"><h2>Part ${n}</h2><p class="b${n}">${words.repeat(5)}</p></section>`)}
    ${count(12, (n) => `<img src="/picture${n}.png" width="400" height="300">`)}<p>The end of page ${page}.</p></main>
    ${count(6, (n) => `<script src="/script${n}.js"></script>`)}`
  const server = createServer((request, response) => {
    const at = request.url ?? ''
    const send = (type: string, body: string | Buffer) =>
      void response.writeHead(200, { 'content-type': type }).end(body)
    if (at.startsWith('/page/')) send('text/html; charset=utf-8', pageOf(at.slice(6)))
    else if (at.endsWith('.css')) send('text/css', styles)
    else if (at.endsWith('.js')) send('text/javascript', script)
    else send('image/png', picture)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.send?.(`http://127.0.0.1:${portOf(server)}`)
}
