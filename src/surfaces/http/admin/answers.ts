// What the operator's routes answer about providers, payment rails and hosts.

import { integer, list, object, objectWith, text, textOrNull } from '../../doors/shapes.ts'
import { mode } from '../routes/catalog-answers.ts'
import { usageFields } from '../routes/usage.ts'

const number = { type: 'number' }

export const margin = {
  ...usageFields,
  known_cost_usd: text,
  calls_with_known_cost: integer,
  calls_with_unknown_cost: integer,
  charged_less_known_cost_usd: text,
}
/** Durations are those of successful calls, so a row may have none. */
export const durations = { p50_ms: integer, p95_ms: integer }

const circuit = object({
  origin: text,
  state: { enum: ['open', 'half_open'] },
  failures: integer,
  retry_at: text,
})

/** With `problem` instead of the amounts when the vendor did not answer. */
const vendorQuota = {
  ...objectWith(
    { asked_at: text },
    {
      remaining: { type: ['number', 'null'], description: 'Null: without a limit.' },
      limit: { type: ['number', 'null'] },
      unit: { enum: ['credits', 'USD'] },
      renews_at: textOrNull,
      problem: text,
    },
  ),
  type: ['object', 'null'],
  description: 'What the vendor lets you still use. Null: it reports nothing.',
}

export const operatedProvider = objectWith(
  {
    service: text,
    title: text,
    mode,
    last_30_days: { ...objectWith(margin, durations), type: ['object', 'null'] },
    circuits: list(circuit),
    quota: vendorQuota,
  },
  { reason: { ...text, description: 'Why it is unavailable.' } },
)

const railStates = {
  type: 'object',
  additionalProperties: objectWith(
    {
      on: { type: 'boolean' },
      gas: {
        ...objectWith(
          {},
          {
            address: text,
            balance_coin: text,
            transactions_left: integer,
            is_low: { type: 'boolean' },
            advice: text,
            unavailable: text,
          },
        ),
        type: ['object', 'null'],
        description:
          'What the wallet still pays for that pays gas. Null: payers, refunds or a facilitator pay it. With `unavailable` alone while the chain does not answer.',
      },
    },
    { reasons: list(text) },
  ),
}

const stuck = {
  is_stuck: { type: 'boolean' },
  advice: { ...textOrNull, description: 'What to do about it. Null while it is not stuck.' },
}

const openPayment = object({
  payment_id: text,
  transaction_id: text,
  rail: text,
  payer: text,
  amount_usd: text,
  state: { enum: ['owed', 'settling'] },
  reason: textOrNull,
  since: text,
  ...stuck,
})

const openRefund = object({
  refund_id: text,
  transaction_id: text,
  rail: text,
  payee: text,
  amount_usd: text,
  attempts: integer,
  reason: textOrNull,
  created_at: text,
  ...stuck,
})

export const paymentsInProgress = object({
  rails: railStates,
  open_payments: list(openPayment),
  open_refunds: list(openRefund),
})

const wallet = object({ address: text, balance_usd: text })
const difference = objectWith(
  { kind: text, explanation: text, amount_usd: text, transaction_hash: textOrNull },
  { transaction_id: text },
)

/** Without `chain` and `differences` while the chain cannot be read. */
const railReport = objectWith(
  {
    agrees: { type: ['boolean', 'null'] },
    books: object({
      received_usd: text,
      on_the_way_usd: text,
      not_final_usd: text,
      lost_usd: text,
      refunded_usd: text,
      owed_refunds_usd: text,
    }),
  },
  {
    network: text,
    token: text,
    unavailable: text,
    chain: object({
      from_block: integer,
      to_block: integer,
      final_block: integer,
      received_usd: text,
      refunded_usd: text,
      pay_to: wallet,
      refund_wallet: { ...wallet, type: ['object', 'null'] },
    }),
    differences: list(difference),
  },
)

export const treasuryReport = object({
  rails: { type: 'object', additionalProperties: railReport },
  losses: list(
    object({
      transaction_id: text,
      rail: text,
      payer: text,
      amount_usd: text,
      reason: textOrNull,
      topped_up_account_id: textOrNull,
      lost_at: text,
    }),
  ),
})

export const readHost = object({
  host: text,
  rungs: list(object({ rung: text, reads: number, blocks: number, blockedAt: textOrNull })),
})
