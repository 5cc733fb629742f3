// The filters of lists of transactions. Empty: not filtered.
import type { Routes } from '@tollway/client'
import { filled } from '../filled.ts'
import { readCents } from '../format/money.ts'

export type Filters = {
  readonly status: string
  readonly type: string
  readonly action: string
  /** Days of the reader, as YYYY-MM-DD, both included. */
  readonly from: string
  readonly until: string
  /** The id of a key. */
  readonly key: string
  /** Amounts in dollars as a person types them, both included. */
  readonly least: string
  readonly most: string
  /** `true` and `false`: only calls at the price 0, and all but these. `day`: only free calls of a day. */
  readonly free: string
}

/** Calls at the price 0 would fill the list. */
export const noFilters: Filters = {
  status: '',
  type: '',
  action: '',
  from: '',
  until: '',
  key: '',
  least: '',
  most: '',
  free: 'false',
}

type TransactionsQuery = Routes['GET /api/v1/transactions.csv']['query']

/**
 * The parameters that the gateway takes. Days become times in the reader's time zone, and dollars become cents. An
 * amount that is not one yet filters nothing.
 */
export function queryOf({
  from,
  until,
  key,
  least,
  most,
  free,
  ...filters
}: Filters): TransactionsQuery {
  return filled({
    ...filters,
    ...(free === 'day' ? { within_free_calls: 'true' } : { free }),
    from: midnight(from, 0),
    until: midnight(until, 1),
    key_id: key,
    min_cents: readCents(least),
    max_cents: readCents(most),
  }) as TransactionsQuery
}

/** The beginning of a day, or of a later one. */
export function midnight(day: string, daysLater: number): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  if (year === undefined) return ''
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString()
}
