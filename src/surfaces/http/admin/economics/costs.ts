// /api/v1/admin/costs: what calls cost at vendors, where the replies do not tell it.
import type { FastifyInstance } from 'fastify'
import type { ClientBase } from 'pg'
import { z } from '#core/action.ts'
import { type Catalog, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, microsToUsd, parseUsd, usdToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { countsUnits } from '#core/pricing/units.ts'
import type { Costs, DeclaredCost, Invoice, NewInvoice } from '#money/costs/costs.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../../doors/route.ts'
import { integer, list, object, text, textOrNull } from '../../../doors/shapes.ts'
import type { Operations } from '../operations.ts'

/** A million dollars. */
const invoiceMicrosMax = centsToMicros(100_000_000)
const invoiceDaysMax = 366
const dayMs = 86_400_000
const noInvoice = 'There is no such invoice. GET /api/v1/admin/costs lists them.'

/** Exact dollars, and nothing is a cost too. */
const costUsd = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,6})?$/, 'must be dollars with at most six places, such as 0.004')
  .transform(parseUsd)
const time = z.iso.datetime({ offset: true }).transform((at) => new Date(at))

const newCost = z.strictObject({
  per_call_usd: costUsd.optional().describe('For a call that was delivered.'),
  per_unit_usd: costUsd.optional().describe('For each unit, where the price is by unit.'),
  starts_at: time
    .optional()
    .describe('From when it is valid. It may be in the past. Default: now.'),
})
const newInvoice = z.strictObject({
  provider: z.string().min(1).max(100).describe('The first part of the names of its actions.'),
  from: time,
  until: time,
  amount_usd: z
    .string()
    .regex(/^\d{1,7}(\.\d{1,6})?$/, 'must be dollars with at most six places, such as 120.5')
    .transform(parseUsd)
    .refine((micros) => micros <= invoiceMicrosMax, 'must be at most 1000000')
    .describe('Without what the replies have told: only calls without a reported cost share it.'),
  shared_by: z
    .enum(['calls', 'units'])
    .default('units')
    .describe(
      'Whether the calls share it evenly, or by what they delivered. A call is one unit where its price has none.',
    ),
  note: z.string().max(500).optional(),
})

const shownCost = object({
  action: text,
  starts_at: text,
  per_call_usd: text,
  per_unit_usd: text,
  is_in_force: { type: 'boolean' },
  set_at: text,
})
const invoiceFields = {
  invoice_id: text,
  provider: text,
  from: text,
  until: text,
  amount_usd: text,
  shared_by: { enum: ['calls', 'units'] },
  calls: { ...integer, description: 'The calls that share it.' },
  note: textOrNull,
  set_at: text,
}
const spreadInvoice = object({
  invoice_id: text,
  calls: integer,
  calls_still_running: {
    ...integer,
    description:
      'They began in this time and share nothing yet. Send the invoice again when they have ended.',
  },
})

const listCosts = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/costs`,
  who: 'operator',
  summary: 'The costs that were declared, and the invoices.',
  answer: object({
    declared: list(shownCost),
    declared_by_price_rules: {
      ...list(object({ action: text, per_call_usd: text, is_in_force: { type: 'boolean' } })),
      description:
        'What price rules of sold APIs declare. One of `declared` that is in force is in its place.',
    },
    invoices: list(object(invoiceFields)),
  }),
})
const declareCost = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/costs/{service}/{action}`,
  who: 'operator',
  summary: 'Declare what a call or a unit of an action costs at its vendor, from a time on.',
  body: newCost,
  once: true,
  answer: shownCost,
})
const withdrawCost = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/costs/{service}/{action}`,
  who: 'operator',
  summary: 'Remove a declared cost, as if it had never been.',
  query: z.strictObject({ starts_at: time }),
  once: true,
  answer: object({ action: text, starts_at: text, removed: { const: true } }),
})
const addInvoice = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/invoices`,
  who: 'operator',
  summary: 'Spread what a vendor has billed over the calls of its time.',
  body: newInvoice,
  once: true,
  status: 201,
  answer: spreadInvoice,
})
const correctInvoice = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/invoices/{id}`,
  who: 'operator',
  summary: 'Correct an invoice, and spread it anew.',
  ids: { id: noInvoice },
  body: newInvoice,
  once: true,
  answer: spreadInvoice,
})
const removeInvoice = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/invoices/{id}`,
  who: 'operator',
  summary: 'Remove an invoice: the costs that it told are unknown again.',
  ids: { id: noInvoice },
  once: true,
  answer: object({ invoice_id: text, removed: { const: true } }),
})
export const costRoutes = [
  listCosts,
  declareCost,
  withdrawCost,
  addInvoice,
  correctInvoice,
  removeInvoice,
] as const

