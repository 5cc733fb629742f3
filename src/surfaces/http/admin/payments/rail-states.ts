// How the payment rails stand: whether they are on, what their gas still pays for, and which payments are stuck.
import { setTimeout as delay } from 'node:timers/promises'
import { microsToUsd } from '#core/money.ts'
import { ChainUnavailable } from '#money/chains/chain.ts'
import { type GasReserve, transactionsLeftLow } from '#money/chains/gas-reserve.ts'
import type { Payment } from '#money/payments/payments.ts'
import type { OpenRefund } from '#money/payments/refund-records.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { Rail } from '#money/rails/rail.ts'

/** How long the page waits for a chain. */
const gasWaitMs = 3_000
/** A payment or refund that is not on its chain after this time needs a look. */
const stuckAfterMs = 10 * 60_000
const coinPlaces = 18

/** By rail. Those that are off are included. */
export async function showRails({ open, known, closed }: Rails) {
  const ids = new Set([...open.keys(), ...closed.keys()])
  const states = await Promise.all(
    [...ids].map(async (id) => {
      const reasons = closed.get(id)
      const state = open.has(id) ? { on: true } : { on: false, reasons: reasons ?? [] }
      return [id, { ...state, gas: await showGas(known.get(id)) }] as const
    }),
  )
  return Object.fromEntries(states)
}

/** Null where the operator pays no gas, and while the rail has never worked. */
async function showGas(rail: Rail | undefined) {
  const ask = rail?.chain.gasReserve
  if (ask === undefined) return null
  const waited = new AbortController()
  const late = delay(gasWaitMs, undefined, { ref: false, signal: waited.signal }).then(() => {
    throw new ChainUnavailable('The chain did not answer in time.')
  })
  late.catch(() => {})
  try {
    return describeGas(await Promise.race([ask(), late]))
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return { unavailable: error.message }
  } finally {
    waited.abort()
  }
}

function describeGas({ address, balance, transactionsLeft }: GasReserve) {
  const digits = String(balance).padStart(coinPlaces + 1, '0')
  const isLow = transactionsLeft < transactionsLeftLow
  return {
    address,
    balance_coin: `${digits.slice(0, -coinPlaces)}.${digits.slice(-coinPlaces)}`,
    transactions_left: Math.min(transactionsLeft, Number.MAX_SAFE_INTEGER),
    is_low: isLow,
    ...(isLow && { advice: `Send some of the chain's coin to ${address}.` }),
  }
}

/** What the operator can do about a payment or refund that waits for too long. Null: it may still arrive by itself. */
function adviceFor(
  waiting: { rail: string; createdAt: Date; hash: string | null },
  { open, closed }: Rails,
): string | null {
  if (Date.now() - waiting.createdAt.getTime() < stuckAfterMs) return null
  if (!open.has(waiting.rail)) {
    const reasons = closed.get(waiting.rail) ?? ['Its settings are not complete.']
    return `The rail is off. Mend this first: ${reasons.join(' ')} The gateway continues by itself then.`
  }
  return waiting.hash === null
    ? 'Nothing was sent yet, and the gateway keeps trying. Mend what the reason names; without a reason, look at the log.'
    : `The gateway sends it again by itself. Look up ${waiting.hash} in an explorer of the chain: if it is unknown there, check that the node of the rail accepts transactions and has gas to pay for them.`
}

export function showPayment(payment: Payment, rails: Rails) {
  const advice = adviceFor(payment, rails)
  return {
    payment_id: payment.id,
    transaction_id: payment.callId,
    rail: payment.rail,
    payer: payment.payer,
    amount_usd: microsToUsd(payment.micros),
    state: payment.state,
    // Why it is not on the chain yet.
    reason: payment.error,
    since: payment.createdAt,
    is_stuck: advice !== null,
    advice,
  }
}

export function showRefund(refund: OpenRefund, rails: Rails) {
  const advice = adviceFor(refund, rails)
  return {
    refund_id: refund.id,
    transaction_id: refund.callId,
    rail: refund.rail,
    payee: refund.payee,
    amount_usd: microsToUsd(refund.micros),
    attempts: refund.attempts,
    // Why it is not on the chain yet.
    reason: refund.error,
    created_at: refund.createdAt,
    is_stuck: advice !== null,
    advice,
  }
}
