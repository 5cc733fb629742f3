// One order of a wallet whose payment was accepted. The action runs, and its payment is settled once there is an answer
// to pay for, or before the payment expires. An outcome is reported only when the chain is certain about it.
import type { CallListener } from '#core/calls/call-listener.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Quote, settlePrice } from '#core/price.ts'
import { unitsOf } from '#core/pricing/units.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Delivery, Payments, RefundState } from '#money/payments/payments.ts'
import type { SettlementOutcome, Settlements } from '#money/payments/settlement.ts'
import { describeRefund } from '../envelope.ts'
import type { Executor } from '../execute/execute.ts'
import type { Purchases } from '../execute/purchases.ts'
import { costOf, isInDoubt, openTrail, timelineOf } from '../execute/trail.ts'
import { createVoidCall } from '../run/void-call.ts'

export interface Order {
  readonly entry: CatalogEntry
  readonly input: unknown
  readonly quote: Quote
  readonly callId: string
  readonly accountId: string
  readonly paymentId: string
  readonly listener?: CallListener | undefined
  /** Chain time after which the payment cannot be settled. */
  readonly payableUntilMs: number
}

export interface Orders {
  /**
   * Runs the order to its end, and stores the answer. Resolves to the outcome of its payment: `free` when the answer
   * cost nothing and the payment can be used again. Throws what the action throws, which is then not charged.
   */
  run(order: Order, options: { settleFirst: boolean }): Promise<SettlementOutcome | 'free'>
}

/** A payment that expires before its call ends is settled this long before it expires. */
export const settlementMarginMs = 8_000
/** How long a request waits for the chain before the caller is told to come back. */
export const settlementWaitMs = 10_000

const storeTriesMax = 30
const storeRetryIntervalMs = 1_000

interface Dependencies {
  executor: Executor
  ledger: Ledger
  payments: Payments
  settlements: Settlements
  purchases: Purchases
  clock: Clock
  log: Log
}

export function createOrders(dependencies: Dependencies): Orders {
  const { ledger, payments, settlements, clock, log } = dependencies
  const work = createWork(dependencies)

  async function settleThenRun(order: Order): Promise<SettlementOutcome> {
    await payments.owed(order.paymentId)
    const outcome = await settlements.settle(order.paymentId, settlementWaitMs)
    if (outcome === 'settled') return await deliver(order, work(order))
    if (outcome === 'dead') return outcome
    // The caller is told to come back. The order goes on until the outcome is known.
    void finishLater(order)
    return 'pending'
  }

  async function finishLater(order: Order) {
    try {
      if ((await settleInTheEnd(settlements, order)) === 'settled')
        await deliver(order, work(order))
    } catch (error) {
      log.warn({ err: error, callId: order.callId }, 'A call that was paid in advance failed.')
    }
  }

  async function runThenSettle(order: Order): Promise<SettlementOutcome | 'free'> {
    const working = work(order)
    if (!(await endsBefore(clock, working, order.payableUntilMs - settlementMarginMs))) {
      // The payment would expire before the work ends: it is settled now, and refunded if the work fails.
      await settleNow(dependencies, order)
      return await deliver(order, working)
    }
    const delivery = await working
    if (delivery.charged > 0) return await deliver(order, working)
    const { callId, accountId } = order
    await ledger.settle({ callId, accountId, state: 'settled', ...delivery })
    return 'free'
  }

  async function deliver(order: Order, working: Promise<Delivery>): Promise<SettlementOutcome> {
    const state = await storeDelivery(dependencies, order, await working)
    if (state === 'settled') return 'settled'
    // The call was presumed lost and voided meanwhile: nothing was charged.
    if (state === 'released') throw fail('upstream_error')
    return await settlements.settle(order.paymentId, settlementWaitMs)
  }

  return {
    run: (order, { settleFirst }) => (settleFirst ? settleThenRun(order) : runThenSettle(order)),
  }
}

/** Runs the action. A failure voids the call and ends its provisional credit; a settled payment is refunded. */
function createWork(dependencies: Dependencies) {
  const { executor, payments } = dependencies
  const voidCall = createVoidCall(dependencies)

  return async (order: Order): Promise<Delivery> => {
    const { entry, input, quote, callId, accountId, listener } = order
    const trail = openTrail({ kind: 'wallet', accountId }, callId, quote.micros, input)
    try {
      const { data, output } = await executor.execute(entry, input, trail, { listener })
      const charged = settlePrice(entry.action.price, quote, input, data)
      trail.units = unitsOf(entry.action.price, input, data)
      return { charged, cost: costOf(trail, charged), output, timeline: timelineOf(trail) }
    } catch (thrown) {
      const error = await voidCall(toCallError(thrown), callId, trail)
      // The hold waits for the operator, who may charge it: provisional credit would have expired by then.
      if (isInDoubt(trail)) await settleNow(dependencies, order)
      throw withRefund(error, callId, await payments.refundOf(callId))
    }
  }
}

export async function settleInTheEnd(
  settlements: Settlements,
  { paymentId }: Pick<Order, 'paymentId'>,
): Promise<SettlementOutcome> {
  for (;;) {
    const outcome = await settlements.settle(paymentId, settlementWaitMs)
    if (outcome !== 'pending' || settlements.closed) return outcome
  }
}

/** Starts to settle the payment of a call that goes on, unless that is under way already. */
async function settleNow({ payments, settlements }: Dependencies, order: Order) {
  if ((await payments.owed(order.paymentId)) === 'owed') void settleInTheEnd(settlements, order)
}

async function endsBefore(clock: Clock, working: Promise<unknown>, timeMs: number) {
  const ended = new AbortController()
  const done = working.then(
    () => true,
    () => true,
  )
  const late = clock.sleep(Math.max(timeMs - clock.now(), 0), ended.signal).then(
    () => false,
    () => false,
  )
  return await Promise.race([done, late]).finally(() => ended.abort())
}

/** Stores the answer: it may be paid for, or bought from a seller. */
export const storeDelivery = (
  { payments, clock }: Pick<Dependencies, 'payments' | 'clock'>,
  { paymentId }: Pick<Order, 'paymentId'>,
  delivery: Delivery,
) => untilStored(clock, () => payments.owed(paymentId, delivery))

/** Again and again while the database is away. */
export async function untilStored<Stored>(
  clock: Clock,
  store: () => Promise<Stored>,
): Promise<Stored> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store()
    } catch (error) {
      if (toCallError(error).code !== 'unavailable' || tries === storeTriesMax) throw error
      await clock.sleep(storeRetryIntervalMs)
    }
  }
}

/** The same failure, with the refund of the payment that was settled before it. */
export function withRefund(
  error: CallError,
  callId: string,
  refund: RefundState | undefined,
): CallError {
  if (refund === undefined) return error
  const { code, message, retryAfterSeconds } = error
  const data = { details: error.data, transaction_id: callId, refund: describeRefund(refund) }
  return fail(code, { message, retryAfterSeconds, data, transactionId: callId })
}
