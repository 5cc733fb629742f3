// Statements of an account by month (UTC): what was in it, each kind of change, and what was left. They are sums of
// postings, which money/schema/functions/days.sql keeps for closed days.
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import type { Ledger } from './ledger.ts'

/** What changes a balance, in the order of the statement. */
export const movementKinds = [
  'charge',
  'topup',
  'credit',
  'debit',
  'credit_expired',
  'provisional_credit',
  'provisional_credit_end',
  'refund_due',
  'refund_cancelled',
] as const

export type MovementKind = (typeof movementKinds)[number]

export interface Movement {
  readonly kind: MovementKind
  /** Of charges. */
  readonly action: string | null
  /** How many there were: of charges, the calls that were charged. */
  readonly count: number
  /** The change of the balance: negative for what was taken. */
  readonly amount: Micros
}

export interface MonthSummary {
  /** YYYY-MM, of UTC. */
  readonly month: string
  readonly from: Date
  readonly until: Date
  /** Nothing can be posted in this month any more: the statement stays as it is. */
  readonly isClosed: boolean
  readonly opening: Micros
  readonly added: Micros
  readonly taken: Micros
  readonly closing: Micros
}

export interface MonthlyStatement extends MonthSummary {
  readonly movements: readonly Movement[]
}

export interface MonthlyStatements {
  /** Newest first: from the month of the first posting to the present one. */
  list(accountId: string): Promise<MonthSummary[]>
  /** Undefined for a month that the list does not have. */
  read(accountId: string, month: string): Promise<MonthlyStatement | undefined>
}

interface MonthRow {
  readonly month: string
  readonly added: Micros
  readonly taken: Micros
}

interface MovementRow extends Movement {
  readonly action: string
}

/** The sums of an account by day: those of closed days, and of the days since then. Of one moment. */
const days = `(
    select day, kind, action, postings, amount from posted_day where account_id = $1
    union all
    select s.day, s.kind, s.action, s.postings, s.amount from posted_until u, sum_postings($1, u.day) s where u.account_id = $1
  ) d`

export function createMonthlyStatements({
  database,
  ledger,
}: {
  database: Database
  ledger: Pick<Ledger, 'catchUp'>
}): MonthlyStatements {
  /** Sums what can be summed for good. Resolves to the first day that is open, and the present month. */
  async function sumDays(accountId: string) {
    await ledger.catchUp(accountId)
    const [row] = await database.query<{ openFrom: string; present: string }>(
      `select to_char(sum_days($1), 'YYYY-MM-DD') as "openFrom", to_char(utc_day(now()), 'YYYY-MM') as present`,
      [accountId],
    )
    if (row === undefined) throw new Error('PostgreSQL returned no row for the sums of an account.')
    return row
  }

  async function list(accountId: string): Promise<MonthSummary[]> {
    const { openFrom, present } = await sumDays(accountId)
    const rows = await database.query<MonthRow>(
      `select to_char(day, 'YYYY-MM') as month, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as added,
         coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as taken
       from ${days} group by 1 order by 1`,
      [accountId],
    )
    return summarise(rows, { openFrom, present })
  }

  return {
    list,
    async read(accountId, month) {
      const summary = (await list(accountId)).find((each) => each.month === month)
      if (summary === undefined) return undefined
      const rows = await database.query<MovementRow>(
        `select kind, action, sum(postings)::bigint as count, sum(amount)::bigint as amount
         from ${days} where day >= $2::date and day < ($2::date + interval '1 month') group by kind, action`,
        [accountId, `${month}-01`],
      )
      const movements = rows
        .map((row) => ({ ...row, action: row.kind === 'charge' ? row.action : null }))
        .sort(inOrder)
      return { ...withSums(summary, movements), movements }
    },
  }
}

/** Months without postings are there too. */
function summarise(
  rows: readonly MonthRow[],
  { openFrom, present }: { openFrom: string; present: string },
): MonthSummary[] {
  const summaries: MonthSummary[] = []
  const byMonth = new Map(rows.map((row) => [row.month, row]))
  let opening = 0
  for (let month = rows[0]?.month ?? present; month <= present; month = monthAfter(month)) {
    const { added = 0, taken = 0 } = byMonth.get(month) ?? {}
    const closing = opening + added - taken
    const [from, until] = [month, monthAfter(month)].map((each) => new Date(`${each}-01T00:00Z`))
    if (from === undefined || until === undefined) break
    const isClosed = until <= new Date(`${openFrom}T00:00Z`)
    summaries.unshift({ month, from, until, isClosed, opening, added, taken, closing })
    opening = closing
  }
  return summaries
}

/** Something may have been posted to an open month since it was summarised. */
function withSums(summary: MonthSummary, movements: readonly Movement[]): MonthSummary {
  const sumOfSign = (sign: 1 | -1) =>
    movements.reduce(
      (sum, { amount }) => (Math.sign(amount) === sign ? sum + amount * sign : sum),
      0,
    )
  const [added, taken] = [sumOfSign(1), sumOfSign(-1)]
  return { ...summary, added, taken, closing: summary.opening + added - taken }
}

function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`
}

const inOrder = (one: Movement, other: Movement) =>
  movementKinds.indexOf(one.kind) - movementKinds.indexOf(other.kind) ||
  ((one.action ?? '') < (other.action ?? '') ? -1 : 1)
