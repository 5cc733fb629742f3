// /api/v1/admin/payments, /treasury and /purchases: money on chains, from wallets and to sellers.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, microsToUsd } from '#core/money.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Refunds } from '#money/payments/refunds.ts'
import type { Treasury } from '#money/payments/treasury.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { Purchases, SentPayment, UnknownPurchase } from '#runner/execute/purchases.ts'
import type { Calls } from '#runner/history/calls.ts'
import type { Statement } from '#runner/history/statement.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { showAmount } from '../../../doors/input.ts'
import { defineRoute, operatorPrefix } from '../../../doors/route.ts'
import { integer, list, object, objectWith, text, textOrNull } from '../../../doors/shapes.ts'
import { noTransaction } from '../../routes/account.ts'
import {
  showInput,
  showTimeline,
  timelineEvent,
  traceExtras,
} from '../../routes/transaction-rows.ts'
import { type AccountNames, accountName, withAccountNames } from '../account-names.ts'
import { amountCentsMax } from '../accounts.ts'
import { paymentsInProgress, treasuryReport } from '../answers.ts'
import { operatedTransaction, showForOperator } from '../books.ts'
import type { Operations } from '../operations.ts'
import { showPayment, showRails, showRefund } from './rail-states.ts'

const treasuryQuery = z.strictObject({
  /** The block to compare from. Default: the newest blocks. */
  from_block: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
})

const purchaseResolution = z.strictObject({
  outcome: z.enum(['charge', 'void']),
  /** Default: the whole amount held. */
  charged_cents: z.int().min(0).max(amountCentsMax).optional(),
  /** Whether the seller has the operator's money. Default: only if the call is charged. */
  paid: z.boolean().optional(),
  note: z.string().min(1).max(500),
})

export interface PaymentRoutesDependencies {
  rails: Rails
  payments: Pick<Payments, 'open'>
  refunds: Refunds
  treasury: Treasury
  purchases: Purchases
  calls: Calls
  statement: Statement
  accounts: AccountNames
}

const payment = object({
  protocol: text,
  payee: textOrNull,
  usd: text,
  chain_reference: textOrNull,
  sent_at: text,
  answered_at: textOrNull,
  receipt: {},
})

export const inspectTransaction = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/transactions/{id}`,
  who: 'operator',
  summary: 'One transaction with its timeline, its output and what was paid to sellers.',
  ids: { id: noTransaction },
  answer: {
    ...operatedTransaction,
    properties: {
      ...operatedTransaction.properties,
      ...traceExtras,
      timeline: list(timelineEvent),
      payments: list(payment),
    },
  },
})
export const listPayments = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/payments`,
  who: 'operator',
  summary: 'The payment rails, and the payments and refunds that are not on their chain yet.',
  answer: paymentsInProgress,
})
export const readTreasury = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/treasury`,
  who: 'operator',
  summary: 'The books against the chain.',
  query: treasuryQuery,
  answer: treasuryReport,
})
export const listPurchases = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/purchases`,
  who: 'operator',
  summary: 'Orders that a seller may or may not have taken.',
  answer: object({
    purchases: list(
      objectWith(
        {
          transaction_id: text,
          account_id: text,
          action: text,
          reference: textOrNull,
          idempotency_key: textOrNull,
          held_cents: integer,
          held_usd: text,
          doubt: textOrNull,
          started_at: text,
          payments: list(payment),
        },
        accountName,
      ),
    ),
  }),
})
export const resolvePurchase = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/purchases/{id}`,
  who: 'operator',
  summary: 'Decide about an order in doubt: charge its caller, or void it.',
  ids: { id: 'There is no such purchase.' },
  body: purchaseResolution,
  once: true,
  answer: object({
    transaction_id: text,
    outcome: { enum: ['charge', 'void'] },
    charged_cents: integer,
    charged_usd: text,
  }),
})

export function addAdminPaymentRoutes(
  admin: FastifyInstance,
  { operations, ...dependencies }: PaymentRoutesDependencies & { operations: Operations },
) {
  addRoute(admin, listPayments, async () => {
    const { rails, payments, refunds } = dependencies
    const [states, openPayments, openRefunds] = await Promise.all([
      showRails(rails),
      payments.open(),
      refunds.open(),
    ])
    return {
      rails: states,
      open_payments: openPayments.map((payment) => showPayment(payment, rails)),
      open_refunds: openRefunds.map((refund) => showRefund(refund, rails)),
    }
  })
  addRoute(admin, readTreasury, ({ query: { from_block: fromBlock } }) =>
    dependencies.treasury.report({ fromBlock }),
  )
  addRoute(admin, inspectTransaction, async ({ params: { id } }) => {
    const found =
      (await dependencies.calls.inspect(id)) ??
      (await dependencies.statement.findEntry(undefined, id))
    if (found === undefined) throw fail('not_found', { message: noTransaction })
    const payments = await dependencies.purchases.payments([id])
    const trace = 'kind' in found ? {} : { timeline: showTimeline(found), ...showInput(found) }
    return { ...showForOperator(found), ...trace, payments: payments.map(describePayment) }
  })
  addRoute(admin, listPurchases, async () => {
    const purchases = await dependencies.purchases.list()
    const payments = await dependencies.purchases.payments(purchases.map(({ callId }) => callId))
    const described = purchases.map((purchase) => describePurchase(purchase, payments))
    return { purchases: await withAccountNames(dependencies.accounts, described) }
  })
  addRoute(admin, resolvePurchase, async ({ request, params: { id }, body }, reply) => {
    const { outcome, charged_cents, paid, note } = body
    const resolution = {
      outcome,
      note,
      paid,
      charged: charged_cents === undefined ? undefined : centsToMicros(charged_cents),
    }
    const operation = { action: 'purchase.resolve', subject: id }
    return await operations.perform(request, reply, operation, async (client) => {
      const { charged } = await dependencies.purchases.resolve(id, resolution, client)
      return { transaction_id: id, outcome, ...showAmount('charged', charged, 'up') }
    })
  })
}

/** An order that the seller may or may not have taken. `reference` is the key that the seller was given. */
function describePurchase(purchase: UnknownPurchase, payments: readonly SentPayment[]) {
  return {
    transaction_id: purchase.callId,
    account_id: purchase.accountId,
    action: purchase.action,
    reference: purchase.reference,
    idempotency_key: purchase.idempotencyKey,
    ...showAmount('held', purchase.held, 'up'),
    doubt: purchase.doubt,
    started_at: purchase.startedAt,
    payments: payments.filter(({ callId }) => callId === purchase.callId).map(describePayment),
  }
}

/** A payment from the operator's wallet. `chain_reference` identifies it on its chain. */
function describePayment(payment: SentPayment) {
  return {
    protocol: payment.protocol,
    payee: payment.payee,
    usd: microsToUsd(payment.micros),
    chain_reference: payment.chainReference,
    sent_at: payment.sentAt,
    answered_at: payment.answeredAt,
    receipt: payment.receipt,
  }
}
