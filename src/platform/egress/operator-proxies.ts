// Connections through the operator's own proxies. The address of the page is checked as for any connection; the
// addresses of the proxies are not. A busy proxy is tried again after a random pause, one attempt at a time, as
// residential proxy pools require.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { Clock } from '#core/ports.ts'
import { createSerialRetry } from '../serial-retry.ts'
import { abortable } from './abortable.ts'
import type { Dial, DialOptions } from './dial.ts'
import { FetchFailure } from './failure.ts'
import type { EgressGuard } from './guard.ts'

export interface OperatorProxy {
  readonly url: URL
}

/** The operator's kinds of proxies. A kind is absent if it is not configured. */
export interface WaysOut {
  readonly datacenter?: Dial | undefined
  readonly unblock?: Dial | undefined
  readonly residential?: Dial | undefined
}

const connectTimeoutMs = 15_000
const attemptsMax = 4
const pauseMs = { least: 250, most: 1_500 } as const
/** The proxy or its exit is busy, so another attempt may succeed. */
const isPassing = (status: number) => status === 409 || status === 429 || status >= 500

/** Throws a TypeError that quotes no part of the text, because it may hold a password. */
export function readOperatorProxy(text: string): OperatorProxy {
  const url = URL.parse(text)
  const isProxy = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
  if (!isProxy || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new TypeError(
      'A proxy must have the form http://user:password@host:port or https://user:password@host:port.',
    )
  return { url }
}

export function createWaysOut(dependencies: {
  readonly guard: EgressGuard
  readonly clock: Clock
  readonly proxies: Readonly<Record<keyof WaysOut, readonly OperatorProxy[]>>
}): WaysOut {
  const { proxies, ...rest } = dependencies
  const dial = (list: readonly OperatorProxy[]) =>
    list.length === 0 ? undefined : createProxiedDial({ ...rest, proxies: list })
  return {
    datacenter: dial(proxies.datacenter),
    unblock: dial(proxies.unblock),
    residential: dial(proxies.residential),
  }
}

/** Opens connections by CONNECT, taking the proxies in turn. Throws EgressRefusal, FetchFailure. */
export function createProxiedDial(dependencies: {
  readonly guard: EgressGuard
  readonly proxies: readonly OperatorProxy[]
  readonly clock: Clock
}): Dial {
  const { guard, proxies, clock } = dependencies
  const retrySerially = createSerialRetry({ clock, isBusy, attemptsMax, pauseMs })
  let turn = 0

  return async (dial) => {
    const timeout = AbortSignal.timeout(dial.timeoutMs ?? connectTimeoutMs)
    const stop = dial.signal ? AbortSignal.any([dial.signal, timeout]) : timeout
    await abortable(guard.resolve(dial.host, dial.port), stop)
    return await retrySerially(() => {
      const proxy = proxies[turn % proxies.length] as OperatorProxy
      turn += 1
      return connectThrough(proxy, dial, stop)
    }, stop)
  }
}

/** Does not reveal which proxy it was. */
function busy(cause?: unknown): FetchFailure {
  return new FetchFailure('proxies_busy', 'The proxies of this gateway are busy.', cause)
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof FetchFailure && thrown.reason === 'proxies_busy'
}

function connectThrough(
  { url: proxy }: OperatorProxy,
  { host, port }: DialOptions,
  stop: AbortSignal,
): Promise<Socket> {
  const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const request = proxy.protocol === 'https:' ? requestHttps : requestHttp
    const connecting = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentials(proxy) },
      agent: false,
      signal: stop,
    })
    connecting.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        // An error before the first reader would otherwise end the process.
        socket.on('error', () => {})
        resolve(socket)
        return
      }
      socket.destroy()
      reject(isPassing(statusCode) ? busy() : refused(statusCode))
    })
    // The proxy answered CONNECT like a page request.
    connecting.once('response', ({ statusCode = 0 }) => {
      connecting.destroy()
      reject(refused(statusCode))
    })
    connecting.once('error', (error) => reject(stop.aborted ? stop.reason : busy(error)))
    connecting.end()
  })
}

function refused(status: number): FetchFailure {
  const advice = status === 407 ? ': the user name or password is wrong' : ''
  return new FetchFailure('connection', `A proxy of this gateway refused with ${status}${advice}.`)
}

function credentials({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
