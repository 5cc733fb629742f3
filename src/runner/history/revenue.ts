// The revenue of calls, and their cost to the operator as far as it is known.
import { uuidv7Floor } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import { clockSkewMsMax } from './statement.ts'

export type RevenueGroup = 'day' | 'service' | 'action'

export interface RevenueRow {
  /** UTC, YYYY-MM-DD. */
  readonly day?: string
  readonly service?: string
  readonly action?: string
  readonly calls: number
  readonly failedCalls: number
  readonly charged: Micros
  /** The cost that providers and sellers report. Failed calls may cost too. */
  readonly cost: Micros
  readonly callsWithKnownCost: number
}

export interface Revenue {
  /** Sums over calls that began in [from, until) and have ended. At most `limit` rows. */
  list(options: {
    from: Date
    until: Date
    by: readonly RevenueGroup[]
    limit: number
  }): Promise<RevenueRow[]>
}

const groups = {
  day: `to_char(created_at at time zone 'utc', 'YYYY-MM-DD')`,
  service: `split_part(action, '/', 1)`,
  action: 'action',
} as const satisfies Record<RevenueGroup, string>

export function createRevenue(database: Database): Revenue {
  return {
    list({ from, until, by, limit }) {
      const columns = by.map((group) => `${groups[group]} as ${group}, `).join('')
      const places = by.map((_group, place) => place + 1).join(', ')
      // A top-up becomes revenue only when the account spends it.
      return database.query(
        `select ${columns} count(*)::integer as calls,
           (count(*) filter (where state = 'voided'))::integer as "failedCalls",
           coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(cost), 0)::bigint as cost,
           count(cost)::integer as "callsWithKnownCost"
         from call
         where id >= $1 and id < $2 and created_at >= $3 and created_at < $4 and state <> 'held' and action <> 'topups'
         ${by.length === 0 ? '' : `group by ${places} order by ${places}`} limit $5`,
        [
          uuidv7Floor(from.getTime() - clockSkewMsMax),
          uuidv7Floor(until.getTime() + clockSkewMsMax),
          from,
          until,
          limit,
        ],
      )
    },
  }
}
