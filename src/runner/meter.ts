// Calls that are paid by what they use, outside the catalog: held at their worst, charged what they came to.
import { type AccountCaller, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { centsToMicros, type Micros, usdToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { quotePrice } from '#core/price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Calls } from './calls.ts'
import { digestRequest } from './idempotency.ts'
import { holdRefusal } from './refusal.ts'

const microsPerCent = centsToMicros(1)

export function createMeter({
  ledger,
  calls,
  clock,
  relaxed,
}: {
  ledger: Ledger
  calls: Calls
  clock: Clock
  /** Whether calls go on before their holds and charges are on the disk. */
  relaxed: boolean
}) {
  return {
    async open(call: {
      caller: AccountCaller
      action: string
      worstMicros: Micros
      maxCostMicros: Micros | undefined
      idempotencyKey: string | undefined
      body: unknown
      lifetimeMs: number
    }): Promise<{ callId: string; replay?: undefined } | { callId: string; replay: string }> {
      const { caller, idempotencyKey } = call
      // A wallet pays call by call, for actions whose price it has seen.
      if (caller.kind !== 'account') throw fail('invalid_token')
      const price = { upToCents: call.worstMicros / microsPerCent, settle: () => 0 }
      const quote = quotePrice(price, undefined, call.maxCostMicros)
      const callId = uuidv7(clock.now())
      const held = await ledger.hold({
        callId,
        accountId: caller.accountId,
        keyId: caller.keyId,
        action: call.action,
        micros: quote.micros,
        idempotencyKey,
        requestDigest: idempotencyKey === undefined ? undefined : digestRequest(call.body),
        lifetimeMs: call.lifetimeMs,
        relaxed,
        onTab: relaxed && idempotencyKey === undefined && !caller.isLimited,
      })
      if (held.outcome === 'held') return { callId }
      if (held.outcome !== 'replay') throw holdRefusal(held, quote)
      const earlier = await calls.find(ownerOf(caller), held.earlier)
      // It was another key of the account that used it, and this one has limits.
      if (earlier === undefined) throw fail('idempotency_key_reused')
      if (earlier.output === null) throw fail('unavailable')
      return { callId: earlier.id, replay: earlier.output }
    },
    async close(
      callId: string,
      end: {
        caller: AccountCaller
        failed?: { error: string; message: string } | undefined
        chargedMicros: Micros
        costUsd?: number | undefined
        output?: string | undefined
        timeline: object
      },
    ): Promise<void> {
      await ledger.settle({
        callId,
        accountId: end.caller.accountId,
        state: end.failed === undefined ? 'settled' : 'voided',
        charged: end.failed === undefined ? end.chargedMicros : 0,
        cost: end.costUsd === undefined ? undefined : usdToMicros(end.costUsd),
        error: end.failed?.error,
        message: end.failed?.message,
        output: end.output,
        timeline: JSON.stringify(end.timeline),
        relaxed,
      })
    },
  }
}
