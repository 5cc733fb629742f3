// Measures the effect of page reading on the rest of the gateway: its memory, and how long a health check waits while
// many calls read large or hostile pages at once. Every page comes from a server in this process, on loopback.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { portOf } from '#platform/http/port.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'

const callsAtOnce = Number(process.argv[3] ?? 60)
const pagesPerCall = 5
const checkEveryMs = 20
const idleMs = 3_000

const sentence = 'The committee met on Tuesday and agreed on the budget for the coming year. '
const htmlOf = (bytes: number) => {
  const paragraph = `<p class="text">${sentence.repeat(8)}</p>\n`
  const body = paragraph.repeat(Math.ceil(bytes / paragraph.length))
  return Buffer.from(`<!doctype html><title>Minutes</title><article>${body}</article>`)
}
const large = htmlOf(9_000_000)
const readable = htmlOf(4_000_000)
const packed = gzipSync(readable)
const framed = `<!doctype html><title>Frames</title><p>Loading the application…</p><script>
  setInterval(() => { for (let i = 0; i < 50; i += 1) document.body.append(Object.assign(document.createElement('iframe'), { src: '/frame?' + Math.random() })) }, 10)
</script>`
const html = { 'content-type': 'text/html; charset=utf-8' }
const pages: Record<string, (response: ServerResponse) => void> = {
  '9 MB, its length announced': (response) =>
    response.writeHead(200, { ...html, 'content-length': large.length }).end(large),
  '9 MB in chunks': (response) => void response.writeHead(200, html).end(large),
  '4 MB of text': (response) => void response.writeHead(200, html).end(readable),
  '4 MB, compressed': (response) =>
    response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(packed),
  'a PDF of 9 MB': (response) =>
    void response.writeHead(200, { 'content-type': 'application/pdf' }).end(large),
  'a page that adds frames without end': (response) =>
    void response.writeHead(200, html).end(framed),
}
const kinds = Object.keys(pages)

const pageServer = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://page')
  if (url.pathname === '/frame') response.writeHead(200, html).end('<p>A frame.</p>')
  else pages[kinds[Number(url.pathname.split('/')[1])] ?? '']?.(response)
}).listen(0, '127.0.0.1')
await once(pageServer, 'listening')
const pageOrigin = `http://127.0.0.1:${portOf(pageServer)}`

const bareServer = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), ['constant'])
const [bare] = (await once(bareServer, 'message')) as [{ url: string }]
const only =
  process.argv[2] === undefined
    ? kinds
    : kinds.filter((_, index) => process.argv[2]?.split(',').includes(String(index)))
console.log(
  `| ${callsAtOnce} calls of ${pagesPerCall} pages | seconds | answers | peak MB | above idle MB | health check p50 ms | longest ms | longest while idle ms | longest of a bare server ms |\n|---|---|---|---|---|---|---|---|---|`,
)
for (const kind of only) console.log(`| ${(await measure(kinds.indexOf(kind))).join(' | ')} |`)
bareServer.kill()
pageServer.close()
pageServer.closeAllConnections()

/** Starts a new gateway for each kind, because a process does not return its memory. */
async function measure(kind: number): Promise<unknown[]> {
  const dataDir = await makeDataDirectory()
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const gateway = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), ['gateway', '1'], {
    env: {
      ...process.env,
      DATABASE_URL: postgres.connectionString,
      DATA_DIR: dataDir,
      EGRESS_ALLOW: '127.0.0.1',
    },
  })
  try {
    const [{ url, keys }] = (await once(gateway, 'message')) as [{ url: string; keys: string[] }]
    const call = (number: number) =>
      fetch(`${url}/api/run/tollway/onescrape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[0]}` },
        body: JSON.stringify({
          urls: Array.from(
            { length: pagesPerCall },
            (_, page) => `${pageOrigin}/${kind}/${number}/${page}`,
          ),
        }),
      }).then(async (reply) => {
        await reply.arrayBuffer()
        return reply.status
      })
    const idle = await watch(
      `${url}/healthz`,
      new Promise((resolve) => setTimeout(resolve, idleMs)),
    )
    const idleMegabytes = await peakMegabytes(gateway.pid ?? 0)
    const startedAt = performance.now()
    const calls = Promise.all(Array.from({ length: callsAtOnce }, (_, number) => call(number)))
    // A bare server beside it shows how long the machine itself delays such a request.
    const [busy, beside] = await Promise.all([
      watch(`${url}/healthz`, calls),
      watch(`${bare.url}/api/run/a/b`, calls),
    ])
    const seconds = (performance.now() - startedAt) / 1_000
    const counts = Map.groupBy(await calls, (status) => status)
    const answers = [...counts].map(([status, each]) => `${each.length} × ${status}`).join(', ')
    const peak = await peakMegabytes(gateway.pid ?? 0)
    return [
      kinds[kind],
      seconds.toFixed(1),
      answers,
      peak,
      peak - idleMegabytes,
      quantile(busy, 0.5).toFixed(1),
      quantile(busy, 1).toFixed(0),
      quantile(idle, 1).toFixed(0),
      quantile(beside, 1).toFixed(0),
    ]
  } finally {
    gateway.kill()
    await once(gateway, 'exit')
    await postgres.stop()
  }
}

/** The duration of each request until the work ended, in milliseconds. */
async function watch(url: string, work: Promise<unknown>): Promise<readonly number[]> {
  let isDone = false
  work.finally(() => {
    isDone = true
  })
  const delays: number[] = []
  while (!isDone) {
    const startedAt = performance.now()
    await (await fetch(url)).arrayBuffer()
    delays.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
  }
  return delays
}

/** The peak memory of the process itself, without browsers, which are separate processes. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_000)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
