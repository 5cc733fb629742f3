// Income, known cost and margin as CSV, for spreadsheets.
import type { FastifyReply } from 'fastify'
import type { UsageGroup } from '#runner/history/usage.ts'
import { lineOf } from '../routes/transactions-csv.ts'

const sums = [
  'calls',
  'failed_calls',
  'charged_usd',
  'refunded_usd',
  'known_cost_usd',
  'calls_with_known_cost',
  'calls_with_unknown_cost',
  'charged_less_known_cost_usd',
] as const

/** A line for each row, with the groups that it was summed by. */
export function sendRevenueCsv(
  reply: FastifyReply,
  by: readonly UsageGroup[],
  rows: readonly object[],
) {
  const columns = [...by, ...sums]
  const lines = rows.map((row) => {
    const cells: Readonly<Record<string, unknown>> = { ...row }
    return lineOf(columns.map((column) => cells[column]))
  })
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="revenue.csv"')
    .header('cache-control', 'no-store')
    .send([lineOf(columns), ...lines].join(''))
}
