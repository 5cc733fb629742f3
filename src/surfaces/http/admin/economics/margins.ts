// /api/v1/admin/margins: what calls have brought and cost, by action, provider, account and day.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { type Catalog, splitId } from '#core/catalog.ts'
import { microsToUsd } from '#core/money.ts'
import type { AnyPrice } from '#core/price.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { overrideKindOf } from '#core/pricing/override.ts'
import type { MarginGroup, MarginRow, MarginSums, Margins } from '#money/costs/margins.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../../doors/route.ts'
import { integer, list, object, objectWith, text, textOrNull } from '../../../doors/shapes.ts'
import { lineOf } from '../../routes/transactions-csv.ts'
import { groupsOf, periodFields, readUsageQuery, tooManyRows } from '../../routes/usage.ts'
import { type AccountNames, accountName, withAccountNames } from '../account-names.ts'

const marginsQuery = z.strictObject({
  ...periodFields,
  by: groupsOf(['day', 'provider', 'action', 'account']),
  provider: z.string().max(100).optional(),
  action: z.string().max(200).optional(),
  account_id: z.uuid().optional(),
})
type Query = z.output<typeof marginsQuery>

const sums = {
  calls: integer,
  failed_calls: integer,
  charged_usd: text,
  known_cost_usd: text,
  charged_with_known_cost_usd: {
    ...text,
    description: 'What the calls were charged whose cost is known.',
  },
  margin_usd: { ...text, description: 'That, less the known cost.' },
  calls_with_reported_cost: integer,
  calls_with_invoiced_cost: integer,
  calls_with_declared_cost: integer,
  calls_with_unknown_cost: integer,
  is_below_cost: {
    type: 'boolean',
    description: 'The margin is negative, also without the calls at the price 0.',
  },
} as const
const transactions = {
  ...text,
  description: 'The address of the rows, as CSV too, that sum to it.',
}

