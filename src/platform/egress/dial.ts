// Opens sockets only to hosts that the guard admits. The name is resolved once, every address is checked, and the
// socket goes to one of the checked addresses. SNI and Host keep the name.
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Agent } from 'undici'
import { errorOf } from '#core/errors.ts'
import { keepAliveMarginMs } from '../http/keep-alive.ts'
import { abortable } from './abortable.ts'
import type { EgressGuard, ResolvedAddress } from './guard.ts'

export interface DialOptions {
  readonly host: string
  readonly port: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export type Dial = (options: DialOptions) => Promise<Socket>

const connectTimeoutMs = 10_000

export function createDial(guard: EgressGuard): Dial {
  return async ({ host, port, timeoutMs = connectTimeoutMs, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const stop = signal ? AbortSignal.any([signal, timeout]) : timeout
    const addresses = await abortable(guard.resolve(host, port), stop)
    return openSocket(addresses, port, stop)
  }
}

/** An undici agent all of whose connections are opened by `dial`. */
export function createEgressAgent(
  dial: Dial,
  {
    verifiesCertificates = true,
    connectionsMax = 16,
    // Callers seldom return to a host, and a pinned address should not outlive its name's DNS record by much.
    keepAliveMs = 2_000,
  }: {
    readonly verifiesCertificates?: boolean
    /** At the same time to one host. */
    readonly connectionsMax?: number
    readonly keepAliveMs?: number
  } = {},
): Agent {
  return new Agent({
    allowH2: false,
    connections: connectionsMax,
    keepAliveTimeout: keepAliveMs,
    keepAliveTimeoutThreshold: keepAliveMarginMs,
    keepAliveMaxTimeout: Math.max(5_000, keepAliveMs),
    maxHeaderSize: 64 * 1024,
    connect: ({ hostname, protocol, port, servername }, callback) => {
      const portNumber = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
      dial({ host: hostname, port: portNumber })
        .then<Socket>((socket) =>
          protocol === 'https:'
            ? secure(socket, hostname, { servername, verifiesCertificates })
            : socket,
        )
        .then(
          (socket) => callback(null, socket),
          (thrown: Error) => callback(thrown, null),
        )
    },
  })
}

function openSocket(
  addresses: readonly ResolvedAddress[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      // An IP literal is dialled directly. A name is never resolved again; `lookup` returns the checked addresses.
      host: addresses.length === 1 && addresses[0] ? addresses[0].address : 'pinned.invalid',
      port,
      autoSelectFamily: true,
      lookup: (_name, options, callback) => {
        const first = addresses[0] as ResolvedAddress
        if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
    })
    socket.setNoDelay(true)
    const onAbort = () => socket.destroy(errorOf(signal.reason))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const settled = () => signal.removeEventListener('abort', onAbort)
    socket.once('connect', () => {
      settled()
      resolve(socket)
    })
    // Stays attached, because an error before the first reader would otherwise end the process.
    socket.on('error', reject)
    socket.once('close', settled)
  })
}

function secure(
  socket: Socket,
  hostname: string,
  options: {
    readonly servername: string | null | undefined
    readonly verifiesCertificates: boolean
  },
): Promise<TLSSocket> {
  const { servername, verifiesCertificates } = options
  return new Promise((resolve, reject) => {
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    const secured = connectTls({
      socket,
      // The certificate must match this name or IP literal. SNI carries names only.
      host,
      ...(isIP(host) ? {} : { servername: servername || host }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: verifiesCertificates,
    })
    const timer = setTimeout(
      () => secured.destroy(new Error('The TLS handshake took too long.')),
      connectTimeoutMs,
    )
    secured.once('close', () => clearTimeout(timer))
    secured.on('error', reject)
    secured.once('secureConnect', () => {
      clearTimeout(timer)
      resolve(secured)
    })
  })
}
