// /api/v1/admin/transactions and /revenue: the books across all accounts.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { type Micros, microsToUsd } from '#core/money.ts'
import type { CallRecord } from '#runner/history/calls.ts'
import type { Revenue, RevenueRow } from '#runner/history/revenue.ts'
import type { Statement, StatementRow } from '#runner/history/statement.ts'
import { readInput, showAmount } from '../input.ts'
import {
  readFilter,
  showPage,
  showTransaction,
  transactionsQuery,
} from '../routes/transaction-rows.ts'

const dayMs = 86_400_000
const daysShown = 30
const daysMax = 366
const rowsMax = 10_000

const allTransactionsQuery = transactionsQuery.extend({
  account_id: z.uuid().optional(),
  key_id: z.uuid().optional(),
})

const group = z.enum(['day', 'service', 'action'])
const revenueQuery = z.strictObject({
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  by: z
    .string()
    .default('day')
    .transform((text) => text.split(','))
    .pipe(z.array(group).min(1).max(3)),
})

export function addAdminBooksRoutes(
  admin: FastifyInstance,
  prefix: string,
  dependencies: { statement: Statement; revenue: Revenue },
) {
  const { statement, revenue } = dependencies
  admin.get(`${prefix}/transactions`, async (request) => {
    const { account_id, key_id, ...query } = readInput(allTransactionsQuery, request.query)
    const whose = { accountId: account_id, keyId: key_id }
    const found = await statement.list(whose, readFilter(query))
    return showPage(found, query.limit, showForOperator)
  })

  admin.get(`${prefix}/revenue`, async (request) => {
    const query = readInput(revenueQuery, request.query)
    const until = query.until === undefined ? new Date() : new Date(query.until)
    const from =
      query.from === undefined
        ? new Date(until.getTime() - daysShown * dayMs)
        : new Date(query.from)
    if (from >= until || until.getTime() - from.getTime() > daysMax * dayMs) {
      throw fail('bad_request', {
        message: `from must be before until, by at most ${daysMax} days.`,
      })
    }
    const by = [...new Set(query.by)]
    const rows = await revenue.list({ from, until, by, limit: rowsMax + 1 })
    if (rows.length > rowsMax) {
      throw fail('bad_request', {
        message: `The answer would have more than ${rowsMax} rows. Ask for fewer days or fewer groups.`,
      })
    }
    const [total] = await revenue.list({ from, until, by: [], limit: 1 })
    return { from, until, rows: rows.map(showRevenue), total: total && showRevenue(total) }
  })
}

/** The owner's view, with the account and the cost that the provider reports; null where it reports none. */
export function showForOperator(row: StatementRow | (CallRecord & { accountId: string })) {
  const shown = { account_id: row.accountId, ...showTransaction(row) }
  if (!('cost' in row)) return shown
  return { ...shown, cost_usd: row.cost === null ? null : microsToUsd(row.cost) }
}

function showRevenue({
  calls,
  failedCalls,
  charged,
  cost,
  callsWithKnownCost,
  ...groups
}: RevenueRow) {
  const margin: Micros = charged - cost
  return {
    ...groups,
    calls,
    failed_calls: failedCalls,
    ...showAmount('charged', charged, 'up'),
    known_cost_usd: microsToUsd(cost),
    calls_with_known_cost: callsWithKnownCost,
    charged_less_known_cost_usd: microsToUsd(margin),
  }
}
