// /api/v1/admin: the operator's routes, behind ADMIN_TOKEN.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { type Catalog, describeCatalog } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { centsToMicros, microsToUsd } from '#core/money.ts'
import { describePrice } from '#core/price.ts'
import type { Models } from '#features/llm/routing/models.ts'
import type { Memory } from '#features/reading/ladder/memory.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Refunds } from '#money/payments/refunds.ts'
import type { Treasury } from '#money/payments/treasury.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { Misfits } from '#runner/execute/misfits.ts'
import type { Purchases, SentPayment, UnknownPurchase } from '#runner/execute/purchases.ts'
import type { Calls } from '#runner/history/calls.ts'
import type { Revenue } from '#runner/history/revenue.ts'
import type { Statement } from '#runner/history/statement.ts'
import type { Once } from '#runner/once.ts'
import { bearerToken } from '../admission.ts'
import { readInput, showAmount } from '../input.ts'
import { methods } from '../methods.ts'
import { nothingHere } from '../server.ts'
import { addAdminAccountRoutes, amountCentsMax } from './accounts.ts'
import { addAdminBooksRoutes, showForOperator } from './books.ts'
import { addMisfitRoutes } from './misfits.ts'

const treasuryQuery = z.strictObject({
  /** Where to begin comparing; absent: the newest blocks. */
  from_block: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
})

const purchaseResolution = z.strictObject({
  outcome: z.enum(['charge', 'void']),
  /** Default: all that is held. */
  charged_cents: z.int().min(0).max(amountCentsMax).optional(),
  /** Whether the seller has the operator's money. Default: as the outcome says. */
  paid: z.boolean().optional(),
  note: z.string().min(1).max(500),
})

export function addAdminRoutes(
  server: FastifyInstance,
  room: {
    adminToken: string
    accounts: Accounts
    keys: Keys
    ledger: Ledger
    once: Once
    statement: Statement
    revenue: Revenue
    calls: Calls
    catalog: Catalog
    rails: Rails
    refunds: Refunds
    treasury: Treasury
    models: Models
    purchases: Purchases
    misfits: Misfits
    readingMemory: Memory
    health: () => Promise<object>
  },
) {
  const { ledger, catalog, models } = room
  const prefix = '/api/v1/admin'
  const config = { operator: true }
  const operatorOnly = async (request: FastifyRequest) => requireOperator(request, room.adminToken)

  server.register(async (admin) => {
    admin.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config }
    })
    admin.addHook('preParsing', operatorOnly)

    addAdminAccountRoutes(admin, { ...room, prefix })
    addAdminBooksRoutes(admin, { ...room, prefix })

    admin.get(`${prefix}/ledger/verify`, () => ledger.verify())
    admin.get(`${prefix}/payments`, async () => ({
      rails: Object.fromEntries([
        ...[...room.rails.open.keys()].map((id) => [id, { on: true }]),
        ...[...room.rails.closed].map(([id, reasons]) => [id, { on: false, reasons }]),
      ]),
      open_refunds: (await room.refunds.open()).map((refund) => ({
        refund_id: refund.id,
        transaction_id: refund.callId,
        rail: refund.rail,
        payee: refund.payee,
        amount_usd: microsToUsd(refund.micros),
        attempts: refund.attempts,
        // Why it is not on the chain yet.
        reason: refund.error,
        created_at: refund.createdAt,
      })),
    }))
    admin.get(`${prefix}/treasury`, async (request) => {
      const { from_block: fromBlock } = readInput(treasuryQuery, request.query)
      return await room.treasury.report({ fromBlock })
    })
    admin.get(`${prefix}/providers`, async () => ({ providers: describeProviders(catalog) }))
    admin.get<{ Params: { id: string } }>(`${prefix}/transactions/:id`, async (request) => {
      const { id } = request.params
      const found = isUuid(id)
        ? ((await room.calls.inspect(id)) ?? (await room.statement.findEntry(undefined, id)))
        : undefined
      if (found === undefined) throw fail('not_found', { message: 'There is no such transaction.' })
      const payments = await room.purchases.payments([id])
      return { ...showForOperator(found), payments: payments.map(describePayment) }
    })
    admin.get(`${prefix}/purchases`, async () => {
      const purchases = await room.purchases.list()
      const payments = await room.purchases.payments(purchases.map(({ callId }) => callId))
      return { purchases: purchases.map((purchase) => describePurchase(purchase, payments)) }
    })
    admin.post<{ Params: { id: string } }>(`${prefix}/purchases/:id`, async (request) => {
      const { outcome, charged_cents, paid, note } = readInput(purchaseResolution, request.body)
      const { id } = request.params
      if (!isUuid(id)) throw fail('not_found', { message: 'There is no such purchase.' })
      const { charged } = await room.purchases.resolve(id, {
        outcome,
        note,
        paid,
        charged: charged_cents === undefined ? undefined : centsToMicros(charged_cents),
      })
      return { transaction_id: id, outcome, ...showAmount('charged', charged, 'up') }
    })
    admin.get(`${prefix}/prices`, async () => ({
      prices: catalog.entries.map(({ id, action }) => ({ id, ...describePrice(action.price) })),
    }))
    admin.get(`${prefix}/reading/hosts`, async () => ({ hosts: await room.readingMemory.recent() }))
    admin.post(`${prefix}/models/refresh`, async () => {
      const problem = await models.refresh()
      const { version } = models.current()
      return { ok: problem === undefined, version, ...(problem === undefined ? {} : { problem }) }
    })
    admin.get(`${prefix}/health`, room.health)
    addMisfitRoutes(admin, prefix, room.misfits)
    // Only the operator learns that there is nothing here: others are asked for the token first.
    for (const url of [prefix, `${prefix}/*`]) {
      admin.route({ url, method: [...methods], handler: nothingHere })
    }
  })
}

/** An order of which it is not known whether the seller took it. `reference` is what the seller was given as its key. */
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

/** What the operator's wallet has sent. `chain_reference` is what its chain knows it by. */
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

/** The services, with the circuits that are open: providers that are left alone because they failed. */
function describeProviders(catalog: Catalog) {
  const { services } = describeCatalog(catalog, [])
  return services.map((service, place) => ({
    ...service,
    circuits: (catalog.services[place]?.http.circuits() ?? []).map(({ retryAt, ...circuit }) => ({
      ...circuit,
      retry_at: retryAt,
    })),
  }))
}

function requireOperator(request: FastifyRequest, adminToken: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(bearerToken(request) ?? ''), digest(adminToken))) {
    throw fail('invalid_token', {
      message: 'This address takes the operator’s ADMIN_TOKEN as bearer credential.',
    })
  }
}
