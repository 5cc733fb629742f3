// /api/v1/admin/payments, /treasury and /purchases: money on chains, from wallets and to sellers.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { centsToMicros, microsToUsd } from '#core/money.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Refunds } from '#money/payments/refunds.ts'
import type { Treasury } from '#money/payments/treasury.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { Purchases, SentPayment, UnknownPurchase } from '#runner/execute/purchases.ts'
import type { Calls } from '#runner/history/calls.ts'
import type { Statement } from '#runner/history/statement.ts'
import { readInput, showAmount } from '../input.ts'
import { amountCentsMax } from './accounts.ts'
import { showForOperator } from './books.ts'
import type { Operations } from './operations.ts'
import { showPayment, showRails, showRefund } from './rail-states.ts'

export const treasuryQuery = z.strictObject({
  /** The block to compare from. Default: the newest blocks. */
  from_block: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
})

export const purchaseResolution = z.strictObject({
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
}

export function addAdminPaymentRoutes(
  admin: FastifyInstance,
  prefix: string,
  { operations, ...dependencies }: PaymentRoutesDependencies & { operations: Operations },
) {
  admin.get(`${prefix}/payments`, async () => {
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
  admin.get(`${prefix}/treasury`, async (request) => {
    const { from_block: fromBlock } = readInput(treasuryQuery, request.query)
    return await dependencies.treasury.report({ fromBlock })
  })
  admin.get<{ Params: { id: string } }>(`${prefix}/transactions/:id`, async (request) => {
    const { id } = request.params
    const found = isUuid(id)
      ? ((await dependencies.calls.inspect(id)) ??
        (await dependencies.statement.findEntry(undefined, id)))
      : undefined
    if (found === undefined) throw fail('not_found', { message: 'There is no such transaction.' })
    const payments = await dependencies.purchases.payments([id])
    return { ...showForOperator(found), payments: payments.map(describePayment) }
  })
  admin.get(`${prefix}/purchases`, async () => {
    const purchases = await dependencies.purchases.list()
    const payments = await dependencies.purchases.payments(purchases.map(({ callId }) => callId))
    return { purchases: purchases.map((purchase) => describePurchase(purchase, payments)) }
  })
  admin.post<{ Params: { id: string } }>(`${prefix}/purchases/:id`, async (request, reply) => {
    const { outcome, charged_cents, paid, note } = readInput(purchaseResolution, request.body)
    const { id } = request.params
    if (!isUuid(id)) throw fail('not_found', { message: 'There is no such purchase.' })
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
