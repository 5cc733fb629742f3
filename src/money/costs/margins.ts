// What calls have brought and cost, by action, provider, account and day. A margin is over the calls whose cost is
// known: an unknown cost is counted, and never taken for zero.
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export type MarginGroup = 'day' | 'provider' | 'action' | 'account' | 'error'

export interface MarginQuery {
  /** Calls that began in [from, until) and have ended. */
  readonly from: Date
  readonly until: Date
  /** Days begin and end in this time zone. */
  readonly timeZone: string
  readonly by: readonly MarginGroup[]
  readonly provider?: string | undefined
  readonly action?: string | undefined
  readonly accountId?: string | undefined
  readonly limit: number
}

export interface MarginSums {
  readonly calls: number
  readonly failedCalls: number
  readonly charged: Micros
  readonly cost: Micros
  /** Without that of calls at the price 0. */
  readonly costOfSales: Micros
  /** What the calls were charged whose cost is known. */
  readonly chargedWithKnownCost: Micros
  readonly callsWithReportedCost: number
  readonly callsWithInvoicedCost: number
  readonly callsWithDeclaredCost: number
  readonly callsWithUnknownCost: number
}

export interface MarginRow extends MarginSums {
  /** YYYY-MM-DD, in the time zone of the query. */
  readonly day?: string
  readonly provider?: string
  readonly action?: string
  readonly account?: string
  /** Empty: the calls that succeeded. */
  readonly error?: string
  /** When the day begins and ends. */
  readonly dayFrom?: Date
  readonly dayUntil?: Date
}

export interface Margins {
  /** Throws `bad_request` for an unknown time zone. */
  list(query: MarginQuery): Promise<MarginRow[]>
  /** Whether the operator has told any cost. Otherwise only replies have, and their sums need no look at each call. */
  hasOwnCosts(): Promise<boolean>
  /**
   * The actions whose calls of the last 30 days have cost more than they brought, the largest loss first. Calls at the
   * price 0 are left out: the operator has meant to lose what they cost.
   */
  belowCost(): Promise<Pick<MarginQuery, 'from' | 'until'> & { rows: MarginRow[] }>
}

const daysWatched = 30
const dayMs = 86_400_000
const actionsMax = 1_000

const groups = {
  day: `to_char(created_at at time zone $3::text, 'YYYY-MM-DD')`,
  provider: `split_part(action, '/', 1)`,
  action: 'action',
  account: 'account_id',
  error: 'error',
} as const satisfies Record<MarginGroup, string>

const sums = `count(*) as calls, count(*) filter (where state = 'voided') as "failedCalls",
  coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(cost), 0)::bigint as cost,
  coalesce(sum(cost) filter (where is_sale), 0)::bigint as "costOfSales",
  coalesce(sum(charged) filter (where cost is not null), 0)::bigint as "chargedWithKnownCost",
  count(*) filter (where source = 'reported') as "callsWithReportedCost",
  count(*) filter (where source = 'invoice') as "callsWithInvoicedCost",
  count(*) filter (where source = 'declared') as "callsWithDeclaredCost",
  count(*) filter (where source is null) as "callsWithUnknownCost"`

/** The bounds of the day of a row. */
const dayBounds = `day::date::timestamp at time zone $3::text as "dayFrom",
  (day::date + 1)::timestamp at time zone $3::text as "dayUntil"`

export function createMargins({ database, clock }: { database: Database; clock: Clock }): Margins {
  async function list(query: MarginQuery, { only = 'true', having = '' } = {}) {
    const { from, until, timeZone, by, provider, action, accountId, limit } = query

    const columns = by.map((group) => `${groups[group]} as ${group}, `).join('')
    const bounds = by.includes('day') ? `, ${dayBounds}` : ''
    const places = by.map((_group, place) => place + 1).join(', ')
    const grouped = by.length === 0 ? '' : `group by ${places} ${having} order by ${places}`
    return await database
      .query<MarginRow>(
        `select g.*${bounds} from (select ${columns} ${sums} from call_cost
           where created_at >= $1 and created_at < $2 and $3::text is not null
             and call_id >= uuid_floor($1::timestamptz - interval '10 minutes')
             and call_id < uuid_floor($2::timestamptz + interval '10 minutes')
             and ($4::text is null or split_part(action, '/', 1) = $4) and ($5::text is null or action = $5)
             and ($6::uuid is null or account_id = $6) and ${only}
           ${grouped} limit ${limit}) g`,
        [from, until, timeZone, provider ?? null, action ?? null, accountId ?? null],
      )
      .catch(refuseTimeZone)
  }

  return {
    list: (query) => list(query),
    async hasOwnCosts() {
      const [row] = await database.query<{ has: boolean }>(
        'select exists (select from declared_cost) or exists (select from vendor_invoice) as has',
      )
      return row?.has ?? true
    },
    async belowCost() {
      const until = new Date(clock.now())
      const from = new Date(until.getTime() - daysWatched * dayMs)
      const rows = await list(
        { from, until, timeZone: 'UTC', by: ['action'], limit: actionsMax },
        {
          only: 'is_sale',
          having: 'having sum(cost) > coalesce(sum(charged) filter (where cost is not null), 0)',
        },
      )
      const lossOf = (row: MarginRow) => row.cost - row.chargedWithKnownCost
      return { from, until, rows: rows.sort((one, other) => lossOf(other) - lossOf(one)) }
    },
  }
}

function refuseTimeZone(thrown: unknown): never {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === '22023')
    throw fail('bad_request', {
      message: 'time_zone must be a name of the IANA database, such as Europe/Berlin, or UTC.',
    })
  throw thrown
}
