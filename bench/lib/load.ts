// A very cheap load generator, which leaves the machine's cores to the measured server: one socket for each caller, a
// prepared request, and a reply that is read only for its end.
import { connect } from 'node:net'

export interface Load {
  readonly callsPerSecond: number
  readonly calls: number
}

/** Repeats one request per caller for a while. Throws on any reply with another status. */
export function generateLoad(options: {
  url: string
  requests: readonly Buffer[]
  durationMs: number
  status?: number
}): Promise<Load> {
  const until = performance.now() + options.durationMs
  return runCallers(
    options,
    options.requests.map((request) => () => (performance.now() < until ? request : undefined)),
  )
}

/** Each caller sends its own requests, one after the other. Throws on any reply with another status. */
export function sendEach(options: {
  url: string
  requests: readonly (readonly Buffer[])[]
  status?: number
}): Promise<Load> {
  return runCallers(
    options,
    options.requests.map((own) => {
      const rest = own.values()
      return () => rest.next().value
    }),
  )
}

type NextRequest = () => Buffer | undefined

async function runCallers(
  { url, status = 200 }: { url: string; status?: number },
  callers: readonly NextRequest[],
): Promise<Load> {
  const { hostname, port } = new URL(url)
  const startedAt = performance.now()
  const counts = await Promise.all(
    callers.map((next) => runCaller({ host: hostname, port: Number(port) }, next, status)),
  )
  const calls = counts.reduce((sum, count) => sum + count, 0)
  return { calls, callsPerSecond: calls / ((performance.now() - startedAt) / 1_000) }
}

export function writeRequest(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Buffer {
  const json = JSON.stringify(body)
  const lines = Object.entries({
    host: 'bench',
    'content-type': 'application/json',
    'content-length': String(json.length),
    ...headers,
  })
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${json}`,
  )
}

function runCaller(
  address: { host: string; port: number },
  next: NextRequest,
  status: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let received = ''
    const socket = connect({ ...address, noDelay: true }, ask)
    function ask() {
      const request = next()
      if (request !== undefined) return void socket.write(request)
      socket.destroy()
      resolve(count)
    }
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      received += chunk
      const headerEnd = received.indexOf('\r\n\r\n')
      if (headerEnd < 0) return
      const length = /content-length: (\d+)/i.exec(received)?.[1]
      const isChunked = /transfer-encoding: chunked/i.test(received)
      if (!received.startsWith(`HTTP/1.1 ${status}`) || (length === undefined && !isChunked)) {
        socket.destroy()
        reject(new Error(`The server answered ${received.slice(0, 400)}`))
        return
      }
      const isWhole = isChunked
        ? received.endsWith('\r\n0\r\n\r\n')
        : received.length >= headerEnd + 4 + Number(length)
      if (!isWhole) return
      received = ''
      count += 1
      ask()
    })
  })
}
