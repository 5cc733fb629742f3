// Passes to the egress proxy. Each use of the proxy has a pass with its own byte limit.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Dial } from './dial.ts'
import { EgressRefusal } from './guard.ts'

/** The right to use the proxy for one job. */
export interface EgressPass {
  readonly username: string
  readonly password: string
  /** Bytes sent and received on this pass so far. */
  bytes(): number
  /** Ends its connections and opens no more. */
  revoke(): void
}

export interface PassTerms {
  readonly bytesMax?: number
  /** Opens its connections. Default: directly. */
  readonly dial?: Dial | undefined
  /** A connection without traffic ends after this time. */
  readonly idleTimeoutMs?: number
}

export interface HeldPass {
  readonly secret: Buffer
  readonly bytesMax: number
  readonly idleTimeoutMs: number
  readonly dial: Dial | undefined
  readonly sockets: Set<Socket>
  bytes: number
}

export interface Passes {
  issue(terms?: PassTerms): EgressPass
  /** The pass of a Proxy-Authorization header; undefined if it is invalid. */
  find(authorization: string | undefined): HeldPass | undefined
  revokeAll(): void
}

const passBytesMax = 50_000_000
const idleTimeoutDefaultMs = 30_000
const socketsPerPassMax = 96

/** A pass that only its own proxy accepts needs no secret. */
export function holdPass(terms: PassTerms, secret = ''): HeldPass {
  const { bytesMax = passBytesMax, idleTimeoutMs = idleTimeoutDefaultMs, dial } = terms
  const kept = { secret: Buffer.from(secret), bytesMax, idleTimeoutMs, dial }
  return { ...kept, sockets: new Set(), bytes: 0 }
}

export function createPasses(): Passes {
  const held = new Map<string, HeldPass>()
  return {
    issue(terms = {}) {
      const username = randomBytes(9).toString('base64url')
      const password = randomBytes(24).toString('base64url')
      const pass = holdPass(terms, password)
      held.set(username, pass)
      return {
        username,
        password,
        bytes: () => pass.bytes,
        revoke() {
          held.delete(username)
          endSockets(pass)
        },
      }
    },
    find(authorization) {
      const [scheme, encoded = ''] = (authorization ?? '').split(' ')
      if (scheme?.toLowerCase() !== 'basic') return undefined
      const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
      const pass = held.get(username)
      const given = Buffer.from(password)
      if (pass === undefined || given.length !== pass.secret.length) return undefined
      return timingSafeEqual(given, pass.secret) ? pass : undefined
    },
    revokeAll() {
      for (const pass of held.values()) endSockets(pass)
      held.clear()
    },
  }
}

/** Throws EgressRefusal if the pass has no connections or bytes left. */
export function admitPass(pass: HeldPass): void {
  if (pass.sockets.size >= socketsPerPassMax || pass.bytes > pass.bytesMax)
    throw new EgressRefusal('allowance', 'This job has used up its allowance.')
}

/** Counts the bytes of one direction and breaks all its connections beyond its limit. */
export function meter(pass: HeldPass) {
  return async function* metered(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      pass.bytes += chunk.length
      if (pass.bytes > pass.bytesMax) return endSockets(pass)
      yield chunk
    }
  }
}

export function endSockets({ sockets }: HeldPass): void {
  for (const socket of sockets) socket.destroy()
}
