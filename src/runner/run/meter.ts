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
import type { Hold, HoldOutcome } from '#money/ledger/operations.ts'
import { type CallRules, refusalOfRules } from '../execute/call-rules.ts'
import type { Calls } from '../history/calls.ts'
import { digestRequest } from '../idempotency.ts'
import { holdRefusal } from './hold-refusal.ts'
import type { KeyRates } from './key-rates.ts'

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
  /** Tokens that the call may use, for the limit of its key. */
  readonly tokens?: number | undefined
  /** Its row is in the database before it runs. */
  readonly needsRow?: boolean
  /** Present: the call is a job with this input, queued with its hold. */
  readonly job?: unknown
}

type OpenedCall =
  | { callId: string; heldMicros: Micros; replay?: undefined }
  | { callId: string; replay: string }

interface Dependencies {
  ledger: Ledger
  calls: Calls
  rules: CallRules
  keyRates: KeyRates
  clock: Clock
  /** Whether calls may run on spend leases, so that they go on before their charges are on the disk. */
  mayUseLeases: boolean
  /** Holds the price of a job and queues it, both or neither. */
  submitJob: (hold: Hold, input: unknown) => Promise<HoldOutcome>
}

/** How a call has ended. */
export interface MeteredDelivery {
  readonly failed?: { error: string; message: string } | undefined
  readonly chargedMicros: Micros
  readonly costMicros?: Micros | undefined
  readonly output?: string | undefined
  readonly timeline: object
}

interface MeteredEnd extends MeteredDelivery {
  readonly caller: AccountCaller
  /** Tokens that the call has used. */
  readonly tokens?: number | undefined
}

export function createMeter(dependencies: Dependencies) {
  const { ledger, calls, rules, keyRates, clock, mayUseLeases, submitJob } = dependencies
  /** How the reservations of tokens end, by call. */
  const reserved = new Map<string, (usedTokens: number) => Promise<void>>()
  const take = (call: MeteredCall, callId: string, micros: Micros) =>
    call.job === undefined
      ? ledger.hold(holdOf(call, { callId, micros, mayUseLeases: mayUseLeases && !call.needsRow }))
      : submitJob(holdOf(call, { callId, micros, mayUseLeases: false }), call.job)

  /** The call that this one repeats. */
  async function findEarlier(call: MeteredCall, callId: string): Promise<string | undefined> {
    if (call.idempotencyKey === undefined) return undefined
    const hold = holdOf(call, { callId, micros: 0, mayUseLeases: false })
    const held = await ledger.rehearse(hold)
    return held.outcome === 'replay' ? held.earlier : undefined
  }

  async function replay({ caller, job }: MeteredCall, callId: string): Promise<OpenedCall> {
    const earlier = await calls.find(ownerOf(caller), callId)
    // Another key of the account used the idempotency key, and this key is limited.
    if (earlier === undefined) throw fail('idempotency_key_reused')
    // A job may still be under way. Its caller asks for it by its id.
    if (earlier.output === null && job === undefined) throw fail('unavailable')
    return { callId: earlier.id, replay: earlier.output ?? '' }
  }

  async function hold(call: MeteredCall, callId: string): Promise<OpenedCall> {
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
      const held = await take(call, callId, micros)
      if (held.outcome === 'held') return { callId, heldMicros: micros }
      if (held.outcome === 'replay') return await replay(call, held.earlier)
      refusal = holdRefusal(held, { kind: 'cap', micros })
      if (!dependsOnAmount.has(held.outcome)) throw refusal
      if (held.outcome === 'insufficient') available = held.available ?? 0
    }
    // No hold has looked at the idempotency key, and a call that was paid for is not refused its answer.
    const earlier = await findEarlier(call, callId)
    if (earlier === undefined) throw refusal
    return await replay(call, earlier)
  }

  return {
    async open(call: MeteredCall): Promise<OpenedCall> {
      const callId = uuidv7(clock.now())
      const count = await keyRates.begin(call.caller, call.tokens)
      try {
        const opened = await hold(call, callId)
        if (opened.replay !== undefined) await count(0)
        // Another gateway may end a job, so its reservation stands.
        else if (call.job !== undefined) await count(call.tokens ?? 0)
        else reserved.set(callId, count)
        return opened
      } catch (refusal) {
        await count(0)
        throw refusal
      }
    },
    async close(callId: string, end: MeteredEnd): Promise<void> {
      // The charge does not wait for it.
      void reserved.get(callId)?.(end.tokens ?? 0)
      reserved.delete(callId)
      const { outcome } = await ledger.settle({
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
      // It was voided meanwhile: this gateway was taken for dead. Nothing is charged, so no answer may tell a cost, and
      // its idempotency key is free, and must not have two answers.
      if (outcome === 'gone' && end.failed === undefined) throw fail('upstream_error')
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
