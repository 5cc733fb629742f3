// The rate limit: points per account or source. A small request counts one point, a costly one more.
import ipaddr from 'ipaddr.js'
import { fail } from '#core/errors.ts'
import type { SharedCounters } from '#core/replicas/shared-state.ts'

/** The rate-limit headers of one response. Source: spec, "Rate-limit headers". */
export interface RateLimitVerdict {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly retryAfterSeconds: number
}

export interface RateLimit {
  /** Counts a request of this account or source. */
  take(key: string, points?: number): Promise<RateLimitVerdict>
  giveBack(key: string, points: number): Promise<void>
}

export function createRateLimit({
  counters,
  points: most,
  windowSeconds,
}: {
  counters: SharedCounters
  points: number
  windowSeconds: number
}): RateLimit {
  const policy = `${most};w=${windowSeconds}`
  const nameOf = (key: string) => `requests ${key}`
  return {
    async take(key, points = 1) {
      const { refusedBy, windows } = await counters.take([
        {
          name: nameOf(key),
          // A source that has sent nothing else may send one request, however many points it counts.
          points: Math.min(points, most),
          most,
          windowMs: windowSeconds * 1_000,
          evenBeyond: true,
        },
      ])
      const { used = 0, leftMs = 0 } = windows[0] ?? {}
      const resetSeconds = Math.ceil(leftMs / 1_000)
      return {
        allowed: refusedBy === undefined,
        retryAfterSeconds: Math.max(1, resetSeconds),
        headers: {
          'ratelimit-limit': String(most),
          'ratelimit-remaining': String(Math.max(0, most - used)),
          'ratelimit-reset': String(resetSeconds),
          'ratelimit-policy': policy,
        },
      }
    },
    giveBack: (key, points) => counters.adjust(nameOf(key), -points),
  }
}

export function rateLimited({ retryAfterSeconds }: RateLimitVerdict) {
  return fail('rate_limited', {
    retryAfterSeconds,
    message: `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
  })
}

const ipv6GroupsOfSubscriber = 4
const networkBits = { ipv4: 24, ipv6: 56 } as const

/** Callers send many requests from one address, and reading one costs as much as counting it. */
const sourcesMax = 10_000
const sources = new Map<string, string>()

/** The source that a request without an account counts for: an IPv4 address, or the /64 of an IPv6 subscriber. */
export function sourceOf(address: string): string {
  const known = sources.get(address)
  if (known !== undefined) return known
  const source = readSource(address)
  if (sources.size >= sourcesMax) sources.clear()
  sources.set(address, source)
  return source
}

function readSource(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, ipv6GroupsOfSubscriber)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** The network of an address, as one party usually has it: the /24 of IPv4, or the /56 of IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bits = networkBits[parsed.kind()]
  const bytes = parsed.toByteArray().slice(0, bits / 8)
  return `${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}/${bits}`
}
