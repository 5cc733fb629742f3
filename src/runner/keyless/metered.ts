// Calls outside the catalog that a wallet pays for: the payment covers the highest possible cost, and only the actual
// cost is charged.
import { fail, ofTransaction } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { aboveCeiling } from '#core/price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Channels } from '#money/payments/channels.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Settlements } from '#money/payments/settlement.ts'
import type { RequestHeader, Verified } from '#money/rails/rail.ts'
import type { CallRules } from '../execute/call-rules.ts'
import type { Calls } from '../history/calls.ts'
import { digestRequest } from '../idempotency.ts'
import type { MeteredDelivery } from '../run/meter.ts'
import {
  type Acceptance,
  createAcceptance,
  type EarlierAnswer,
  holdMarginMs,
  isSettledFirst,
} from './acceptance.ts'
import type { Challenges } from './challenges.ts'
import { settleInTheEnd, settlementMarginMs, settlementWaitMs, storeDelivery } from './order.ts'
import type { Replayable, Replays } from './replay.ts'
import { digestBody, type PresentedPayment } from './request.ts'
import {
  type AcceptedVoucher,
  createVouchers,
  type SignedVoucher,
  type Vouchers,
} from './vouchers.ts'

export interface MeteredRequest {
  readonly path: string
  /** A few words for people. */
  readonly description: string
  /** The body as it was sent. */
  readonly bodyText: string
  readonly payment?: PresentedPayment | undefined
  readonly requestHeader?: RequestHeader | undefined
}

export interface MeteredOrder {
  readonly action: string
  /** The most that the call can cost, then smaller amounts. The first within the ceiling is paid for. */
  readonly worstMicros: AsyncIterable<Micros>
  readonly maxCostMicros: Micros | undefined
  readonly idempotencyKey: string | undefined
  readonly body: unknown
  readonly lifetimeMs: number
}

/** The meter of one request. */
export interface PaidMeter {
  /** Throws a challenge if there is no payment. */
  open(
    order: MeteredOrder,
  ): Promise<
    { callId: string; heldMicros: Micros; replay?: undefined } | { callId: string; replay: string }
  >
  /** Throws `settlement_failed` if the payment could not be settled: the answer is withheld then. */
  close(callId: string, end: MeteredDelivery): Promise<void>
  /** Headers of the answer: the receipt, once the payment is settled or a voucher accepted. */
  headers(): Readonly<Record<string, string>>
  /** Events after the last one of a streamed answer: the receipt, for wallets that read it there. */
  tail(): string
}

/** The least that can be paid. A call that costs nothing leaves the payment as it was. */
const leastMicros = 1

interface Dependencies {
  ledger: Ledger
  calls: Pick<Calls, 'find'>
  payments: Payments
  channels: Channels
  settlements: Settlements
  challenges: Challenges
  replays: Replays
  rules: CallRules
  clock: Clock
  callsAtOnceMax: number
  /** From this price on a payment is settled before the call runs. */
  settleFirstMicros: Micros
}

/** A payment that was accepted for its call. */
interface Accepted {
  readonly callId: string
  readonly accountId: string
  readonly paymentId: string
  readonly micros: Micros
  readonly expiresAtMs: number
}

