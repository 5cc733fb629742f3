// One paid call, from top to bottom: resolve, validate, quote, hold, run, settle or void, respond.

import { type AccountCaller, anonymous, type Caller, ownerOf } from '#core/caller.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { fail, ofTransaction, toCallError } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Quote, quotePrice, settlePrice } from '#core/price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import { envelope, jobEnvelope } from '../envelope.ts'
import { type Executor, openTrail, timelineOf } from '../execute/execute.ts'
import type { Purchases } from '../execute/purchases.ts'
import type { Calls } from '../history/calls.ts'
import type { Retention } from '../history/retention.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { toHold } from './call-hold.ts'
import { holdRefusal } from './hold-refusal.ts'
import { createQuote, type QuoteCall } from './quote.ts'
import { createVoidCall } from './void-call.ts'

export interface CallRequest {
  readonly entry: CatalogEntry
  readonly body: unknown
  readonly caller: AccountCaller
  readonly idempotencyKey?: string | undefined
}

export interface CallResponse {
  /** The success envelope, as JSON text. */
  readonly body: string
  /** Whether this is the stored answer of an earlier call. */
  readonly replayed: boolean
}

export interface Runner {
  /** Throws `not_found`, `provider_not_configured`. */
  resolve(service: string, action: string): CatalogEntry
  /** Runs one call and charges for it, or throws a CallError and charges nothing. */
  run(request: CallRequest): Promise<CallResponse>
  /** Runs an open action for nobody in particular. Leaves no trace. */
  runOpen(request: Pick<CallRequest, 'entry' | 'body'>): Promise<CallResponse>
  /** What the call would cost and whether it would be let through. Runs nothing, holds nothing. */
  quote: QuoteCall
}

/** A call whose price is held. */
interface HeldCall {
  readonly entry: CatalogEntry
  readonly input: unknown
  readonly caller: AccountCaller
  readonly callId: string
  readonly quote: Quote
}

export function createRunner(room: {
  executor: Executor
  ledger: Ledger
  calls: Calls
  jobs: Jobs
  purchases: Purchases
  retention: Pick<Retention, 'trimFree'>
  clock: Clock
  log: Log
}): Runner {
  const { executor, ledger, calls, jobs, purchases, retention, clock } = room
  const voidCall = createVoidCall(room)

  async function run(request: CallRequest): Promise<CallResponse> {
    const { entry, caller } = request
    const { input, maxCostMicros } = executor.validate(entry, request.body)
    await executor.admit(entry, input, caller)
    const quote = quotePrice(entry.action.price, input, maxCostMicros)
    // Free calls leave no trace, unless the caller wants to be able to repeat one.
    if (entry.action.price === 'free' && request.idempotencyKey === undefined) {
      const { output } = await executor.execute(entry, input, openTrail(caller))
      return { body: envelope({ output, charged: 0 }), replayed: false }
    }

    const callId = uuidv7(clock.now())
    const hold = toHold(request, callId, quote)
    const isJob = entry.action.mode === 'job'
    if (isJob) await executor.ownJob(entry, caller, callId)
    const held = isJob ? await jobs.submit(entry, hold, input) : await ledger.hold(hold)
    if (held.outcome === 'replay') return await replay(caller, held.earlier)
    if (held.outcome === 'in_progress' && held.earlier) {
      await refuseForeign(caller, held.earlier)
      await stopIfInDoubt(held.earlier)
      return ofTransaction(held.earlier)(holdRefusal(held, quote))
    }
    if (held.outcome !== 'held') throw holdRefusal(held, quote, isJob)
    if (isJob) return { body: jobEnvelope(callId, held.available), replayed: false }
    if (entry.action.price === 'free') void retention.trimFree(caller.accountId)
    return await runHeld({ entry, input, caller, callId, quote }).catch(ofTransaction(callId))
  }

  async function runHeld({ entry, input, caller, callId, quote }: HeldCall): Promise<CallResponse> {
    const trail = openTrail(caller, callId, quote.micros)
    const { output, charged } = await executor
      .execute(entry, input, trail)
      .then((executed) => ({
        ...executed,
        charged: settlePrice(entry.action.price, quote, input, executed.data),
      }))
      .catch(async (thrown) => {
        throw await voidCall(toCallError(thrown), callId, trail)
      })
    const settled = await ledger.settle({
      callId,
      accountId: caller.accountId,
      state: 'settled',
      charged,
      cost: trail.cost,
      output,
      timeline: timelineOf(trail),
    })
    if (settled.outcome === 'gone') throw fail('upstream_error')
    return {
      body: envelope({ output, charged, available: settled.available, transactionId: callId }),
      replayed: false,
    }
  }

  /** What another key of the account is paying for is no business of a limited key. */
  async function refuseForeign(caller: AccountCaller, callId: string): Promise<void> {
    if (!caller.isLimited) return
    if ((await calls.find(ownerOf(caller), callId)) === undefined)
      throw fail('idempotency_key_reused')
  }

  /** The earlier call with this key does not run any more: it waits for the operator. */
  async function stopIfInDoubt(callId: string): Promise<void> {
    const doubt = await purchases.inDoubt(callId)
    if (doubt !== undefined) throw doubt
  }

  async function runOpen({ entry, body }: Parameters<Runner['runOpen']>[0]): Promise<CallResponse> {
    const { input } = executor.validate(entry, body)
    const { output } = await executor.execute(entry, input, openTrail(anonymous))
    return { body: envelope({ output, charged: 0 }), replayed: false }
  }

  async function replay(caller: Caller, callId: string): Promise<CallResponse> {
    const call = await calls.find(ownerOf(caller), callId)
    // A limited key is not given what another key has paid for, nor does it pay for it again.
    if (call === undefined) throw fail('idempotency_key_reused')
    if (call.job)
      return { body: jobEnvelope(callId, call.availableAfter ?? undefined), replayed: true }
    if (call.output === null) throw fail('unavailable')
    return {
      body: envelope({
        output: call.output,
        charged: call.charged,
        available: call.availableAfter ?? undefined,
        transactionId: call.id,
      }),
      replayed: true,
    }
  }

  return { resolve: executor.resolve, run, runOpen, quote: createQuote(room) }
}
