// A call that fills nothing is free for its caller, and costs the operator the tokens of the model. So each caller has
// a few of them an hour. Looking for the words of the schema in the pages first would save more, but would refuse a
// schema in another language than its pages.
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'

export interface UnfilledCalls {
  /** Throws CallError `rate_limited` for a caller without any left. */
  admit(caller: string): void
  note(caller: string): void
}

const callsMax = 20
const windowMs = 3_600_000
/** The oldest is forgotten first. */
const callersMax = 10_000

/** Of this gateway process. */
export function createUnfilledCalls({ clock }: { readonly clock: Clock }): UnfilledCalls {
  const times = new Map<string, readonly number[]>()
  const recentOf = (caller: string) =>
    (times.get(caller) ?? []).filter((time) => time > clock.now() - windowMs)
  return {
    admit(caller) {
      const [oldest, ...others] = recentOf(caller)
      if (oldest === undefined || others.length + 1 < callsMax) return
      throw fail('rate_limited', {
        message: `${callsMax} of your calls within an hour found none of what they asked for. Ask for fields that the pages state, or wait as long as Retry-After says. Nothing was charged.`,
        retryAfterSeconds: Math.ceil((oldest + windowMs - clock.now()) / 1_000),
      })
    },
    note(caller) {
      const recent = [...recentOf(caller), clock.now()]
      times.delete(caller)
      times.set(caller, recent)
      const [first] = times.keys()
      if (times.size > callersMax && first !== undefined) times.delete(first)
    },
  }
}
