import type { Clock } from '#core/ports.ts'

/** A machine that could not confine programs is asked again after this time. */
const failureMemoryMs = 60_000

/** Remembers what a machine lacks: for good when it lacks nothing. `probe` answers with a sentence for the operator. */
export function rememberProbe(probe: () => Promise<string | undefined>, clock: Clock) {
  let probed: { readonly reason: Promise<string | undefined>; readonly at: number } | undefined
  return async function missing(): Promise<string | undefined> {
    probed ??= { reason: probe(), at: clock.now() }
    const known = probed
    const reason = await known.reason
    if (reason === undefined || clock.now() - known.at < failureMemoryMs) return reason
    if (probed === known) probed = undefined
    return missing()
  }
}
