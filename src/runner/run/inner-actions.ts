// Actions that run inside a paid call which is not of the catalog. Nothing is held or charged for them: the call
// charges what they cost.
import type { Keys } from '#accounts/keys/keys.ts'
import type { Hop } from '#core/action.ts'
import type { AccountCaller } from '#core/caller.ts'
import { type Catalog, entryFor, splitId } from '#core/catalog.ts'
import { type CallError, toCallError } from '#core/errors.ts'
import { type Micros, microsToCents } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { quotePrice, settlePrice } from '#core/price.ts'
import type { Executor } from '../execute/execute.ts'
import { costOf, openTrail } from '../execute/trail.ts'

interface InnerCall {
  readonly caller: AccountCaller
  readonly callId: string
  readonly action: string
  readonly input: object
  readonly signal: AbortSignal
}

export function createInnerActions({
  executor,
  catalog,
  keys,
  clock,
}: {
  readonly executor: Executor
  readonly catalog: Catalog
  readonly keys: Pick<Keys, 'findForbidden'>
  readonly clock: Clock
}) {
  return {
    async quote(caller: AccountCaller, action: string, input: object): Promise<Micros | undefined> {
      const { isLimited, keyId } = caller
      if (isLimited && (await keys.findForbidden(keyId, [action])) !== undefined) return undefined
      try {
        const entry = entryFor(catalog, executor.resolve(...splitId(action)), caller)
        const call = executor.validate(entry, input)
        return quotePrice(entry.action.price, call.input).micros
      } catch {
        return undefined
      }
    },
    async run({ caller, callId, action: id, input: body, signal }: InnerCall) {
      const startedAt = clock.now()
      const [provider, action] = splitId(id)
      const hopOf = (ok: boolean, charged: Micros): Hop => ({
        provider,
        action,
        ok,
        charged_cents: microsToCents(charged, 'up'),
        latency_ms: clock.now() - startedAt,
      })
      const trail = openTrail(caller, callId)
      try {
        const entry = entryFor(catalog, executor.resolve(provider, action), caller)
        const { input } = executor.validate(entry, body)
        await executor.admit(entry, input, caller)
        const quote = quotePrice(entry.action.price, input)
        Object.assign(trail, { held: quote.micros })
        const { data } = await executor.execute(entry, input, trail, { signal })
        const chargedMicros = settlePrice(entry.action.price, quote, input, data)
        const hops = [...trail.hops, hopOf(true, chargedMicros)]
        return { data, chargedMicros, costMicros: costOf(trail, chargedMicros), hops }
      } catch (thrown) {
        const error: CallError = toCallError(thrown)
        const hops = [...trail.hops, hopOf(false, 0)]
        return { data: undefined, error, chargedMicros: 0, costMicros: costOf(trail, 0), hops }
      }
    },
  }
}