export interface CostRoutesDependencies {
  costs: Costs
  catalog: Catalog
  clock: Clock
}

export function addCostRoutes(
  admin: FastifyInstance,
  { costs, catalog, clock, operations }: CostRoutesDependencies & { operations: Operations },
) {
  const now = () => new Date(clock.now())

  addRoute(admin, listCosts, async () => {
    const [declared, invoices] = await Promise.all([costs.declared(), costs.invoices()])
    const shown = showCosts(declared, now())
    const inForce = new Set(shown.flatMap((cost) => (cost.is_in_force ? [cost.action] : [])))
    return {
      declared: shown,
      declared_by_price_rules: catalog.entries.flatMap(({ id, action: { declaredCostUsd } }) =>
        declaredCostUsd === undefined
          ? []
          : [
              {
                action: id,
                per_call_usd: microsToUsd(usdToMicros(declaredCostUsd)),
                is_in_force: !inForce.has(id),
              },
            ],
      ),
      invoices: invoices.map(showInvoice),
    }
  })

  addRoute(admin, declareCost, async ({ request, params, body }, reply) => {
    const cost = readCost(catalog, `${params.service}/${params.action}`, {
      ...body,
      starts_at: body.starts_at ?? now(),
    })
    const operation = { action: 'cost.declare', subject: cost.action }
    return await operations.perform(request, reply, operation, async (client) => {
      await costs.declare(cost, client)
      const setAt = now()
      return { ...showDeclared(cost), is_in_force: cost.startsAt <= setAt, set_at: setAt }
    })
  })

  addRoute(admin, withdrawCost, async ({ request, params, query }, reply) => {
    const cost = { action: `${params.service}/${params.action}`, startsAt: query.starts_at }
    const operation = { action: 'cost.withdraw', subject: cost.action }
    return await operations.perform(request, reply, operation, async (client) => {
      if (!(await costs.withdraw(cost, client)))
        throw fail('not_found', {
          message: `No cost of ${cost.action} starts then. GET ${operatorPrefix}/costs lists them.`,
        })
      return { action: cost.action, starts_at: cost.startsAt, removed: true }
    })
  })

  const spread = async (invoice: NewInvoice, client: ClientBase, id?: string) => {
    const found = await costs.invoice(invoice, client, id)
    if (found.outcome === 'spread')
      return { invoice_id: found.id, calls: found.calls, calls_still_running: found.running }
    if (found.outcome === 'not_found') throw fail('not_found', { message: noInvoice })
    const isKnown = catalog.services.some(({ provider }) => provider.id === invoice.provider)
    const why = found.outcome === 'no_calls' && !isKnown ? 'no_provider' : found.outcome
    throw fail('bad_request', { message: refusals[why](invoice.provider) })
  }
  addRoute(admin, addInvoice, async ({ request, body }, reply) => {
    const invoice = readInvoice(body, now())
    const operation = { action: 'invoice.add' }
    const add = (client: ClientBase) => spread(invoice, client)
    return await operations.perform(request, reply, operation, add, (made) => made.invoice_id)
  })
  addRoute(admin, correctInvoice, async ({ request, params: { id }, body }, reply) => {
    const invoice = readInvoice(body, now())
    const operation = { action: 'invoice.correct', subject: id }
    const correct = (client: ClientBase) => spread(invoice, client, id)
    return await operations.perform(request, reply, operation, correct)
  })
  addRoute(admin, removeInvoice, async ({ request, params: { id } }, reply) => {
    const operation = { action: 'invoice.remove', subject: id }
    return await operations.perform(request, reply, operation, async (client) => {
      if (!(await costs.removeInvoice(id, client))) throw fail('not_found', { message: noInvoice })
      return { invoice_id: id, removed: true }
    })
  })
}

