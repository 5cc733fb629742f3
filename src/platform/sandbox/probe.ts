import type { Clock } from '#core/ports.ts'

/** A machine that could not confine programs is asked again after this time. */
const failureMemoryMs = 60_000

/** What this machine has proved to this process, which may open several gateways. */
const proved = new Set<string | symbol>()

/**
 * Remembers what a machine lacks: for good, and for the whole process, when it lacks nothing. `probe` answers with a
 * sentence for the operator. `what`: the name of what is probed, with all that decides whether it works; undefined:
 * only the caller has it.
 */
export function rememberProbe(
  what: string | undefined,
  { probe, clock }: { readonly probe: () => Promise<string | undefined>; readonly clock: Clock },
) {
  const name = what ?? Symbol('probed')
  let probed: { readonly reason: Promise<string | undefined>; readonly at: number } | undefined
  return async function missing(): Promise<string | undefined> {
    if (proved.has(name)) return undefined
    probed ??= { reason: probe(), at: clock.now() }
    const known = probed
    const reason = await known.reason
    if (reason === undefined) proved.add(name)
    if (reason === undefined || clock.now() - known.at < failureMemoryMs) return reason
    if (probed === known) probed = undefined
    return missing()
  }
}