const readMargins = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/margins`,
  who: 'operator',
  summary: 'What calls have brought and cost, over those whose cost is known.',
  query: marginsQuery,
  answer: object({
    from: text,
    until: text,
    time_zone: text,
    rows: list(
      objectWith(
        { ...sums, transactions },
        { day: text, provider: text, action: text, account_id: text, ...accountName },
      ),
    ),
    total: object({ ...sums, transactions }),
  }),
})
const exportMargins = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/margins.csv`,
  who: 'operator',
  summary: 'The same as CSV.',
  query: marginsQuery,
  type: 'text/csv',
})
const listSalesBelowCost = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/sales-below-cost`,
  who: 'operator',
  summary: 'The actions whose calls of the last 30 days have cost more than they brought.',
  answer: object({
    from: text,
    until: text,
    actions: list(
      object({
        action: text,
        price: textOrNull,
        calls_with_known_cost: integer,
        charged_usd: text,
        known_cost_usd: text,
        loss_usd: text,
        what_to_do: text,
        is_replaceable: {
          type: 'boolean',
          description: 'You can set a price of your own in place of it.',
        },
        transactions,
      }),
    ),
  }),
})
export const marginRoutes = [readMargins, exportMargins, listSalesBelowCost] as const

export interface MarginRoutesDependencies {
  margins: Margins
  catalog: Catalog
  accounts: AccountNames
}

export function addMarginRoutes(
  admin: FastifyInstance,
  { margins, catalog, accounts }: MarginRoutesDependencies,
) {
  async function read(query: Query) {
    const { from, until, by, timeZone, limit } = readUsageQuery(query)
    const { provider, action, account_id: accountId } = query
    const asked = { from, until, timeZone, provider, action, accountId }
    const rows = await margins.list({ ...asked, by, limit })
    if (rows.length === limit) throw tooManyRows()
    const shown = rows.map((row) => showRow(row, asked))
    return { asked, rows: await withAccountNames(accounts, shown), total: totalOf(rows) }
  }

  addRoute(admin, readMargins, async ({ query }) => {
    const { asked, rows, total } = await read(query)
    const { from, until, timeZone } = asked
    return { from, until, time_zone: timeZone, rows, total: showRow(total, asked) }
  })

  addRoute(admin, exportMargins, async ({ query }, reply) => {
    const { rows } = await read(query)
    const names = query.by.includes('account') ? ['account_name'] : []
    const columns = [...query.by.map((group) => columnOf[group]), ...Object.keys(sums), ...names]
    const lines = rows.map((row) => {
      const cells: Readonly<Record<string, unknown>> = row
      return lineOf(columns.map((column) => cells[column]))
    })
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="margins.csv"')
      .header('cache-control', 'no-store')
      .send([lineOf(columns), ...lines].join(''))
  })

  addRoute(admin, listSalesBelowCost, async () => {
    const { from, until, rows } = await margins.belowCost()
    const asked = { from, until, timeZone: 'UTC' }
    return {
      from,
      until,
      actions: rows.map((row) => {
        const { action = '', cost, chargedWithKnownCost, calls, callsWithUnknownCost } = row
        const sold = catalog.find(...splitId(action))?.action
        return {
          action,
          price: sold === undefined ? null : describePrice(sold).text,
          calls_with_known_cost: calls - callsWithUnknownCost,
          charged_usd: microsToUsd(chargedWithKnownCost),
          known_cost_usd: microsToUsd(cost),
          loss_usd: microsToUsd(cost - chargedWithKnownCost),
          what_to_do: adviceOn(row, sold?.price),
          is_replaceable: sold !== undefined && overrideKindOf(sold.price) !== undefined,
          transactions: addressOf({ ...asked, action }),
        }
      }),
    }
  })
}

function adviceOn(row: MarginRow, price: AnyPrice | undefined): string {
  if (price === undefined) return 'It is not sold any more. Nothing is to be done.'
  if (price === 'free') return 'It is free by now. Nothing is to be done.'
  const { calls, failedCalls, callsWithReportedCost, callsWithInvoicedCost } = row
  if (failedCalls * 2 > calls)
    return 'Most calls fail, and failed calls are free. Look at their errors first.'
  if (callsWithInvoicedCost > callsWithReportedCost)
    return 'Compare the invoice with the calls of its time, then raise the price or stop selling it.'
  return 'Raise the price, for everyone or for the groups that pay less, or stop selling it.'
}

const columnOf = {
  day: 'day',
  provider: 'provider',
  action: 'action',
  account: 'account_id',
} as const satisfies Partial<Record<MarginGroup, string>>

interface Asked {
  readonly from: Date
  readonly until: Date
  readonly timeZone: string
  readonly provider?: string | undefined
  readonly action?: string | undefined
  readonly accountId?: string | undefined
}

function showRow(row: MarginRow, asked: Asked) {
  const { day, provider, action, account, dayFrom, dayUntil } = row
  const margin = row.chargedWithKnownCost - row.cost
  const from = dayFrom !== undefined && dayFrom > asked.from ? dayFrom : asked.from
  const until = dayUntil !== undefined && dayUntil < asked.until ? dayUntil : asked.until
  return {
    ...(day === undefined ? {} : { day }),
    ...(provider === undefined ? {} : { provider }),
    ...(action === undefined ? {} : { action }),
    ...(account === undefined ? {} : { account_id: account }),
    calls: row.calls,
    failed_calls: row.failedCalls,
    charged_usd: microsToUsd(row.charged),
    known_cost_usd: microsToUsd(row.cost),
    charged_with_known_cost_usd: microsToUsd(row.chargedWithKnownCost),
    margin_usd: microsToUsd(margin),
    calls_with_reported_cost: row.callsWithReportedCost,
    calls_with_invoiced_cost: row.callsWithInvoicedCost,
    calls_with_declared_cost: row.callsWithDeclaredCost,
    calls_with_unknown_cost: row.callsWithUnknownCost,
    is_below_cost: row.chargedWithKnownCost < row.costOfSales,
    transactions: addressOf({
      from,
      until,
      provider: provider ?? asked.provider,
      action: action ?? asked.action,
      accountId: account ?? asked.accountId,
    }),
  }
}

function addressOf({ from, until, provider, action, accountId }: Omit<Asked, 'timeZone'>): string {
  const named = action ?? (provider === undefined ? undefined : `${provider}/*`)
  const filters = new URLSearchParams({
    type: 'call',
    sold: 'true',
    from: from.toISOString(),
    until: until.toISOString(),
    ...(named !== undefined && { action: named }),
    ...(accountId !== undefined && { account_id: accountId }),
  })
  return `${operatorPrefix}/transactions?${filters}`
}

function totalOf(rows: readonly MarginRow[]): MarginSums {
  const sum = (field: keyof MarginSums) => rows.reduce((all, row) => all + row[field], 0)
  return {
    calls: sum('calls'),
    failedCalls: sum('failedCalls'),
    charged: sum('charged'),
    cost: sum('cost'),
    costOfSales: sum('costOfSales'),
    chargedWithKnownCost: sum('chargedWithKnownCost'),
    callsWithReportedCost: sum('callsWithReportedCost'),
    callsWithInvoicedCost: sum('callsWithInvoicedCost'),
    callsWithDeclaredCost: sum('callsWithDeclaredCost'),
    callsWithUnknownCost: sum('callsWithUnknownCost'),
  }
}
