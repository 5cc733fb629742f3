// Transactions as CSV (RFC 4180), page after page, so that neither side keeps them in memory.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type {
  Statement,
  StatementFilter,
  StatementOwner,
  StatementRow,
} from '#runner/history/statement.ts'

const rowsMax = 1_000_000
const rowsPerStep = 1_000

const ownColumns = [
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
/** New columns come after these, so that programs which read columns by their place go on. */
const nameColumns = ['account_name', 'key_name'] as const

/** For the operator, who sees all accounts. */
export const operatorColumns = ['account_id', ...ownColumns, 'cost_usd', 'cost_source'] as const

/** The names of accounts and of keys by their ids. */
export interface NamesInCsv {
  readonly accounts: Pick<Accounts, 'names'>
  readonly keys: Pick<Keys, 'names'>
}

/** Sends the rows that the filter finds, newest first. Throws `bad_request` when there are too many. */
export async function sendCsv(
  reply: FastifyReply,
  {
    statement,
    owner,
    filter,
    show,
    columns = ownColumns,
    names,
  }: {
    statement: Statement
    owner: StatementOwner
    filter: StatementFilter
    show: (row: StatementRow) => object
    columns?: readonly string[]
    names: NamesInCsv
  },
) {
  if (await statement.exceeds(owner, filter, rowsMax)) {
    throw fail('bad_request', {
      message: `These are more than ${rowsMax} transactions. Ask for a shorter time with from and until.`,
    })
  }
  async function* lines() {
    yield lineOf([...columns, ...nameColumns])
    let after = filter.after
    for (;;) {
      const rows = await statement.list(owner, { ...filter, after, limit: rowsPerStep })
      const keyIds = rows.map((row) => ('keyId' in row ? row.keyId : null))
      const [accounts, keys] = await Promise.all([
        names.accounts.names(rows.map(({ accountId }) => accountId)),
        names.keys.names(keyIds.filter((id) => id !== null)),
      ])
      for (const [place, row] of rows.entries()) {
        const shown = membersOf(show(row))
        const key = keys.get(keyIds[place] ?? '')
        const named = [accounts.get(row.accountId), key?.name]
        yield lineOf([...columns.map((column) => shown[column]), ...named])
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
