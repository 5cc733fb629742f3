// The filters of lists of transactions. Empty: not filtered.

export interface Filters {
  readonly status: string
  readonly type: string
  readonly action: string
  /** Days of the reader, as YYYY-MM-DD, both included. */
  readonly from: string
  readonly until: string
}

export const noFilters: Filters = { status: '', type: '', action: '', from: '', until: '' }

interface TransactionsQuery {
  readonly status?: 'running' | 'succeeded' | 'failed'
  readonly type?: 'call' | 'credit' | 'debit' | 'topup'
  readonly action?: string
  readonly from?: string
  readonly until?: string
}

/** The parameters that the gateway takes. Days become times in the reader's time zone. */
export function queryOf({ from, until, ...filters }: Filters): TransactionsQuery {
  const given = Object.entries({ ...filters, from: midnight(from, 0), until: midnight(until, 1) })
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

/** The beginning of a day, or of a later one. */
function midnight(day: string, daysLater: number): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  if (year === undefined) return ''
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString()
}
