// How the changes of a balance are called.
import type { MovementKind } from '#money/ledger/monthly-statements.ts'

/** As the API names it, and as people read it. */
export const movementWords = {
  charge: { kind: 'call', title: 'Calls' },
  topup: { kind: 'topup', title: 'Top-ups' },
  credit: { kind: 'credit', title: 'Credit from the operator' },
  debit: { kind: 'debit', title: 'Debit by the operator' },
  credit_expired: { kind: 'credit_expired', title: 'Credit that expired' },
  provisional_credit: { kind: 'wallet_payment', title: 'Payments from the wallet' },
  provisional_credit_end: { kind: 'wallet_payment_unused', title: 'Payments not taken' },
  refund_due: { kind: 'refund', title: 'Refunds to the wallet' },
  refund_cancelled: { kind: 'refund_cancelled', title: 'Refunds of payments that were lost' },
} as const satisfies Record<MovementKind, { kind: string; title: string }>
