// The rate limit: points per account or source. A small request counts one point, a costly one more.
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { fail } from '#core/errors.ts'

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
  points: most,
  windowSeconds,
}: {
  points: number
  windowSeconds: number
}): RateLimit {
  const limiter = new RateLimiterMemory({ points: most, duration: windowSeconds })
  const policy = `${most};w=${windowSeconds}`
  return {
    async take(key, points = 1) {
      // A source that has sent nothing else may send one request, however many points it counts.
      const { allowed, state } = await limiter.consume(key, Math.min(points, most)).then(
        (state) => ({ allowed: true, state }),
        // A refusal is the limiter's state; anything else is a fault of the limiter.
        (rejected: RateLimiterRes | Error) => {
          if (rejected instanceof Error) throw rejected
          return { allowed: false, state: rejected }
        },
      )
      const resetSeconds = Math.ceil(state.msBeforeNext / 1_000)
      return {
        allowed,
        retryAfterSeconds: Math.max(1, resetSeconds),
        headers: {
          'ratelimit-limit': String(most),
          'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
          'ratelimit-reset': String(resetSeconds),
          'ratelimit-policy': policy,
        },
      }
    },
    async giveBack(key, points) {
      await limiter.reward(key, points)
    },
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

/** The source that a request without an account counts for: an IPv4 address, or the /64 of an IPv6 subscriber. */
export function sourceOf(address: string): string {
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
