// A payment for a call: checked, claimed for this call and no other, then the call is run.

import type { WalletCaller } from '#core/caller.ts'
import { opensSession, runsAsJob } from '#core/calls/action-mode.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { ofTransaction } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Settlements } from '#money/payments/settlement.ts'
import type { Rail, Verified } from '#money/rails/rail.ts'
import { type CallRules, proposalOf } from '../execute/call-rules.ts'
import type { Executor } from '../execute/execute.ts'
import type { Calls } from '../history/calls.ts'
import { jobLifetimeMs, jobsAtOnceMax } from '../jobs/jobs.ts'
import { perAccountMax } from '../sessions/creation.ts'
import { callLifetimeMs } from '../sessions/session-money.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type Acceptance, createAcceptance, holdMarginMs, isSettledFirst } from './acceptance.ts'
import type { Challenges } from './challenges.ts'
import { type Orders, settlementWaitMs } from './order.ts'
import type { Replays } from './replay.ts'
import type { KeylessCall, PresentedPayment } from './request.ts'
import type { KeylessResponse } from './response.ts'

/** Answers a call with its payment. The same payment is answered the same way, however often it is presented. */
export type AnswerPaid = (
  rail: Rail,
  payment: PresentedPayment,
  call: KeylessCall,
) => Promise<KeylessResponse>

interface Dependencies {
  executor: Executor
  orders: Orders
  calls: Calls
  payments: Payments
  settlements: Settlements
  challenges: Challenges
  replays: Replays
  clock: Clock
  callsAtOnceMax: number
  settleFirstMicros: Micros
  sessions: Pick<Sessions, 'admit'>
  rules: CallRules
}

export function createAnswerPaid(dependencies: Dependencies): AnswerPaid {
  const acceptance = createAcceptance(dependencies)
  const run = createRun(dependencies, acceptance)
  return async (rail, presented, call) => {
    const examined = await acceptance.examine(rail, presented, call)
    if ('answer' in examined) return examined.answer
    return await run(examined.payment, call, examined.idempotencyKey)
  }
}

/** Claims a payment for its call, and runs the call. */
function createRun(dependencies: Dependencies, acceptance: Acceptance) {
  const { executor, orders, payments, settlements, challenges, replays, clock, sessions, rules } =
    dependencies

  async function claim(payment: Verified, call: KeylessCall, of: Claimant) {
    const { entry } = call.request
    if (runsAsJob(entry.action, call.input)) await executor.ownJob(entry, of.caller, of.callId)
    const claim = {
      callId: of.callId,
      accountId: of.caller.accountId,
      action: entry.id,
      requestDigest: call.digest,
      idempotencyKey: of.idempotencyKey,
      topUpAccountId: call.request.topUpAccountId,
      costless: executor.costOf(entry, call.input).costless,
      ...limitsOf(call, dependencies.callsAtOnceMax),
    }
    return await acceptance.claim(payment, call, claim, call.quote)
  }

  async function runOrder(payment: Verified, call: KeylessCall, of: Claimant, paymentId: string) {
    const { entry, topUpAccountId, listener } = call.request
    const { callId } = of
    const { accountId } = of.caller
    const { input, quote } = call
    // A job or session outlasts the request: its payment is settled first, and the gateway that sees this begins it.
    if (runsAsJob(entry.action, input) || opensSession(entry.action)) {
      await payments.owed(paymentId)
      return await settlements.settle(paymentId, settlementWaitMs)
    }
    const settleFirst =
      topUpAccountId !== undefined ||
      mustSettleFirst(entry, payment, { ...dependencies, nowMs: clock.now() }) ||
      (await payments.hasStrike(accountId))
    const payableUntilMs = payment.expiresAtMs
    return await orders
      .run(
        { entry, input, quote, callId, accountId, paymentId, payableUntilMs, listener },
        { settleFirst },
      )
      .catch(ofTransaction(callId))
  }

  return async (
    payment: Verified,
    call: KeylessCall,
    idempotencyKey: string | undefined,
  ): Promise<KeylessResponse> => {
    const callId = uuidv7(clock.now())
    const accountId = await payments.accountOf(payment.wallet)
    const caller: WalletCaller = { kind: 'wallet', accountId }
    await executor.admit(call.request.entry, call.input, caller)
    await rules.permit(proposalOf(caller, call.request.entry, call))
    if (opensSession(call.request.entry.action)) await sessions.admit(call.request.entry)
    const of: Claimant = { callId, caller, idempotencyKey }
    const claimed = await claim(payment, call, of)
    if ('answer' in claimed) return claimed.answer
    const outcome = await runOrder(payment, call, of, claimed.paymentId)
    if (outcome === 'dead') throw challenges.challenge('settlement_failed', call)
    const accepted = await replays.get(claimed.paymentId)
    // No challenge until the payment is certainly dead: a wallet that is challenged pays again.
    if (outcome === 'pending') throw replays.pending(accepted)
    return await replays.answer(accepted, false)
  }
}

/** The call and the wallet that a payment is claimed for. */
interface Claimant {
  readonly callId: string
  readonly caller: WalletCaller
  readonly idempotencyKey: string | undefined
}

/** How long the hold of a call lives, and how many calls like it one wallet may have open. */
function limitsOf({ request: { entry }, demand, input }: KeylessCall, callsAtOnceMax: number) {
  if (opensSession(entry.action))
    return {
      // Once it is paid, the session ends its call.
      lifetimeMs: callLifetimeMs,
      atOnceMax: perAccountMax(entry),
      jobInput: JSON.stringify(input),
    }
  return runsAsJob(entry.action, input)
    ? {
        lifetimeMs: jobLifetimeMs(entry),
        atOnceMax: jobsAtOnceMax(entry),
        jobInput: JSON.stringify(input),
      }
    : {
        lifetimeMs: demand.timeoutMs + holdMarginMs,
        atOnceMax: callsAtOnceMax,
        jobInput: undefined,
      }
}

/** Whether the payment is settled before the action runs: what was bought from a seller cannot be given back. */
export function mustSettleFirst(
  { action, service }: Pick<CatalogEntry, 'action' | 'service'>,
  payment: Pick<Verified, 'micros' | 'expiresAtMs'>,
  limits: { settleFirstMicros: Micros; nowMs: number },
): boolean {
  if (action.irrevocable || service.buys) return true
  return isSettledFirst(payment, limits)
}
