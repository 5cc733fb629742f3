// Transactions as CSV (RFC 4180), page after page, so that neither side keeps them in memory.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { fail } from '#core/errors.ts'
import type {
  Statement,
  StatementFilter,
  StatementOwner,
  StatementRow,
} from '#runner/history/statement.ts'

const rowsMax = 1_000_000
const rowsPerStep = 1_000

const columns = [
  'transaction_id',
  'type',
  'action',
  'status',
  'amount_usd',
  'charged_usd',
  'key_id',
  'idempotency_key',
  'error',
  'message',
  'reason',
  'created_at',
  'ended_at',
] as const

/** For the operator, who sees all accounts. */
export const operatorColumns = ['account_id', ...columns, 'cost_usd', 'cost_source'] as const

/** Sends the rows that the filter finds, newest first. Throws `bad_request` when there are too many. */
export async function sendCsv(
  reply: FastifyReply,
  {
    statement,
    owner,
    filter,
    show,
    names = columns,
  }: {
    statement: Statement
    owner: StatementOwner
    filter: StatementFilter
    show: (row: StatementRow) => object
    names?: readonly string[]
  },
) {
  if (await statement.exceeds(owner, filter, rowsMax)) {
    throw fail('bad_request', {
      message: `These are more than ${rowsMax} transactions. Ask for a shorter time with from and until.`,
    })
  }
  async function* lines() {
    yield lineOf(names)
    let after = filter.after
    for (;;) {
      const rows = await statement.list(owner, { ...filter, after, limit: rowsPerStep })
      for (const row of rows) {
        const shown = show(row) as Record<string, unknown>
        yield lineOf(names.map((name) => shown[name]))
      }
      after = rows.at(-1)?.id
      if (rows.length < rowsPerStep) return
    }
  }
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="transactions.csv"')
    .header('cache-control', 'no-store')
    .send(Readable.from(lines()))
}

export const lineOf = (cells: readonly unknown[]) => `${cells.map(cellOf).join(',')}\r\n`

const number = /^-?\d+(\.\d+)?$/
/** What a spreadsheet would compute, some also in the wide characters of Chinese and Japanese. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = value instanceof Date ? value.toISOString() : String(value)
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
