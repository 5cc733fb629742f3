// Callers of a surface of chats. Each has one socket and a prepared request, and measures the time to the first content
// and to the end of each answer.
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface ChatLoad {
  readonly perSecond: number
  readonly calls: number
  /** Milliseconds to the first content, and to the end. */
  readonly firstMs: readonly number[]
  readonly endMs: readonly number[]
}

/** A placeholder in a request. Each time the request is sent, another text of the same length replaces it. */
export const freshMarker = 'fresh-000000000000'
let freshCount = 0

/** The first content of a chat, a response or a message. */
const contentMarker = /"(?:content|delta|text)":\s*"[^"]/

/** Repeats one request per caller for a while. Throws on any reply except a complete 200. */
export async function generateChats(options: {
  url: string
  requests: readonly Buffer[]
  durationMs: number
  /** Callers start one after the other within this time, like people. Default 0: all at once. */
  spreadMs?: number
}): Promise<ChatLoad> {
  const { hostname, port } = new URL(options.url)
  const firstMs: number[] = []
  const endMs: number[] = []
  const startedAt = performance.now()
  const until = startedAt + options.durationMs
  await Promise.all(
    options.requests.map(async (request, place) => {
      await delay(((options.spreadMs ?? 0) * place) / options.requests.length)
      await runCaller({ host: hostname, port: Number(port) }, request, { until, firstMs, endMs })
    }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  return { perSecond: endMs.length / seconds, calls: endMs.length, firstMs, endMs }
}

function runCaller(
  address: { host: string; port: number },
  request: Buffer,
  { until, firstMs, endMs }: { until: number; firstMs: number[]; endMs: number[] },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = ''
    let askedAt = 0
    let first = 0
    const freshAt = request.indexOf(freshMarker)
    const ask = () => {
      if (freshAt !== -1) {
        freshCount += 1
        request.write(String(freshCount).padStart(12, '0'), freshAt + freshMarker.length - 12)
      }
      received = ''
      first = 0
      askedAt = performance.now()
      socket.write(request)
    }
    const socket = connect({ ...address, noDelay: true }, ask)
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      received += chunk
      if (first === 0 && contentMarker.test(received)) first = performance.now()
      if (!isWhole(received)) return
      if (!received.startsWith('HTTP/1.1 200') || first === 0) {
        socket.destroy()
        reject(new Error(`The server answered ${received.slice(0, 600)}`))
        return
      }
      firstMs.push(first - askedAt)
      endMs.push(performance.now() - askedAt)
      if (performance.now() < until) ask()
      else {
        socket.destroy()
        resolve()
      }
    })
  })
}

function isWhole(received: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]
  return length === undefined
    ? received.endsWith('\r\n0\r\n\r\n')
    : received.length >= headEnd + 4 + Number(length)
}
