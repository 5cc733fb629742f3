import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { fail } from '#core/errors.ts'

/** The rate-limit headers of one response. Source: spec, "Rate-limit headers". */
export interface RateLimitVerdict {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly retryAfterSeconds: number
}

export interface RateLimit {
  /** Counts one request of this account or address. */
  take(key: string): Promise<RateLimitVerdict>
}

export function createRateLimit({
  requests,
  windowSeconds,
}: {
  requests: number
  windowSeconds: number
}): RateLimit {
  const limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds })
  const policy = `${requests};w=${windowSeconds}`
  return {
    async take(key) {
      const { allowed, state } = await limiter.consume(key).then(
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
          'ratelimit-limit': String(requests),
          'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
          'ratelimit-reset': String(resetSeconds),
          'ratelimit-policy': policy,
        },
      }
    },
  }
}

export function rateLimited({ retryAfterSeconds }: RateLimitVerdict) {
  return fail('rate_limited', {
    retryAfterSeconds,
    message: `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
  })
}