const refusals = {
  overlaps: (provider: string) =>
    `Another invoice of ${provider} covers a part of this time. Correct that one, or choose a time that follows it.`,
  no_calls: (provider: string) =>
    `No call of ${provider} was delivered in this time, so nothing can share the amount. Check from and until.`,
  no_provider: (provider: string) =>
    `No provider is called ${provider}, so nothing can share the amount. GET /api/run lists them as services.`,
  only_running: (provider: string) =>
    `The calls of ${provider} in this time still run, so nothing can share the amount. Send the invoice when they have ended.`,
  only_reported: (provider: string) =>
    `The replies of ${provider} have told the cost of each call in this time, so nothing can share the amount. No invoice is needed.`,
}

function readCost(
  catalog: Catalog,
  action: string,
  {
    per_call_usd,
    per_unit_usd,
    starts_at: startsAt,
  }: z.output<typeof newCost> & { readonly starts_at: Date },
): Omit<DeclaredCost, 'setAt'> {
  const entry = catalog.find(...splitId(action))
  if (entry === undefined)
    throw fail('not_found', {
      message: `There is no action ${action.slice(0, 100)}. GET /api/run lists all actions.`,
    })
  if (per_call_usd === undefined && per_unit_usd === undefined)
    throw fail('bad_request', {
      message: 'Send per_call_usd or per_unit_usd, such as "0.004", or both.',
    })
  if (per_unit_usd !== undefined && !countsUnits(entry.action.price))
    throw fail('bad_request', {
      message: `${action} is not sold by unit, so the units of its calls are not known. Send per_call_usd alone.`,
    })
  return {
    action,
    startsAt,
    perCall: per_call_usd ?? 0,
    perUnit: per_unit_usd ?? 0,
  }
}

function readInvoice(
  {
    provider,
    from: since,
    until,
    amount_usd: micros,
    shared_by: sharedBy,
    note,
  }: z.output<typeof newInvoice>,
  now: Date,
): NewInvoice {
  const problem = problemOfPeriod(since, until, now)
  if (problem !== undefined) throw fail('bad_request', { message: problem })
  return { provider, since, until, micros, sharedBy, note: note ?? null }
}

function problemOfPeriod(since: Date, until: Date, now: Date): string | undefined {
  if (since >= until) return 'from must be before until.'
  if (until > now) return 'until must not be in the future.'
  if (until.getTime() - since.getTime() <= invoiceDaysMax * dayMs) return undefined
  return `An invoice is for at most ${invoiceDaysMax} days. Send one for each part of the time.`
}

const showDeclared = ({ action, startsAt, perCall, perUnit }: Omit<DeclaredCost, 'setAt'>) => ({
  action,
  starts_at: startsAt,
  per_call_usd: microsToUsd(perCall),
  per_unit_usd: microsToUsd(perUnit),
})

/** Those of an action are listed with the latest first. */
const showCosts = (all: readonly DeclaredCost[], now: Date) =>
  all.map((cost) => ({
    ...showDeclared(cost),
    is_in_force:
      all.find(({ action, startsAt }) => action === cost.action && startsAt <= now) === cost,
    set_at: cost.setAt,
  }))

const showInvoice = ({ id, provider, since, until, micros, ...invoice }: Invoice) => ({
  invoice_id: id,
  provider,
  from: since,
  until,
  amount_usd: microsToUsd(micros),
  shared_by: invoice.sharedBy,
  calls: invoice.calls,
  note: invoice.note,
  set_at: invoice.setAt,
})
