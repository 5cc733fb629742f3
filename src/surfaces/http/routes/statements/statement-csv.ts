// A monthly statement as CSV (RFC 4180). The amounts of its lines between the balances sum to the closing balance.
import { microsToUsd } from '#core/money.ts'
import type { MonthlyStatement } from '#money/ledger/monthly-statements.ts'
import { lineOf } from '../transactions-csv.ts'
import { movementWords } from './movement-words.ts'

export interface StatementAccount {
  readonly id: string
  readonly name: string | null
}

const columns = ['account_id', 'account', 'month', 'line', 'action', 'count', 'amount_usd'] as const

export function writeStatementCsv(
  { id, name }: StatementAccount,
  { month, opening, movements, closing }: MonthlyStatement,
): string {
  const line = (...cells: readonly unknown[]) => lineOf([id, name, month, ...cells])
  return [
    lineOf(columns),
    line('opening_balance', null, null, microsToUsd(opening)),
    ...movements.map(({ kind, action, count, amount }) =>
      line(movementWords[kind].kind, action, count, microsToUsd(amount)),
    ),
    line('closing_balance', null, null, microsToUsd(closing)),
  ].join('')
}
