// /api/v1/admin/transactions and /revenue: the books across all accounts.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { type Micros, microsToUsd } from '#core/money.ts'
import type { CallRecord } from '#runner/history/calls.ts'
import type { Statement, StatementRow } from '#runner/history/statement.ts'
import type { UsageRow, UsageSums } from '#runner/history/usage.ts'
import { readInput } from '../input.ts'
import {
  readFilter,
  showPage,
  showTransaction,
  transactionsFilter,
  transactionsQuery,
} from '../routes/transaction-rows.ts'
import { operatorColumns, sendCsv } from '../routes/transactions-csv.ts'
import { readUsageQuery, revenueQuery, showUsage, showUsageRow } from '../routes/usage.ts'

const whose = { account_id: z.uuid().optional() }
export const allTransactionsQuery = transactionsQuery.extend(whose)
export const allTransactionsFilter = transactionsFilter.extend(whose)

export function addAdminBooksRoutes(
  admin: FastifyInstance,
  prefix: string,
  dependencies: { statement: Statement; usage: UsageSums },
) {
  const { statement, usage } = dependencies
  admin.get(`${prefix}/transactions`, async (request) => {
    const { account_id, ...query } = readInput(allTransactionsQuery, request.query)
    const found = await statement.list({ accountId: account_id }, readFilter(query))
    return showPage(found, query.limit, showForOperator)
  })
  admin.get(`${prefix}/transactions.csv`, async (request, reply) => {
    const { account_id, ...query } = readInput(allTransactionsFilter, request.query)
    return await sendCsv(reply, {
      statement,
      owner: { accountId: account_id },
      filter: readFilter(query),
      show: showForOperator,
      names: operatorColumns,
    })
  })

  admin.get(`${prefix}/revenue`, async (request) => {
    const query = readUsageQuery(readInput(revenueQuery, request.query))
    const [summed, durations] = await Promise.all([usage.ofActions(query), durationsFor(query)])
    const took = new Map(durations.map(({ name, p50Ms, p95Ms }) => [name, { p50Ms, p95Ms }]))
    return showUsage(query.timeZone, summed, (row) => ({
      ...showRevenue(row),
      ...showDurations(took.get(row.action ?? row.service ?? '')),
    }))
  })

  /** Durations do not add up, so they are given for the whole time only. */
  async function durationsFor({
    by,
    from,
    until,
  }: ReturnType<typeof readUsageQuery<readonly string[]>>) {
    const [only] = by
    if (by.length > 1 || (only !== 'action' && only !== 'service')) return []
    return await usage.durations(only, { from, until })
  }
}

/** The owner's view, with the account and the cost that the provider reports; null where it reports none. */
export function showForOperator(row: StatementRow | (CallRecord & { accountId: string })) {
  const shown = { account_id: row.accountId, ...showTransaction(row) }
  if (!('cost' in row)) return shown
  return { ...shown, cost_usd: row.cost === null ? null : microsToUsd(row.cost) }
}

export function showRevenue(row: UsageRow) {
  const margin: Micros = row.charged - row.cost
  return {
    ...showUsageRow(row),
    known_cost_usd: microsToUsd(row.cost),
    calls_with_known_cost: row.callsWithKnownCost,
    calls_with_unknown_cost: row.calls - row.callsWithKnownCost,
    charged_less_known_cost_usd: microsToUsd(margin),
  }
}

export const showDurations = (took: { p50Ms: number; p95Ms: number } | undefined) =>
  took === undefined ? {} : { p50_ms: took.p50Ms, p95_ms: took.p95Ms }
