// A very cheap load generator, which leaves the machine's cores to the measured server: one socket for each caller, a
// prepared request, and a reply that is read only for its end.
import { connect } from 'node:net'

export interface Load {
  readonly callsPerSecond: number
  readonly calls: number
}

/** Repeats one request per caller for a while. Throws on any reply with another status. */
export async function generateLoad(options: {
  url: string
  requests: readonly Buffer[]
  durationMs: number
  status?: number
}): Promise<Load> {
  const { hostname, port } = new URL(options.url)
  const startedAt = performance.now()
  const until = startedAt + options.durationMs
  const counts = await Promise.all(
    options.requests.map((request) =>
      runCaller({ host: hostname, port: Number(port) }, request, until, options.status ?? 200),
    ),
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
  request: Buffer,
  until: number,
  status: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let received = ''
    const socket = connect({ ...address, noDelay: true }, () => socket.write(request))
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
      if (performance.now() < until) socket.write(request)
      else {
        socket.destroy()
        resolve(count)
      }
    })
  })
}
