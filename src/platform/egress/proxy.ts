// An HTTP proxy on loopback for programs that open their own connections, Chromium first of all. Whatever such a program
// asks for, by whatever trick, passes the guard here and is dialled at the address that was judged. Every use needs a
// pass, so that other programs of this machine cannot borrow it, and every pass has a byte allowance.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { createDial } from './dial.ts'
import { type EgressGuard, EgressRefusal, portOf } from './guard.ts'

/** The right to use the proxy, for one job. */
export interface EgressPass {
  readonly username: string
  readonly password: string
  /** Bytes received on this pass so far. */
  bytes(): number
  /** Ends its connections; it opens no more. */
  revoke(): void
}

export interface EgressProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  issue(limits?: { readonly bytesMax?: number }): EgressPass
  close(): Promise<void>
}

/** Carries the guard's sentence on replies to plain requests that it refused. */
export const refusedHeader = 'x-egress-refused'

const passBytesMax = 50_000_000
const socketsPerPassMax = 96
const socketsMax = 1_024
const idleTimeoutMs = 30_000
const headersTimeoutMs = 10_000

interface Pass {
  readonly secret: Buffer
  readonly bytesMax: number
  readonly sockets: Set<Socket>
  bytes: number
}

export async function createEgressProxy({ guard }: { guard: EgressGuard }): Promise<EgressProxy> {
  const dial = createDial(guard)
  const passes = new Map<string, Pass>()
  const server = createServer({ headersTimeout: headersTimeoutMs, maxHeaderSize: 64 * 1024 })
  server.maxConnections = socketsMax
  // Errors of single clients are theirs; without these listeners they would be the process's.
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('request', (incoming, response) => {
    forward(incoming, response).catch(() => refuse(response, 502))
  })
  server.on('connect', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    tunnel(incoming, client, head).catch((thrown) => {
      client.end(`HTTP/1.1 ${thrown instanceof EgressRefusal ? 403 : 502} Refused\r\n\r\n`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pass = holderOf(incoming.headers['proxy-authorization'])
    if (pass === undefined) return demandPass(response)
    const url = URL.parse(incoming.url ?? '')
    if (url?.protocol !== 'http:') return refuse(response, 400)
    const upstream = await open(pass, url.hostname, portOf(url)).catch((thrown) => {
      if (!(thrown instanceof EgressRefusal)) return refuse(response, 502)
      response.setHeader(refusedHeader, thrown.message)
      refuse(response, 403)
    })
    if (upstream === undefined) return
    response.once('close', () => upstream.destroy())
    const outgoing = request({
      createConnection: () => upstream,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...endToEnd(incoming.headers), host: url.host, connection: 'close' },
    })
    outgoing.once('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, endToEnd(reply.headers))
      pipeline(reply, meter(pass), response, () => {})
    })
    outgoing.once('error', () => refuse(response, 502))
    pipeline(incoming, outgoing, () => {})
  }

  async function tunnel(incoming: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    const pass = holderOf(incoming.headers['proxy-authorization'])
    if (pass === undefined) {
      client.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}\r\nContent-Length: 0\r\n\r\n`,
      )
      return
    }
    const target = URL.parse(`http://${incoming.url}`)
    if (target === null) throw new TypeError('CONNECT names no host and port.')
    const upstream = await open(pass, target.hostname, portOf(target))
    client.setTimeout(idleTimeoutMs, () => client.destroy())
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    upstream.write(head)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    pipeline(client, upstream, end)
    pipeline(upstream, meter(pass), client, end)
  }

  async function open(pass: Pass, host: string, port: number): Promise<Socket> {
    if (pass.sockets.size >= socketsPerPassMax || pass.bytes > pass.bytesMax)
      throw new EgressRefusal('port', 'This job has used up its allowance.')
    const socket = await dial({ host, port })
    pass.sockets.add(socket)
    socket.once('close', () => pass.sockets.delete(socket))
    socket.setTimeout(idleTimeoutMs, () => socket.destroy())
    return socket
  }

  function holderOf(authorization: string | undefined): Pass | undefined {
    const [scheme, encoded = ''] = (authorization ?? '').split(' ')
    if (scheme?.toLowerCase() !== 'basic') return undefined
    const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
    const pass = passes.get(username)
    const given = Buffer.from(password)
    if (pass === undefined || given.length !== pass.secret.length) return undefined
    return timingSafeEqual(given, pass.secret) ? pass : undefined
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issue({ bytesMax = passBytesMax } = {}) {
      const username = randomBytes(9).toString('base64url')
      const password = randomBytes(24).toString('base64url')
      const pass: Pass = { secret: Buffer.from(password), bytesMax, sockets: new Set(), bytes: 0 }
      passes.set(username, pass)
      return {
        username,
        password,
        bytes: () => pass.bytes,
        revoke() {
          passes.delete(username)
          for (const socket of pass.sockets) socket.destroy()
        },
      }
    },
    async close() {
      for (const { sockets } of passes.values()) for (const socket of sockets) socket.destroy()
      passes.clear()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Counts what comes in on a pass, and breaks all of its connections when that is too much. */
function meter(pass: Pass) {
  return async function* metered(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      pass.bytes += chunk.length
      if (pass.bytes > pass.bytesMax) {
        for (const socket of pass.sockets) socket.destroy()
        return
      }
      yield chunk
    }
  }
}

const challenge = 'Proxy-Authenticate: Basic realm="egress"'

function demandPass(response: ServerResponse): void {
  response.writeHead(407, { 'proxy-authenticate': challenge.slice('Proxy-Authenticate: '.length) })
  response.end()
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-length': 0 }).end()
}

/** Headers that are about one connection stop at this proxy. */
const hopByHop: ReadonlySet<string> = new Set(
  `connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade
   http2-settings`.split(/\s+/),
)

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))
}
