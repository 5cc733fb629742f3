// An HTTP proxy on loopback for programs that open their own connections, such as Chromium. The guard checks every
// request, and the proxy dials the checked address. Every use needs a pass with a byte limit, so that other programs of
// this machine cannot use it.
import { randomBytes } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, ListenOptions, Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { createDial } from './dial.ts'
import { FetchFailure } from './failure.ts'
import { type EgressGuard, EgressRefusal, portOf } from './guard.ts'
import {
  admitPass,
  createPasses,
  type EgressPass,
  endSockets,
  type HeldPass,
  holdPass,
  meter,
  type PassTerms,
} from './passes.ts'

export interface EgressProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  issue(terms?: PassTerms): EgressPass
  close(): Promise<void>
}

/** Makes the header names unguessable, so that no site can fake a message of the proxy. */
const secret = randomBytes(16).toString('hex')
/** Carries the guard's message if it refused a plain request. */
const refusedHeader = `x-egress-refused-${secret}`
/** Carries the reason if a plain request could not connect. */
const failedHeader = `x-egress-failed-${secret}`

const socketsMax = 1_024
const headersTimeoutMs = 10_000

/** Opens a connection on a pass. Throws EgressRefusal. */
type Open = (pass: HeldPass, host: string, port: number) => Promise<Socket>

export async function createEgressProxy({ guard }: { guard: EgressGuard }): Promise<EgressProxy> {
  const passes = createPasses()
  const server = createProxyServer(guard, ({ headers }) =>
    passes.find(headers['proxy-authorization']),
  )
  await listen(server, { host: '127.0.0.1', port: 0 })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issue: passes.issue,
    async close() {
      passes.revokeAll()
      await end(server)
    },
  }
}

/** A proxy for one program, which alone reaches its Unix socket and needs no credential. */
export async function createPrivateProxy({
  guard,
  socketPath,
  terms,
}: {
  readonly guard: EgressGuard
  readonly socketPath: string
  readonly terms: PassTerms
}): Promise<{ close(): Promise<void> }> {
  const pass = holdPass(terms)
  const server = createProxyServer(guard, () => pass)
  await listen(server, { path: socketPath, writableAll: true })
  return {
    async close() {
      endSockets(pass)
      await end(server)
    },
  }
}

function createProxyServer(
  guard: EgressGuard,
  passOf: (incoming: IncomingMessage) => HeldPass | undefined,
): Server {
  const dialDirectly = createDial(guard)
  const open: Open = async (pass, host, port) => {
    admitPass(pass)
    const socket = await (pass.dial ?? dialDirectly)({ host, port })
    pass.sockets.add(socket)
    socket.once('close', () => pass.sockets.delete(socket))
    socket.setTimeout(pass.idleTimeoutMs, () => socket.destroy())
    return socket
  }

  const server = createServer({ headersTimeout: headersTimeoutMs, maxHeaderSize: 64 * 1024 })
  server.maxConnections = socketsMax
  // Without these listeners an error of one client would end the process.
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('request', (incoming, response) => {
    const pass = passOf(incoming)
    if (pass === undefined) response.writeHead(407, { 'proxy-authenticate': challenge }).end()
    else forward(incoming, response, pass, open).catch((thrown) => refuse(response, thrown))
  })
  server.on('connect', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    const pass = passOf(incoming)
    if (pass === undefined) client.end(answer(407, `Proxy-Authenticate: ${challenge}\r\n`))
    else
      tunnel(incoming, client, head, pass, open).catch((thrown) => {
        client.end(answer(thrown instanceof EgressRefusal ? 403 : 502))
      })
  })
  return server
}

async function listen(server: Server, at: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, resolve)
  })
}

async function end(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

/** Sends a plain http request on behalf of the program. */
async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  pass: HeldPass,
  open: Open,
): Promise<void> {
  const url = URL.parse(incoming.url ?? '')
  if (url?.protocol !== 'http:') {
    response.writeHead(400).end()
    return
  }
  const upstream = await open(pass, url.hostname, portOf(url))
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
  outgoing.once('error', (error) => refuse(response, error))
  pipeline(incoming, meter(pass), outgoing, () => {})
}

/** CONNECT: passes bytes both ways and only counts them. */
async function tunnel(
  incoming: IncomingMessage,
  client: Socket,
  head: Buffer,
  pass: HeldPass,
  open: Open,
): Promise<void> {
  const target = URL.parse(`http://${incoming.url}`)
  if (target === null) throw new TypeError('CONNECT names no host and port.')
  const upstream = await open(pass, target.hostname, portOf(target))
  client.setTimeout(pass.idleTimeoutMs, () => client.destroy())
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  upstream.write(head)
  const end = () => {
    client.destroy()
    upstream.destroy()
  }
  pipeline(client, meter(pass), upstream, end)
  pipeline(upstream, meter(pass), client, end)
}

const challenge = 'Basic realm="egress"'

function answer(status: number, headers = ''): string {
  return `HTTP/1.1 ${status} Refused\r\n${headers}Content-Length: 0\r\n\r\n`
}

function refuse(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  if (thrown instanceof EgressRefusal)
    response.writeHead(403, { [refusedHeader]: thrown.message }).end()
  else {
    const message = thrown instanceof FetchFailure ? thrown.message : 'The connection failed.'
    response.writeHead(502, { [failedHeader]: message }).end()
  }
}

/** Headers of a single connection are not forwarded. */
const hopByHop: ReadonlySet<string> = new Set(
  `connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade
   http2-settings`.split(/\s+/),
)

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))
}

/** Throws EgressRefusal or FetchFailure if the proxy itself answered. */
export function throwIfRefused(headers: Readonly<Record<string, string>>): void {
  const { [refusedHeader]: refused, [failedHeader]: failed } = headers
  if (refused !== undefined) throw new EgressRefusal('not_public', refused)
  if (failed !== undefined) throw new FetchFailure('connection', failed)
}
