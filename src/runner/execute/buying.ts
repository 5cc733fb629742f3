// Orders and payments to sellers. Each is recorded before it is sent.

import { toCallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { HttpReply, SellerPayment, Spending } from '#core/ports.ts'
import { isPaidInVain, isUnsent } from '#platform/http/upstream-wallet.ts'
import { isRefusal, type Purchases } from './purchases.ts'
import type { Trail } from './trail.ts'

type Records = Pick<Purchases, 'start' | 'startPayment' | 'endPayment' | 'forgetPayment'>

/** Sends an order, at most once in a call. */
export async function sendOrder<Result>(
  purchases: Records,
  { trail, signal, paysFirst }: { trail: Trail; signal: AbortSignal; paysFirst: boolean },
  buy: (reference: string) => Promise<Result>,
): Promise<Result> {
  const { callId, paid } = trail
  if (callId === undefined) throw new TypeError('A call without a row in the ledger cannot buy.')
  // A call has one row for its order, so a second order fails here, and the operator decides about the first.
  await purchases.start(callId, callId)
  signal.throwIfAborted()
  trail.ordered = true
  try {
    return await buy(callId)
  } catch (thrown) {
    // A seller that is paid in advance and received no payment has sold nothing, so the call fails like any other.
    const unpaid = paysFirst && trail.paid === paid
    if (unpaid || isRefusal(toCallError(thrown))) trail.ordered = false
    throw thrown
  }
}

/**
 * What an action may pay sellers: no more than the price it is sold for, and nothing without a row in the ledger.
 * `quoted` is the price of an action that runs inside another.
 */
export function createSpending(
  purchases: Records,
  { trail, quoted }: { readonly trail: Trail; readonly quoted?: Micros | undefined },
  signal: AbortSignal,
): Spending {
  const { callId } = trail
  let spent = 0
  let turn: Promise<unknown> = Promise.resolve()
  const left = () => (callId === undefined ? 0 : (quoted ?? trail.held) - spent)
  const count = ({ micros }: SellerPayment, times: 1 | -1) => {
    spent += times * micros
    trail.paid += times * micros
    trail.cost = (trail.cost ?? 0) + times * micros
    trail.unanswered += times
  }

  async function record(id: string, sign: Parameters<Spending['pay']>[0]) {
    const payment = await sign(left())
    signal.throwIfAborted()
    await purchases.startPayment(id, payment)
    count(payment, 1)
    return payment
  }

  async function takeBack(id: string, payment: SellerPayment): Promise<void> {
    count(payment, -1)
    await purchases.forgetPayment(id, payment.chainReference)
  }

  async function end(id: string, payment: SellerPayment, receipt: string | null) {
    trail.unanswered -= 1
    await purchases.endPayment(id, payment.chainReference, receipt)
  }

  return {
    left,
    async pay(sign, send): Promise<HttpReply> {
      if (callId === undefined)
        throw new TypeError('A call without a row in the ledger cannot pay.')
      const signing = turn.then(() => record(callId, sign))
      turn = signing.catch(() => {})
      const payment = await signing
      if (signal.aborted) {
        await takeBack(callId, payment)
        throw signal.reason
      }
      const reply = await send(payment).catch(async (thrown) => {
        if (isUnsent(thrown)) await takeBack(callId, payment)
        else if (!isPaidInVain(thrown)) await end(callId, payment, null)
        throw thrown
      })
      await end(callId, payment, reply.paid?.receipt ?? null)
      return reply
    },
  }
}
