// One order of a wallet whose payment was accepted: the action runs, and the payment is settled when there is something
// to pay for, or before it would be too late. Whatever the chain does not say for certain is told to nobody.

import type { CatalogEntry } from '#core/catalog.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Quote, settlePrice } from '#core/price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Delivery, Payments, RefundState } from '#money/payments/payments.ts'
import type { SettlementOutcome, Settlements } from '#money/payments/settlement.ts'
import { describeRefund } from '../envelope.ts'
import { type Executor, isInDoubt, openTrail, timelineOf } from '../execute/execute.ts'
import type { Purchases } from '../execute/purchases.ts'
import { createVoidCall } from '../run/void-call.ts'

export interface Order {
  readonly entry: CatalogEntry
  readonly input: unknown
  readonly quote: Quote
  readonly callId: string
  readonly accountId: string
  readonly paymentId: string
  /** Chain time after which the payment cannot be settled. */
  readonly payableUntilMs: number
}

export interface Orders {
  /**
   * Runs the order to its end. Resolves to what became of its payment, the answer being stored; `free` when the answer cost
   * nothing and the payment may be used again. Throws what the action throws, which is then not charged.
   */
  run(order: Order, options: { settleFirst: boolean }): Promise<SettlementOutcome | 'free'>
}

/** A call that may take longer than its payment is valid is paid for this long before it would be too late. */
export const settlementMarginMs = 8_000
/** How long a caller waits for the chain before it is told to come back. */
export const settlementWaitMs = 10_000

const storeTriesMax = 30
const storeRetryIntervalMs = 1_000

export function createOrders(room: {
  executor: Executor
  ledger: Ledger
  payments: Payments
  settlements: Settlements
  purchases: Purchases
  clock: Clock
  log: Log
}): Orders {
  const { executor, ledger, payments, settlements, clock, log } = room
  const voidCall = createVoidCall(room)

  async function settleThenRun(order: Order): Promise<SettlementOutcome> {
    await payments.owed(order.paymentId)
    const outcome = await settlements.settle(order.paymentId, settlementWaitMs)
    if (outcome === 'settled') return await deliver(order, work(order))
    if (outcome === 'dead') return outcome
    // The caller is told to come back. The order goes on all the same, for as long as it takes to know.
    void finishLater(order)
    return 'pending'
  }

  async function finishLater(order: Order) {
    try {
      if ((await settleInTheEnd(order)) === 'settled') await deliver(order, work(order))
    } catch (error) {
      log.warn({ err: error, callId: order.callId }, 'A call that was paid in advance failed.')
    }
  }

  async function settleInTheEnd({ paymentId }: Order): Promise<SettlementOutcome> {
    for (;;) {
      const outcome = await settlements.settle(paymentId, settlementWaitMs)
      if (outcome !== 'pending' || settlements.closed) return outcome
    }
  }

  async function runThenSettle(order: Order): Promise<SettlementOutcome | 'free'> {
    const working = work(order)
    if (!(await endsBefore(working, order.payableUntilMs - settlementMarginMs))) {
      // The payment would not outlive the work: it is settled now, and given back if the work comes to nothing.
      await settleNow(order)
      return await deliver(order, working)
    }
    const delivery = await working
    if (delivery.charged > 0) return await deliver(order, working)
    const { callId, accountId } = order
    await ledger.settle({ callId, accountId, state: 'settled', ...delivery })
    return 'free'
  }

  /** Settles the payment of a call that goes on, unless it is under way already. */
  async function settleNow(order: Order) {
    if ((await payments.owed(order.paymentId)) === 'owed') void settleInTheEnd(order)
  }

  async function endsBefore(working: Promise<unknown>, timeMs: number): Promise<boolean> {
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

  async function deliver(order: Order, working: Promise<Delivery>): Promise<SettlementOutcome> {
    const state = await store(order, await working)
    if (state === 'settled') return 'settled'
    // Its call was taken for lost and voided meanwhile: nothing was charged.
    if (state === 'released') throw fail('upstream_error')
    return await settlements.settle(order.paymentId, settlementWaitMs)
  }

  /** An answer, which may be paid for, or bought from a seller, is not lost with a connection of the database. */
  async function store({ paymentId }: Order, delivery: Delivery) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await payments.owed(paymentId, delivery)
      } catch (error) {
        if (toCallError(error).code !== 'unavailable' || tries === storeTriesMax) throw error
        await clock.sleep(storeRetryIntervalMs)
      }
    }
  }

  /** Runs the action. When it fails the call is voided, and with it its promise; what was settled is given back. */
  async function work(order: Order): Promise<Delivery> {
    const { entry, input, quote, callId, accountId } = order
    const trail = openTrail({ kind: 'wallet', accountId }, callId, quote.micros)
    try {
      const { data, output } = await executor.execute(entry, input, trail)
      const charged = settlePrice(entry.action.price, quote, input, data)
      return { charged, cost: trail.cost, output, timeline: timelineOf(trail) }
    } catch (thrown) {
      const error = await voidCall(toCallError(thrown), callId, trail)
      // What is held until the operator knows must be there then: a promise would have run out.
      if (isInDoubt(trail)) await settleNow(order)
      throw withRefund(error, callId, await payments.refundOf(callId))
    }
  }

  return {
    run: (order, { settleFirst }) => (settleFirst ? settleThenRun(order) : runThenSettle(order)),
  }
}

/** The same failure, with what becomes of the money that had been paid before it. */
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
