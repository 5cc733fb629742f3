// Calls outside the catalog that are charged by usage: the hold is the highest possible cost, the charge the actual
// cost.
import { type AccountCaller, ownerOf } from '#core/caller.ts'
import type { ProposedCall } from '#core/calls/call-hooks.ts'
import { type CallError, fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { aboveCeiling } from '#core/price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { HoldOutcome } from '#money/ledger/operations.ts'
import { type CallRules, refusalOfRules } from '../execute/call-rules.ts'
import type { Calls } from '../history/calls.ts'
import { digestRequest } from '../idempotency.ts'
import { holdRefusal } from './hold-refusal.ts'

/** Refusals that a smaller amount may avoid. */
const dependsOnAmount: ReadonlySet<HoldOutcome['outcome']> = new Set([
  'insufficient',
  'key_limit',
  'inference_cap',
  'inference_busy',
])

interface MeteredCall {
  readonly caller: AccountCaller
  readonly action: string
  /** The most that the call can cost, then smaller amounts. The first that is not refused is held. */
  readonly worstMicros: AsyncIterable<Micros>
  readonly maxCostMicros: Micros | undefined
  readonly idempotencyKey: string | undefined
  readonly body: unknown
  readonly lifetimeMs: number
}

type OpenedCall =
  | { callId: string; heldMicros: Micros; replay?: undefined }
  | { callId: string; replay: string }

interface Dependencies {
  ledger: Ledger
  calls: Calls
  rules: CallRules
  clock: Clock
  /** Whether calls may run on spend leases, so that they go on before their charges are on the disk. */
  mayUseLeases: boolean
}

interface MeteredEnd {
  readonly caller: AccountCaller
  readonly failed?: { error: string; message: string } | undefined
  readonly chargedMicros: Micros
  readonly costMicros?: Micros | undefined
  readonly output?: string | undefined
  readonly timeline: object
}

export function createMeter(dependencies: Dependencies) {
  const { ledger, calls, rules, clock, mayUseLeases } = dependencies

  /** The call that this one repeats. */
  async function findEarlier(call: MeteredCall, callId: string): Promise<string | undefined> {
    if (call.idempotencyKey === undefined) return undefined
    const hold = holdOf(call, { callId, micros: 0, mayUseLeases: false })
    const held = await ledger.rehearse(hold)
    return held.outcome === 'replay' ? held.earlier : undefined
  }

  async function replay(caller: AccountCaller, callId: string): Promise<OpenedCall> {
    const earlier = await calls.find(ownerOf(caller), callId)
    // Another key of the account used the idempotency key, and this key is limited.
    if (earlier === undefined) throw fail('idempotency_key_reused')
    if (earlier.output === null) throw fail('unavailable')
    return { callId: earlier.id, replay: earlier.output }
  }

  return {
    async open(call: MeteredCall): Promise<OpenedCall> {
      const callId = uuidv7(clock.now())
      let refusal: CallError = fail('insufficient_balance')
      let available = Number.POSITIVE_INFINITY
      for await (const micros of call.worstMicros) {
        const tooMuch =
          refusalBeforeHold(micros, { ...call, available }) ??
          (await refusalOfRules(rules, proposalOf(call, micros)))
        if (tooMuch !== undefined) {
          refusal = tooMuch
          continue
        }
        const held = await ledger.hold(holdOf(call, { callId, micros, mayUseLeases }))
        if (held.outcome === 'held') return { callId, heldMicros: micros }
        if (held.outcome === 'replay') return await replay(call.caller, held.earlier)
        refusal = holdRefusal(held, { kind: 'cap', micros })
        if (!dependsOnAmount.has(held.outcome)) throw refusal
        if (held.outcome === 'insufficient') available = held.available ?? 0
      }
      // No hold has looked at the idempotency key, and a call that was paid for is not refused its answer.
      const earlier = await findEarlier(call, callId)
      if (earlier === undefined) throw refusal
      return await replay(call.caller, earlier)
    },
    async close(callId: string, end: MeteredEnd): Promise<void> {
      await ledger.settle({
        callId,
        accountId: end.caller.accountId,
        state: end.failed === undefined ? 'settled' : 'voided',
        charged: end.failed === undefined ? end.chargedMicros : 0,
        cost: end.costMicros,
        error: end.failed?.error,
        message: end.failed?.message,
        output: end.output,
        timeline: JSON.stringify(end.timeline),
      })
    },
  }
}

/** The refusal of an amount that the ledger would certainly refuse. */
function refusalBeforeHold(
  micros: Micros,
  { maxCostMicros, available }: Pick<MeteredCall, 'maxCostMicros'> & { available: Micros },
): CallError | undefined {
  if (maxCostMicros !== undefined && micros > maxCostMicros)
    return aboveCeiling(micros, maxCostMicros, 'up to ')
  return micros > available
    ? holdRefusal({ outcome: 'insufficient', available }, { kind: 'cap', micros })
    : undefined
}

const proposalOf = ({ caller, action }: MeteredCall, micros: Micros): ProposedCall => ({
  payer: 'account',
  accountId: caller.accountId,
  keyId: caller.keyId,
  action,
  quote: { kind: 'cap', micros },
  orders: [],
})

function holdOf(
  { caller, action, idempotencyKey, body, lifetimeMs }: MeteredCall,
  { callId, micros, mayUseLeases }: { callId: string; micros: Micros; mayUseLeases: boolean },
) {
  return {
    callId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    action,
    inference: true,
    micros,
    idempotencyKey,
    requestDigest: idempotencyKey === undefined ? undefined : digestRequest(body),
    lifetimeMs,
    mayUseLease: mayUseLeases && (!caller.isLimited || caller.limits !== undefined),
    limits: caller.limits,
  }
}
