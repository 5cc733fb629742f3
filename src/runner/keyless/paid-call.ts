// A payment for a call: checked, claimed for this call and no other, then the call is run.

import type { WalletCaller } from '#core/caller.ts'
import { opensSession, runsAsJob } from '#core/calls/action-mode.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { fail, ofTransaction } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Payment, Payments } from '#money/payments/payments.ts'
import type { Settlements } from '#money/payments/settlement.ts'
import { PaymentRefusal, type Presented, type Rail, type Verified } from '#money/rails/rail.ts'
import { type CallRules, proposalOf } from '../execute/call-rules.ts'
import type { Executor } from '../execute/execute.ts'
import type { Calls } from '../history/calls.ts'
import { jobLifetimeMs, jobsAtOnceMax } from '../jobs/jobs.ts'
import { holdRefusal } from '../run/hold-refusal.ts'
import { perAccountMax } from '../sessions/creation.ts'
import { callLifetimeMs } from '../sessions/session-money.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Challenges } from './challenges.ts'
import { type Orders, settlementMarginMs, settlementWaitMs } from './order.ts'
import type { Replays } from './replay.ts'
import type { KeylessCall, PresentedPayment } from './request.ts'
import type { KeylessResponse } from './response.ts'

/** Answers a call with its payment. The same payment is answered the same way, however often it is presented. */
export type AnswerPaid = (
  rail: Rail,
  payment: PresentedPayment,
  call: KeylessCall,
) => Promise<KeylessResponse>

/** A hold outlives the call's own deadline by this much, so that only a lost call ever meets it. */
const holdMarginMs = 120_000

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
  const { payments, challenges, replays } = dependencies
  const accept = createAcceptance(dependencies)

  /** Undefined: the same payment was accepted meanwhile. */
  async function check(
    rail: Rail,
    presented: Presented,
    call: KeylessCall,
    { key, source }: { key: string | undefined; source: string },
  ): Promise<{ readonly payment: Verified; readonly answered?: Payment } | undefined> {
    try {
      const payment = await rail.verify(presented, call.demand, source)
      const { wallet } = payment
      const answered = key === undefined ? undefined : await replays.findByKey(wallet, key, call)
      if (answered !== undefined) return { payment, answered }
      await rail.simulate(payment)
      return { payment }
    } catch (thrown) {
      if (thrown instanceof PaymentRefusal && (await findAccepted(presented))) return undefined
      throw thrown
    }
  }

  async function findAccepted({ claimKey }: Presented): Promise<Payment | undefined> {
    const known = await payments.find(claimKey)
    return known?.state === 'released' ? undefined : known
  }

  return async (rail, { header, source }, call) => {
    const presented = await challenges.refusable(call, () => rail.parse(header))
    const known = await findAccepted(presented)
    if (known !== undefined) return await replays.present(known, presented, call)
    const key = call.idempotencyKey ?? presented.identifier
    const checked = await challenges.refusable(call, () =>
      check(rail, presented, call, { key, source }),
    )
    if (checked === undefined) {
      const meanwhile = await findAccepted(presented)
      if (meanwhile === undefined) throw fail('unavailable')
      return await replays.present(meanwhile, presented, call)
    }
    // The wallet has paid before and lost the answer. This payment is not taken.
    if (checked.answered !== undefined) return await replays.rejoin(checked.answered, call)
    return await accept(checked.payment, call, key)
  }
}

/** Claims a payment for its call: from here on no other call accepts it. Then runs the call. */
function createAcceptance(dependencies: Dependencies) {
  const {
    executor,
    orders,
    calls,
    payments,
    settlements,
    challenges,
    replays,
    clock,
    sessions,
    rules,
  } = dependencies

  async function claim(payment: Verified, call: KeylessCall, of: Claimant) {
    const { entry } = call.request
    if (runsAsJob(entry.action, call.input)) await executor.ownJob(entry, of.caller, of.callId)
    return await payments.claim(payment, {
      callId: of.callId,
      accountId: of.caller.accountId,
      action: entry.id,
      requestDigest: call.digest,
      idempotencyKey: of.idempotencyKey,
      topUpAccountId: call.request.topUpAccountId,
      costless: executor.costOf(entry, call.input).costless,
      ...limitsOf(call, dependencies.callsAtOnceMax),
    })
  }

  async function runOrder(payment: Verified, call: KeylessCall, of: Claimant, paymentId: string) {
    const { entry, topUpAccountId } = call.request
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
      .run({ entry, input, quote, callId, accountId, paymentId, payableUntilMs }, { settleFirst })
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
    if (claimed.outcome === 'joined' || claimed.outcome === 'used')
      return await replays.present(await replays.get(claimed.paymentId), payment, call)
    if (claimed.outcome === 'replay') {
      const { paymentId } = (await calls.find({ accountId }, claimed.callId)) ?? {}
      return await replays.rejoin(await replays.get(paymentId ?? ''), call)
    }
    if (claimed.outcome !== 'claimed')
      throw holdRefusal({ outcome: claimed.outcome, available: null }, call.quote)
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
  { micros, expiresAtMs }: Pick<Verified, 'micros' | 'expiresAtMs'>,
  { settleFirstMicros, nowMs }: { settleFirstMicros: Micros; nowMs: number },
): boolean {
  if (action.irrevocable || service.buys) return true
  return micros >= settleFirstMicros || expiresAtMs - nowMs < settlementMarginMs
}