export function createPaidMeters(
  dependencies: Dependencies,
): (request: MeteredRequest) => PaidMeter {
  const vouchers = createVouchers(dependencies)
  const accept = createOpening(dependencies, vouchers)
  const close = createClose(dependencies)
  return (request) => {
    let accepted: Accepted | AcceptedVoucher | undefined
    let told: Readonly<Record<string, string>> = {}
    let tail = ''
    const timer = new AbortController()
    return {
      headers: () => told,
      tail: () => tail,
      async open(order) {
        let deposited: SignedVoucher | undefined
        const onOpen = (voucher: SignedVoucher) => {
          deposited = voucher
        }
        const opened = await accept(request, { ...order, onOpen }).catch(async (refusal) => {
          // A client forgets a channel that no receipt confirms, and would deposit again.
          if (deposited !== undefined) told = (await vouchers.tell(deposited)).headers
          throw refusal
        })
        if ('answer' in opened) {
          told = opened.answer.headers
          return { callId: opened.earlier.callId, replay: opened.answer.body }
        }
        accepted = opened
        // If it fails, the end of the call settles the payment, or says that it could not.
        if (!('voucher' in opened))
          settleBeforeExpiry(dependencies, opened, timer.signal).catch(() => {})
        else told = (await vouchers.tell(opened)).headers
        return { callId: opened.callId, heldMicros: opened.micros }
      },
      async close(callId, end) {
        const ending = accepted
        accepted = undefined
        timer.abort()
        // It has ended: what failed afterwards changes nothing.
        if (ending === undefined) return
        if ('voucher' in ending) {
          await vouchers.end(ending, end).catch(ofTransaction(callId))
          // Also after a failure: the voucher counts, and without a receipt its client forgets it.
          const last = await vouchers.tell(ending)
          told = last.headers
          tail = last.event
          return
        }
        told = await close(ending, end).catch(ofTransaction(callId))
      },
    }
  }
}

/** The payment would expire before the call ends: it is settled now, and what the call does not cost is refunded. */
async function settleBeforeExpiry(
  { payments, settlements, clock }: Dependencies,
  { paymentId, expiresAtMs }: Accepted,
  ended: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(Math.max(expiresAtMs - settlementMarginMs - clock.now(), 0), ended)
  } catch {
    return
  }
  if ((await payments.owed(paymentId)) === 'owed') await settleInTheEnd(settlements, { paymentId })
}

type Opened = Accepted | AcceptedVoucher | EarlierAnswer
type Accepting = MeteredOrder & { readonly onOpen: (opened: SignedVoucher) => void }

/** Claims a payment for its call, and settles it first where it must be. */
function createClaim(dependencies: Dependencies, acceptance: Acceptance) {
  const { payments, settlements, challenges, replays, rules, clock } = dependencies

  async function claim(
    payment: Verified,
    call: Replayable,
    { idempotencyKey, lifetimeMs }: Pick<MeteredOrder, 'idempotencyKey' | 'lifetimeMs'>,
  ): Promise<Opened> {
    const callId = uuidv7(clock.now())
    const accountId = await payments.accountOf(payment.wallet)
    const { action, micros } = call.demand
    const quote = { kind: 'cap', micros } as const
    await rules.permit({ payer: 'wallet', accountId, keyId: undefined, action, quote, orders: [] })
    const claim = {
      callId,
      accountId,
      action,
      requestDigest: call.digest,
      idempotencyKey,
      lifetimeMs: lifetimeMs + holdMarginMs,
      atOnceMax: dependencies.callsAtOnceMax,
    }
    const claimed = await acceptance.claim(payment, call, claim, quote)
    if ('answer' in claimed) return claimed
    const { paymentId } = claimed
    const accepted = { callId, accountId, paymentId, micros, expiresAtMs: payment.expiresAtMs }
    const isFirst = isSettledFirst(accepted, { ...dependencies, nowMs: clock.now() })
    if (isFirst || (await payments.hasStrike(accountId))) await settleFirst(accepted, call)
    return accepted
  }

  async function settleFirst(accepted: Accepted, call: Replayable): Promise<void> {
    const { paymentId } = accepted
    await payments.owed(paymentId)
    const outcome = await settlements.settle(paymentId, settlementWaitMs)
    if (outcome === 'settled') return
    if (outcome === 'dead') throw challenges.challenge('settlement_failed', call)
    // Nothing runs for a payment that may still fail. What arrives is refunded.
    const error = 'settlement_failed'
    const message = 'The chain did not confirm the payment in time, so the call was not run.'
    await voidCall(dependencies, accepted, { error, message, timeline: { hops: [] } })
    throw replays.pending(await replays.get(paymentId))
  }

  return claim
}

