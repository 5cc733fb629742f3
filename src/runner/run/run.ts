// One call of an account, from top to bottom: validate, quote, hold, run, settle or void, answer.

import { type AccountCaller, anonymous } from '#core/caller.ts'
import { runsAsJob } from '#core/calls/action-mode.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { fail, ofTransaction, toCallError } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Quote, quotePrice, settlePrice } from '#core/price.ts'
import { unitsOf } from '#core/pricing/units.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import { envelope, jobEnvelope, sessionEnvelope } from '../envelope.ts'
import { type CallRules, proposalOf } from '../execute/call-rules.ts'
import type { Executor } from '../execute/execute.ts'
import type { Purchases } from '../execute/purchases.ts'
import { costOf, openTrail, timelineOf } from '../execute/trail.ts'
import type { Calls } from '../history/calls.ts'
import type { Retention } from '../history/retention.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { CallRequest, CallResponse } from './call.ts'
import { toHold } from './call-hold.ts'
import { createDayCalls, type Offered } from './day-calls.ts'
import { createEarlierCalls } from './earlier-call.ts'
import type { RunFree } from './free-call.ts'
import { holdRefusal } from './hold-refusal.ts'
import type { KeyRates } from './key-rates.ts'
import { createQuote, type QuoteCall } from './quote.ts'
import { createVoidCall } from './void-call.ts'

export interface AccountRunner {
  /** Runs one call and charges for it, or throws a CallError and charges nothing. */
  run(request: CallRequest): Promise<CallResponse>
  /** Runs an open action without an account and without a trace. Resolves to the success envelope. */
  runOpen(request: Pick<CallRequest, 'entry' | 'body'>): Promise<string>
  /** The price of the call, and whether the call would be accepted. Runs nothing, holds nothing. */
  quote: QuoteCall
}

/** A call whose price is held. */
interface HeldCall {
  readonly entry: CatalogEntry
  readonly input: unknown
  readonly caller: AccountCaller
  readonly callId: string
  readonly quote: Quote
  readonly listener: CallRequest['listener']
}

export function createAccountRunner(dependencies: {
  executor: Executor
  ledger: Ledger
  calls: Calls
  jobs: Jobs
  sessions: Pick<Sessions, 'submit' | 'open'>
  purchases: Purchases
  retention: Pick<Retention, 'trimFree'>
  runFree: RunFree
  rules: CallRules
  keyRates: KeyRates
  clock: Clock
  log: Log
}): AccountRunner {
  const { executor, ledger, jobs, sessions, retention, runFree, clock } = dependencies
  const earlierCalls = createEarlierCalls(dependencies)
  const runHeld = createHeldRun(dependencies)
  const { check, findEarlier } = createChecks(dependencies)

  async function run(request: CallRequest, mayBeFree = true): Promise<CallResponse> {
    const { caller, listener } = request
    const isSession = request.entry.action.mode === 'session'
    let checked: Awaited<ReturnType<typeof check>>
    try {
      checked = await check(request, mayBeFree)
    } catch (refusal) {
      // Since the first answer, what the call read may be gone, and the price may have risen above the ceiling.
      const earlier = await findEarlier(request)
      if (earlier === undefined) throw refusal
      return await earlierCalls.replay(earlier, caller, isSession)
    }
    const { entry, input, maxCostMicros, quote, freePerDay } = checked
    const callId = uuidv7(clock.now())
    const hold = toHold(request, callId, { quote, freePerDay, ...executor.costOf(entry, input) })
    const isFree = entry.action.price === 'free'
    // A free call leaves no trace unless it has an idempotency key.
    if (isFree && request.idempotencyKey === undefined) {
      const output = await runFree(entry, input, caller, listener)
      return { body: envelope({ output, charged: 0 }), replayed: false }
    }

    const isJob = runsAsJob(entry.action, input)
    if (isJob) await executor.ownJob(entry, caller, callId)
    const take = () => {
      if (isSession) return sessions.submit(entry, hold, maxCostMicros)
      return isJob ? jobs.submit(entry, hold, input) : ledger.hold(hold)
    }
    const held = await take()
    if (held.outcome === 'free_calls_used') return await run(request, false)
    if (held.outcome === 'replay') return await earlierCalls.replay(held.earlier, caller, isSession)
    if (held.outcome === 'in_progress' && held.earlier) {
      await earlierCalls.refuseWhileRunning(held.earlier, caller)
      return ofTransaction(held.earlier)(holdRefusal(held, quote))
    }
    if (held.outcome !== 'held') throw holdRefusal(held, quote, isJob)
    if (isJob) return { body: jobEnvelope(callId, held.available), replayed: false }
    if (isSession) {
      await sessions.open(entry, callId, input).catch(ofTransaction(callId))
      return { body: sessionEnvelope(callId, held.available), replayed: false }
    }
    if (isFree) void retention.trimFree(caller.accountId)
    return await runHeld({ entry, input, caller, callId, quote, listener }).catch(
      ofTransaction(callId),
    )
  }

  async function runOpen({ entry, body }: Pick<CallRequest, 'entry' | 'body'>): Promise<string> {
    const { input } = executor.validate(entry, body)
    const { output } = await executor.execute(entry, input, openTrail(anonymous))
    return envelope({ output, charged: 0 })
  }

  return {
    async run(request) {
      await dependencies.keyRates.begin(request.caller)
      return await run(request)
    },
    runOpen,
    quote: createQuote(dependencies),
  }
}

