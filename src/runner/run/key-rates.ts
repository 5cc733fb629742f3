// How often a key may call, and for how many tokens, also by calls that run on a spend lease. A window begins with the
// first call in it and lasts a minute.
import type { AccountCaller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { CountedWindow, SharedCounters, WindowCount } from '#core/replicas/shared-state.ts'

const windowMs = 60_000

export interface KeyRates {
  /**
   * Counts a call, and reserves the tokens that it may use. The reservation ends with the tokens that it has used.
   * Throws `rate_limited`, and counts nothing then.
   */
  begin(caller: AccountCaller, tokens?: number): Promise<(usedTokens: number) => Promise<void>>
}

type Limit = 'requests_per_minute' | 'tokens_per_minute'

const uncounted = async () => {}

export function createKeyRates({
  clock,
  counters,
}: {
  clock: Pick<Clock, 'now'>
  counters: SharedCounters
}): KeyRates {
  return {
    async begin({ keyId, requestsPerMinute, tokensPerMinute }, tokens = 0) {
      if (tokensPerMinute !== undefined && tokens > tokensPerMinute)
        throw tooLarge(tokens, tokensPerMinute)
      const counts: (WindowCount & { readonly limit: Limit })[] = []
      const add = (limit: Limit, most: number, points: number) =>
        counts.push({ limit, name: `${limit} ${keyId}`, points, most, windowMs })
      if (requestsPerMinute !== undefined) add('requests_per_minute', requestsPerMinute, 1)
      if (tokensPerMinute !== undefined && tokens > 0)
        add('tokens_per_minute', tokensPerMinute, tokens)
      if (counts.length === 0) return uncounted
      const { refusedBy, windows } = await counters.take(counts)
      const refused = refusedBy === undefined ? undefined : counts[refusedBy]
      const window = windows[refusedBy ?? counts.length - 1]
      if (refused !== undefined && window !== undefined)
        throw exceeded(refused.limit, refused.most, window)
      const reserved = counts.find(({ limit }) => limit === 'tokens_per_minute')
      if (reserved === undefined) return uncounted
      return (usedTokens) => counters.adjust(reserved.name, usedTokens - tokens, window?.id)

      function exceeded(limit: Limit, most: number, { used, leftMs }: CountedWindow) {
        const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000))
        const what =
          limit === 'requests_per_minute'
            ? `${used} calls were made in this minute`
            : `${used} tokens are used or reserved in this minute, and this call may use ${tokens}`
        const resetsAt = new Date(clock.now() + leftMs).toISOString()
        return fail('rate_limited', {
          retryAfterSeconds,
          message: `${limit} of this API key is ${most}: ${what}. Call again in ${retryAfterSeconds} seconds, raise the limit or use another key.`,
          data: { limit, most, used, resets_at: resetsAt },
        })
      }
    },
  }
}

/** Waiting does not help. */
function tooLarge(tokens: number, most: number) {
  return fail('bad_request', {
    message: `This call may use ${tokens} tokens, and tokens_per_minute of this API key is ${most}. Lower max_tokens, send less, raise the limit or use another key.`,
    data: { limit: 'tokens_per_minute', most, used: 0, resets_at: null },
  })
}
