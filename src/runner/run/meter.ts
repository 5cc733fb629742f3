// Calls that are paid by what they use, outside the catalog: held at their worst, charged what they came to.
import { type AccountCaller, ownerOf } from '#core/caller.ts'
import { type CallError, fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { type Micros, usdToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { aboveCeiling, type Quote } from '#core/price.ts'
import type { HoldOutcome } from '#money/ledger/group-commit.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Calls } from '../history/calls.ts'
import { digestRequest } from '../idempotency.ts'
import { holdRefusal } from './hold-refusal.ts'

/** What a smaller amount may not be refused for. */
const dependsOnAmount: ReadonlySet<HoldOutcome['outcome']> = new Set([
  'insufficient',
  'key_limit',
  'inference_cap',
  'inference_busy',
])

interface MeteredCall {
  readonly caller: AccountCaller
  readonly action: string
  /** What it may cost at the most: what is held, or the first of the smaller amounts that is not refused. */
  readonly worstMicros: AsyncIterable<Micros>
  readonly maxCostMicros: Micros | undefined
  readonly idempotencyKey: string | undefined
  readonly body: unknown
  readonly lifetimeMs: number
}

type OpenedCall =
  | { callId: string; heldMicros: Micros; replay?: undefined }
  | { callId: string; replay: string }

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
  async function replay(caller: AccountCaller, callId: string): Promise<OpenedCall> {
    const earlier = await calls.find(ownerOf(caller), callId)
    // It was another key of the account that used it, and this one has limits.
    if (earlier === undefined) throw fail('idempotency_key_reused')
    if (earlier.output === null) throw fail('unavailable')
    return { callId: earlier.id, replay: earlier.output }
  }

  return {
    async open(call: MeteredCall): Promise<OpenedCall> {
      const { caller, idempotencyKey } = call
      // A wallet pays call by call, for actions whose price it has seen.
      if (caller.kind !== 'account') throw fail('invalid_token')
      const callId = uuidv7(clock.now())
      let refusal: CallError = fail('insufficient_balance')
      let available = Number.POSITIVE_INFINITY
      for await (const micros of call.worstMicros) {
        const quote: Quote = { kind: 'cap', micros }
        if (micros > (call.maxCostMicros ?? micros)) {
          refusal = aboveCeiling(micros, call.maxCostMicros ?? 0, 'up to ')
          continue
        }
        if (micros > available) {
          refusal = holdRefusal({ outcome: 'insufficient', available }, quote)
          continue
        }
        const held = await ledger.hold({
          callId,
          accountId: caller.accountId,
          keyId: caller.keyId,
          ...{ action: call.action, inference: true, micros },
          idempotencyKey,
          requestDigest: idempotencyKey === undefined ? undefined : digestRequest(call.body),
          lifetimeMs: call.lifetimeMs,
          relaxed,
          onTab: relaxed && (!caller.isLimited || caller.limits !== undefined),
          limits: caller.limits,
        })
        if (held.outcome === 'held') return { callId, heldMicros: micros }
        if (held.outcome === 'replay') return await replay(caller, held.earlier)
        refusal = holdRefusal(held, quote)
        if (!dependsOnAmount.has(held.outcome)) throw refusal
        if (held.outcome === 'insufficient') available = held.available ?? 0
      }
      throw refusal
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
