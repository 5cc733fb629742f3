// /api/v1/admin/transactions and /revenue: the books across all accounts.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { type Micros, microsToUsd } from '#core/money.ts'
import type { CallRecord, ToldCost } from '#runner/history/calls.ts'
import type { Statement, StatementRow } from '#runner/history/statement.ts'
import type { UsageRow, UsageSums } from '#runner/history/usage.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { list, object, objectWith, page, text, textOrNull } from '../../doors/shapes.ts'
import { pageOf } from '../paging.ts'
import { sumOf, transactionSum } from '../routes/statements/transaction-sums.ts'
import {
  readFilter,
  showTransaction,
  transactionExtras,
  transactionFields,
  transactionsFilter,
  transactionsQuery,
} from '../routes/transaction-rows.ts'
import { type NamesInCsv, operatorColumns, sendCsv } from '../routes/transactions-csv.ts'
import {
  readUsageQuery,
  revenueQuery,
  showUsage,
  showUsageRow,
  usageGroups,
} from '../routes/usage.ts'
import { accountName, withAccountNames } from './account-names.ts'
import { durations, margin } from './answers.ts'
import { sendRevenueCsv } from './revenue-csv.ts'

const whose = {
  account_id: z.uuid().optional(),
  sold: z.literal('true').optional().describe('Only calls of actions, without top-ups.'),
}
const allTransactionsQuery = transactionsQuery.extend(whose)
const allTransactionsFilter = transactionsFilter.extend(whose)

export const operatedTransaction = objectWith(
  { account_id: text, ...transactionFields },
  {
    ...transactionExtras,
    ...accountName,
    cost_usd: { ...textOrNull, description: 'What it cost at the vendor. Null: it is not known.' },
    cost_source: {
      enum: ['reported', 'invoice', 'declared', null],
      description: 'Whether the reply, an invoice or the operator has told the cost.',
    },
  },
)

export const listAllTransactions = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/transactions`,
  who: 'operator',
  summary: 'The transactions of all accounts, newest first.',
  query: allTransactionsQuery,
  answer: page({ transactions: list(operatedTransaction) }),
})
export const exportAllTransactions = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/transactions.csv`,
  who: 'operator',
  summary: 'The transactions of all accounts as CSV, newest first.',
  query: allTransactionsFilter,
  type: 'text/csv',
})
export const sumAllTransactions = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/transactions/sum`,
  who: 'operator',
  summary: 'How many transactions of all accounts a filter finds, and what they add up to.',
  query: allTransactionsFilter,
  answer: transactionSum,
})
export const readRevenue = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/revenue`,
  who: 'operator',
  summary: 'Income, cost and margin: sums of the calls of all accounts.',
  query: revenueQuery,
  answer: object({
    from: text,
    until: text,
    time_zone: text,
    rows: list(objectWith(margin, { ...usageGroups, ...durations })),
    total: object(margin),
  }),
})

export const exportRevenue = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/revenue.csv`,
  who: 'operator',
  summary: 'Income, cost and margin as CSV.',
  query: revenueQuery,
  type: 'text/csv',
})

export function addAdminBooksRoutes(
  admin: FastifyInstance,
  dependencies: { statement: Statement; usage: UsageSums } & NamesInCsv,
) {
  const { statement, usage, accounts } = dependencies
  const filterOf = ({
    sold,
    ...query
  }: Parameters<typeof readFilter>[0] & { sold?: 'true' | undefined }) => ({
    ...readFilter(query),
    isSold: sold && true,
    withCosts: true,
  })
  addRoute(admin, listAllTransactions, async ({ query: { account_id, ...query } }) => {
    const found = await statement.list({ accountId: account_id }, filterOf(query))
    const { rows, next_cursor } = pageOf(found, query.limit, ({ id }) => id)
    return {
      transactions: await withAccountNames(accounts, rows.map(showForOperator)),
      next_cursor,
    }
  })
  addRoute(admin, sumAllTransactions, ({ query: { account_id, ...query } }) =>
    sumOf(statement, { accountId: account_id }, filterOf(query)),
  )
  addRoute(admin, exportAllTransactions, async ({ query: { account_id, ...query } }, reply) => {
    return await sendCsv(reply, {
      statement,
      owner: { accountId: account_id },
      filter: filterOf(query),
      show: showForOperator,
      columns: operatorColumns,
      names: dependencies,
    })
  })

  addRoute(admin, readRevenue, async (asked) => {
    const query = readUsageQuery(asked.query)
    const [summed, durations] = await Promise.all([usage.ofActions(query), durationsFor(query)])
    const took = new Map(durations.map(({ name, p50Ms, p95Ms }) => [name, { p50Ms, p95Ms }]))
    return showUsage(query.timeZone, summed, (row) => ({
      ...showRevenue(row),
      ...showDurations(took.get(row.action ?? row.service ?? '')),
    }))
  })

  addRoute(admin, exportRevenue, async (asked, reply) => {
    const query = readUsageQuery(asked.query)
    const { rows } = showUsage(query.timeZone, await usage.ofActions(query), showRevenue)
    return sendRevenueCsv(reply, query.by, rows)
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

/** The owner's view, with the account, and what the call has cost; null where that is not known. */
export function showForOperator(
  row: StatementRow | (CallRecord & ToldCost & { accountId: string }),
) {
  const shown = { account_id: row.accountId, ...showTransaction(row) }
  if (!('cost' in row)) return shown
  const { knownCost = null, costSource = null } = row
  return {
    ...shown,
    cost_usd: knownCost === null ? null : microsToUsd(knownCost),
    cost_source: costSource,
  }
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
