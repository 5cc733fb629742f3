// The addresses of rented browsers: the WebSocket of DevTools, and a page to look on. They are signed, so that standard clients
// need no other credential.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import type { BrowserAddresses } from '#features/browser/addresses.ts'
import type { RentedBrowsers } from '#features/browser/rented-browsers.ts'

interface BrowserRoute {
  Params: { id: string }
  Querystring: { exp?: string; sig?: string }
}

interface Upgrade {
  readonly socket: Socket
  /** What the client has sent after its request. */
  readonly head: Buffer
}

/** Only requests for these addresses may become WebSockets. */
export const isBrowserUpgrade = ({ url = '', headers }: IncomingMessage): boolean =>
  /^\/api\/browsers\/[^/]+\/connect\?/.test(url) && headers.upgrade?.toLowerCase() === 'websocket'

export function addBrowserRoutes(
  server: FastifyInstance,
  { browsers, addresses }: { browsers: Pick<RentedBrowsers, 'enter'>; addresses: BrowserAddresses },
) {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const open = new Set<Socket>()
  const admit = (access: 'connect', request: FastifyRequest<BrowserRoute>) => {
    const { id } = request.params
    if (addresses.accepts(access, id, request.query)) return id
    throw fail('invalid_token', {
      message:
        'This address of a browser is invalid or has expired. Use it exactly as you received it; ns_browser/session_status gives it again.',
    })
  }

  // The request passes the hooks of all requests before it becomes a WebSocket.
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    upgrades.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    server.routing(request, response)
  })
  server.addHook('preClose', async () => {
    for (const socket of open) socket.destroy()
  })

  server.get<BrowserRoute>('/api/browsers/:id/connect', async (request, reply) => {
    const id = admit('connect', request)
    const upgrade = upgrades.get(request.raw)
    if (upgrade === undefined)
      throw fail('bad_request', {
        message:
          'Connect to this address with a WebSocket: connectOverCDP of Playwright, or puppeteer.connect.',
      })
    const browser = await browsers.enter(id, (path) => handshake(request.raw, path))
    reply.hijack()
    reply.raw.detachSocket(upgrade.socket)
    const { socket } = upgrade
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    browser.write(upgrade.head)
    join(socket, browser)
  })
}

/** Ends one when the other ends. */
function join(client: Socket, browser: Socket): void {
  client.setNoDelay(true)
  client.once('close', () => browser.destroy())
  browser.once('close', () => client.destroy())
  browser.on('error', () => client.destroy())
  client.pipe(browser)
  browser.pipe(client)
}

/** The client's request as DevTools expects it: it answers requests to loopback only, and none with an origin. */
function handshake({ headers }: IncomingMessage, path: string): string {
  const passed = Object.entries(headers).filter(([name]) => name.startsWith('sec-websocket-'))
  const lines = passed.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines}\r\n`
}