/** What is decided about a call before its price is held. */
function createChecks({
  executor,
  ledger,
  rules,
  clock,
}: {
  executor: Executor
  ledger: Ledger
  rules: CallRules
  clock: Clock
}) {
  const offerDayCall = createDayCalls(ledger)
  return {
    async check(request: CallRequest, mayBeFree: boolean) {
      const { body, caller } = request
      const { input, maxCostMicros } = executor.validate(request.entry, body)
      const offered: Offered = mayBeFree
        ? await offerDayCall(request.entry, input, caller)
        : { entry: request.entry }
      const { entry } = offered
      const quote = quotePrice(entry.action.price, input, maxCostMicros)
      await executor.admit(entry, input, caller)
      await rules.permit(proposalOf(caller, entry, { input, quote }))
      return { ...offered, input, maxCostMicros, quote }
    },
    /** The id of the earlier call with the same idempotency key and body. */
    async findEarlier(request: CallRequest): Promise<string | undefined> {
      if (request.idempotencyKey === undefined) return undefined
      const quote = { kind: 'exact', micros: 0 } as const
      const cost = { inference: false, costless: true }
      const hold = toHold(request, uuidv7(clock.now()), { quote, ...cost })
      const held = await ledger.rehearse(hold)
      return held.outcome === 'replay' ? held.earlier : undefined
    },
  }
}

/** Runs a call whose price is held, then settles it; a call that fails is voided. */
function createHeldRun(dependencies: {
  executor: Executor
  ledger: Ledger
  purchases: Purchases
  log: Log
}) {
  const { executor, ledger } = dependencies
  const voidCall = createVoidCall(dependencies)

  return async ({
    entry,
    input,
    caller,
    callId,
    quote,
    listener,
  }: HeldCall): Promise<CallResponse> => {
    const trail = openTrail(caller, callId, quote.micros, input)
    const { output, charged } = await executor
      .execute(entry, input, trail, { listener })
      .then(({ output, data }) => {
        trail.units = unitsOf(entry.action.price, input, data)
        return { output, charged: settlePrice(entry.action.price, quote, input, data) }
      })
      .catch(async (thrown) => {
        throw await voidCall(toCallError(thrown), callId, trail)
      })
    const settled = await ledger.settle({
      callId,
      accountId: caller.accountId,
      state: 'settled',
      charged,
      cost: costOf(trail, charged),
      output,
      timeline: timelineOf(trail),
    })
    if (settled.outcome === 'gone') throw fail('upstream_error')
    const { available } = settled
    return {
      body: envelope({ output, charged, available, transactionId: callId }),
      replayed: false,
    }
  }
}