function createOpening(dependencies: Dependencies, vouchers: Vouchers) {
  const { challenges } = dependencies
  const acceptance = createAcceptance(dependencies)
  const claim = createClaim(dependencies, acceptance)

  return async (request: MeteredRequest, order: Accepting): Promise<Opened> => {
    const { payment } = request
    const call = await describe(request, order)
    if (payment === undefined || payment.signIn)
      throw challenges.challenge('payment_required', call)
    const rail = challenges.railOf(payment.rail, call)
    const byVoucher = await vouchers.accept(rail, payment, call, order)
    if (byVoucher !== undefined) return byVoucher
    const examined = await acceptance.examine(rail, payment, call)
    if ('answer' in examined) return examined
    const { idempotencyKey } = examined
    return await claim(examined.payment, call, { ...order, idempotencyKey })
  }

  async function describe(request: MeteredRequest, order: MeteredOrder): Promise<Replayable> {
    const { path, description, bodyText, requestHeader } = request
    const { action, lifetimeMs, idempotencyKey, body } = order
    const micros = Math.max(leastMicros, await amountOf(order, challenges, { action, path }))
    return {
      demand: {
        action,
        path,
        description,
        micros,
        isCap: true,
        ...(await vouchers.demandOf(requestHeader, micros)),
        bodyDigest: digestBody(bodyText),
        timeoutMs: lifetimeMs,
      },
      exact: false,
      bare: true,
      requestHeader,
      digest: digestRequest(body),
      idempotencyKey,
    }
  }
}

/** A ceiling below every amount is the caller's own, so it is not a request to pay. */
async function amountOf(
  { worstMicros, maxCostMicros = Number.POSITIVE_INFINITY, lifetimeMs }: MeteredOrder,
  challenges: Challenges,
  { action, path }: { readonly action: string; readonly path: string },
): Promise<Micros> {
  let least = Number.POSITIVE_INFINITY
  for await (const micros of worstMicros) {
    if (micros <= maxCostMicros) return micros
    least = Math.min(least, micros)
  }
  const nothing = {
    action,
    path,
    description: '',
    micros: 0,
    bodyDigest: '',
    timeoutMs: lifetimeMs,
  }
  throw challenges.refusal(aboveCeiling(least, maxCostMicros, 'up to '), () => nothing)
}

/** Books the end of a call. Resolves to the headers of its receipt. */
function createClose(dependencies: Dependencies) {
  const { ledger, settlements, replays } = dependencies

  return async (accepted: Accepted, end: MeteredDelivery): Promise<Record<string, string>> => {
    const { callId, accountId, paymentId } = accepted
    if (end.failed !== undefined) {
      await voidCall(dependencies, accepted, { ...end, ...end.failed })
      return {}
    }
    const delivery = {
      charged: end.chargedMicros,
      cost: end.costMicros,
      output: end.output ?? '',
      timeline: JSON.stringify(end.timeline),
    }
    const isSettled = (await replays.get(paymentId)).state === 'settled'
    if (delivery.charged === 0 && !isSettled) {
      await ledger.settle({ callId, accountId, state: 'settled', ...delivery })
      return {}
    }
    const state = await storeDelivery(dependencies, { paymentId }, delivery)
    // The call was presumed lost and voided meanwhile: nothing was charged.
    if (state === 'released') throw fail('upstream_error')
    const outcome =
      state === 'settled' ? 'settled' : await settlements.settle(paymentId, settlementWaitMs)
    if (outcome === 'dead') throw fail('settlement_failed')
    const payment = await replays.get(paymentId)
    if (outcome === 'pending') throw replays.pending(payment)
    return { ...replays.receipt(payment) }
  }
}

async function voidCall(
  { ledger }: Dependencies,
  { callId, accountId }: Accepted,
  {
    error,
    message,
    costMicros,
    timeline,
  }: { error: string; message: string; costMicros?: Micros | undefined; timeline: object },
): Promise<void> {
  await ledger.settle({
    callId,
    accountId,
    state: 'voided',
    charged: 0,
    cost: costMicros,
    error,
    message,
    timeline: JSON.stringify(timeline),
  })
}
