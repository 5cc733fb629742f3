// The addresses of rented browsers: the WebSocket of DevTools, and a page to look on. They are signed, so that standard
// clients need no other credential.
import { once } from 'node:events'
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { AccessRight, OpenAccess } from '#core/access/open-access.ts'
import type { SignedQuery } from '#core/access/signed-address.ts'
import { fail } from '#core/errors.ts'
import { type GatewayPlace, placeOf } from '#core/gateways/elsewhere.ts'
import type { BrowserAddresses } from '#features/machines/browser/addresses.ts'
import type { RentedBrowsers } from '#features/machines/browser/rented-browsers.ts'
import type { BrowserSessionRows } from '#features/machines/browser/session-rows.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { escapeHtml } from '../../doors/escape-html.ts'
import { defineRoute } from '../../doors/route.ts'
import { html } from '../../doors/shapes.ts'
import { liveViewHeaders, liveViewPage } from '../pages/live-view.ts'
import { signatureOfKey } from '../signed-query.ts'

interface Upgrade {
  readonly socket: Socket
  /** What the client has sent after its request. */
  readonly head: Buffer
}

interface Dependencies {
  readonly browsers: Pick<RentedBrowsers, 'enter' | 'look'>
  readonly addresses: BrowserAddresses
  readonly find: BrowserSessionRows['find']
  readonly access: OpenAccess
  /** Opens the connection at another gateway. */
  readonly connect: (place: GatewayPlace, request: IncomingMessage) => Promise<Socket>
}

export const connectBrowser = defineRoute({
  method: 'get',
  path: '/api/browsers/{id}/connect',
  checksInput: true,
  summary:
    'The WebSocket of a rented browser (Chrome DevTools Protocol) at its signed connectUrl. Use it with a client such as Playwright or Puppeteer.',
  query: signatureOfKey,
  status: 101,
  errors: ['bad_request', 'invalid_token', 'session_closed', 'session_elsewhere'],
})
export const viewBrowser = defineRoute({
  method: 'get',
  path: '/api/browsers/{id}/live',
  checksInput: true,
  summary: 'A page that shows a rented browser, at its signed liveViewUrl. It controls nothing.',
  query: signatureOfKey,
  type: html,
  errors: ['invalid_token'],
})
export const browserFrames = defineRoute({
  method: 'get',
  path: '/api/browsers/{id}/frames',
  checksInput: true,
  summary: 'The pictures of that page, each in place of the one before it.',
  query: signatureOfKey,
  type: 'multipart/x-mixed-replace',
  errors: ['invalid_token', 'session_closed', 'session_elsewhere', 'too_many_inflight'],
})

export function addBrowserRoutes(server: FastifyInstance, dependencies: Dependencies) {
  addConnectRoute(server, dependencies)
  addLiveRoutes(server, dependencies)
}

/**
 * The right by which the address in the request opens the browser. Throws `invalid_token` unless the address is signed
 * and the right holds.
 */
async function admit(
  id: string,
  query: SignedQuery,
  wanted: 'connect' | 'live',
  { addresses, access, find }: Dependencies,
): Promise<AccessRight> {
  const signed = addresses.read(wanted, id, query)
  const session = signed && (await find(id))
  if (session !== undefined) {
    const right = { accountId: session.accountId, keyId: signed?.keyId ?? session.keyId }
    if (await access.isGood(right)) return right
  }
  if (signed !== undefined && session === undefined)
    throw fail('not_found', { message: 'There is no such browser session.' })
  throw fail('invalid_token', {
    message:
      'This address of a browser is invalid or has expired. Use it exactly as you received it; ns_browser/session_status gives it again.',
  })
}

function addConnectRoute(server: FastifyInstance, dependencies: Dependencies) {
  const { browsers, access, connect: connectElsewhere } = dependencies
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const open = new Set<Socket>()

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

  const config = { door: 'browser connection', passesOn: true } as const
  const connect: Handler<typeof connectBrowser> = async ({ request, params: { id } }, reply) => {
    const right = await admit(id, request.query as SignedQuery, 'connect', dependencies)
    const upgrade = upgrades.get(request.raw)
    if (upgrade === undefined)
      throw fail('bad_request', {
        message:
          'Connect to this address with a WebSocket: connectOverCDP of Playwright, or puppeteer.connect.',
      })
    const browser = await browsers
      .enter(id, (path) => handshake(request.raw, path))
      .catch((thrown) => {
        const place = placeOf(thrown)
        if (place === undefined) throw thrown
        return connectElsewhere(place, request.raw)
      })
    reply.hijack()
    reply.raw.detachSocket(upgrade.socket)
    const { socket } = upgrade
    open.add(socket)
    const leave = access.enter('browser connection', right, () => socket.destroy())
    socket.once('close', () => {
      open.delete(socket)
      leave()
    })
    browser.write(upgrade.head)
    join(socket, browser)
  }
  addRoute(server, connectBrowser, connect, { config })
}

function addLiveRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { browsers, access } = dependencies
  const door = 'browser live view'
  addRoute(
    server,
    viewBrowser,
    async ({ request, params }, reply) => {
      await admit(params.id, request.query as SignedQuery, 'live', dependencies)
      reply.headers(liveViewHeaders).type('text/html; charset=utf-8')
      return liveViewPage(escapeHtml(`frames?${request.url.split('?')[1] ?? ''}`))
    },
    { config: { textErrors: true, door } },
  )

  // The pictures, each in place of the one before it.
  addRoute(
    server,
    browserFrames,
    async ({ request, params }, reply) => {
      const right = await admit(params.id, request.query as SignedQuery, 'live', dependencies)
      const frames = new PassThrough()
      let again: NodeJS.Timeout | undefined
      const screencast = await browsers.look(params.id, async (jpeg) => {
        clearTimeout(again)
        await sendFrame(frames, jpeg)
        if (frames.destroyed) return
        again = setTimeout(() => void sendFrame(frames, jpeg), repeatAfterMs)
      })
      screencast.ended.then(() => frames.end())
      const leave = access.enter(door, right, () => reply.raw.destroy())
      frames.once('close', () => {
        leave()
        clearTimeout(again)
        screencast.close()
      })
      request.raw.once('close', screencast.close)
      reply.header('content-type', `multipart/x-mixed-replace; boundary=${boundary}`)
      reply.header('cache-control', 'no-store')
      frames.write(`--${boundary}\r\n`)
      return reply.send(frames)
    },
    { config: { door, passesOn: true } },
  )
}

const boundary = 'frame'
/** Chromium shows a picture when the next one begins, so the last one is sent again. */
const repeatAfterMs = 200

/** Resolves when the viewer is ready for the next one. */
async function sendFrame(frames: PassThrough, jpeg: Buffer): Promise<void> {
  if (frames.destroyed || frames.writableEnded) return
  frames.write(`Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
  frames.write(jpeg)
  if (!frames.write(`\r\n--${boundary}\r\n`))
    await Promise.race([once(frames, 'drain'), once(frames, 'close')])
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
