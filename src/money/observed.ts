// The books, telling telemetry how much calls hold and are charged.
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Payments } from './payments/payments.ts'

export function observeLedger(ledger: Ledger, telemetry: Telemetry | undefined): Ledger {
  if (telemetry === undefined) return ledger
  return {
    ...ledger,
    async hold(hold) {
      const held = await ledger.hold(hold)
      if (held.outcome === 'held') telemetry.countMoney('held', hold.micros)
      return held
    },
    async holdJob(hold, job) {
      const held = await ledger.holdJob(hold, job)
      if (held.outcome === 'held') telemetry.countMoney('held', hold.micros)
      return held
    },
    async settle(settlement) {
      const settled = await ledger.settle(settlement)
      const { state, charged } = settlement
      if (state === 'settled' && settled.outcome === 'done')
        telemetry.countMoney('charged', charged)
      return settled
    },
  }
}

/** A payment charges its call when both are there: the answer, and the payment on the chain. */
export function observePayments(payments: Payments, telemetry: Telemetry | undefined): Payments {
  if (telemetry === undefined) return payments
  return {
    ...payments,
    async claim(payment, call) {
      const claimed = await payments.claim(payment, call)
      if (claimed.outcome === 'claimed') telemetry.countMoney('held', payment.micros)
      return claimed
    },
    async owed(paymentId, delivery) {
      const state = await payments.owed(paymentId, delivery)
      if (state === 'settled' && delivery !== undefined)
        telemetry.countMoney('charged', delivery.charged)
      return state
    },
    async settled(paymentId, at, then) {
      const state = await payments.settled(paymentId, at, then)
      if (state === 'settled')
        telemetry.countMoney('charged', (await payments.get(paymentId))?.charged ?? 0)
      return state
    },
  }
}
