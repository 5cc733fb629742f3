// What calls have cost, summed by day, action, key or error. The sums are kept by hour and by quarter hour
// (money/schema/functions/usage.sql), so that a million calls are read as fast as a thousand.
import type { Owner } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Log } from '#core/ports.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import { errorCodeOf } from '#platform/thrown.ts'

export type UsageGroup = 'day' | 'service' | 'action' | 'key' | 'error'

export interface UsageQuery {
  /**
   * Calls that began in [from, until) and have ended. The time is widened to whole hours, or to whole quarter hours in
   * the few time zones whose days do not begin with an hour of UTC.
   */
  readonly from: Date
  readonly until: Date
  /** In which days begin and end: a name of the IANA database, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** `key` needs an account; `error` is known for all accounts together only. */
  readonly by: readonly UsageGroup[]
  readonly keyId?: string | undefined
  /** At most this many rows. */
  readonly limit: number
}

export interface UsageRow {
  /** YYYY-MM-DD, in the time zone of the query. */
  readonly day?: string
  readonly service?: string
  readonly action?: string
  readonly key?: string
  /** Empty: the calls that succeeded. */
  readonly error?: string
  readonly calls: number
  readonly failedCalls: number
  readonly charged: Micros
  /** Owed back to wallets, whether or not it is on the chain yet. */
  readonly refunded: Micros
  /** What replies have told. The operator reads all that is known (`known-costs.ts`). Failed calls may cost too. */
  readonly cost: Micros
  readonly callsWithKnownCost: number
}

export interface SummedUsage {
  /** The time that the rows cover. */
  readonly from: Date
  readonly until: Date
  readonly rows: readonly UsageRow[]
}

/** How long successful calls took, exact to 5 %. */
export interface Durations {
  readonly name: string
  readonly p50Ms: number
  readonly p95Ms: number
}

/** What the calls of one action have brought and cost. */
export interface ActionUsage
  extends Pick<UsageRow, 'calls' | 'charged' | 'cost' | 'callsWithKnownCost'> {
  /** The calls that were not free: a miss may be, and a failed call is. */
  readonly chargedCalls: number
  /** What the calls would have been charged at the price of the catalog. */
  readonly chargedAtCatalog: Micros
  /** The largest cost that a reply has told of a call that was charged. Null: no such cost is known. */
  readonly worstCost: Micros | null
  /** The largest such cost as a part of its charge at the price of the catalog, in millionths. */
  readonly worstCostShare: number | null
}

/** The charged calls of an action that delivered alike. */
export interface UnitUsage extends Pick<UsageRow, 'calls' | 'charged'> {
  /** Null: they were not noted. */
  readonly units: number | null
  /** The largest cost that a reply has told of such a call. */
  readonly worstCost: Micros | null
}

export interface UsageSums {
  ofAccount(owner: Owner, query: UsageQuery): Promise<SummedUsage>
  /** Of all accounts. A top-up is left out: it becomes revenue when the account spends it. */
  ofActions(query: UsageQuery): Promise<SummedUsage>
  /** Of all calls of an action that began in the hour of `from` or later. */
  ofAction(action: string, from: Date): Promise<ActionUsage>
  /** Of the charged ones among these, by what they delivered. It looks at each call. */
  byUnits(action: string, from: Date): Promise<UnitUsage[]>
  /** Of the days (UTC) that the time touches. */
  durations(
    by: 'service' | 'action',
    time: Pick<UsageQuery, 'from' | 'until'>,
  ): Promise<Durations[]>
  /** Adds what has happened to the sums. They are read complete without it, only more slowly. */
  sum(): Promise<void>
  close(): Promise<void>
}

const minuteMs = 60_000
/** The lengths of the times that rows sum up. */
const lengthsMs = { hour: 60 * minuteMs, quarter: 15 * minuteMs } as const
const eventsPerStep = 5_000
const sumIntervalMs = 10_000

const sums = `sum(calls)::bigint as calls, sum(failed_calls)::bigint as "failedCalls", sum(charged)::bigint as charged,
  sum(refunded)::bigint as refunded, sum(cost)::bigint as cost, sum(calls_with_cost)::bigint as "callsWithKnownCost"`

const eventColumns = `case error when '' then 0 else calls end as failed_calls, charged, refunded,
  coalesce(cost, 0) as cost, (cost is not null)::integer as calls_with_cost`

const groups = {
  day: 'width_bucket(since, $3::timestamptz[])',
  service: `split_part(action, '/', 1)`,
  action: 'action',
  key: `nullif(key_id, '00000000-0000-0000-0000-000000000000')`,
  error: 'error',
} as const satisfies Record<UsageGroup, string>

/** Days are numbered from one. */
const dayOfNumber = `to_char(($1::timestamptz at time zone $4)::date + day - 1, 'YYYY-MM-DD') as day`

const isOf = {
  account: `account_id = $5 and ($6::uuid is null or key_id = $6)`,
  all: `action <> 'topups'`,
}

type Length = keyof typeof lengthsMs

const ofAccount = (
  length: Length,
) => `select since, action, key_id, calls, failed_calls, charged, refunded, cost, calls_with_cost
    from usage_of_account_by_${length} where ${isOf.account} and since >= $1 and since < $2
  union all
  select quarter, action, key_id, calls, ${eventColumns} from usage_event
    where ${isOf.account} and quarter >= $1 and quarter < $2`

const ofActions = (
  length: Length,
) => `select since, action, error, calls, case error when '' then 0 else calls end as failed_calls, charged, refunded,
      cost, calls_with_cost
    from usage_of_action_by_${length} where ${isOf.all} and since >= $1 and since < $2
  union all
  select quarter, action, error, calls, ${eventColumns} from usage_event
    where ${isOf.all} and quarter >= $1 and quarter < $2`

const ofAction = `select coalesce(sum(calls), 0)::bigint as calls, coalesce(sum(charged_calls), 0)::bigint as "chargedCalls",
    coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(cost), 0)::bigint as cost,
    coalesce(sum(calls_with_cost), 0)::bigint as "callsWithKnownCost", max(cost_max)::bigint as "worstCost",
    coalesce(sum(charged_at_catalog), 0)::bigint as "chargedAtCatalog", max(cost_share_max)::bigint as "worstCostShare"
  from (
    select calls, charged_calls, charged, cost, calls_with_cost, cost_max, charged_at_catalog, cost_share_max from usage_of_action_by_hour
      where action = $1 and since >= $2
    union all
    select calls, (charged > 0)::integer, charged, coalesce(cost, 0), (cost is not null)::integer, case when charged > 0 then cost end,
        charged_at_catalog, case when charged_at_catalog > 0 then ceil(cost * 1000000.0 / charged_at_catalog) end
      from usage_event where action = $1 and quarter >= $2
  ) u`

const byUnits = `select (timeline->>'units')::bigint as units, count(*) as calls, sum(charged)::bigint as charged,
    max(told_cost(charged, cost, timeline)) as "worstCost"
  from call
  where action = $1 and charged > 0 and state = 'settled' and created_at >= $2
    and id >= uuid_floor($2::timestamptz - interval '10 minutes')
  group by 1`

export function createUsageSums({
  database,
  ledger,
  log,
}: {
  database: Database
  ledger: Pick<Ledger, 'catchUp'>
  log: Log
}): UsageSums {
  async function list(
    source: (length: Length) => string,
    query: UsageQuery,
    more: readonly unknown[],
  ) {
    const { by, timeZone, limit } = query
    const midnights = await listMidnights(database, query)
    const isWhole = midnights.every((at) => at.getTime() % lengthsMs.hour === 0)
    const length = isWhole ? 'hour' : 'quarter'
    const { from, until } = widen(query, lengthsMs[length])
    const columns = by.map((group) => `${groups[group]} as ${group}, `).join('')
    const names = by.map((group) => (group === 'day' ? dayOfNumber : group))
    const places = by.map((_group, place) => place + 1).join(', ')
    const grouped = by.length === 0 ? '' : `group by ${places} order by ${places}`
    const sumNames = `calls, "failedCalls", charged, refunded, cost, "callsWithKnownCost"`
    const rows = await database.query<UsageRow>(
      `select ${[...names, sumNames].join(', ')}
       from (select ${columns} ${sums} from (${source(length)}) u ${grouped} limit ${limit}) g
       where calls is not null and $3::timestamptz[] is not null and $4::text is not null`,
      [from, until, midnights, timeZone, ...more],
    )
    return { from, until, rows }
  }

  async function sum() {
    for (;;) {
      const [row] = await database.query<{ events: number }>('select sum_usage($1) as events', [
        eventsPerStep,
      ])
      if ((row?.events ?? 0) < eventsPerStep) return
    }
  }

  const recurring = runEvery(sumIntervalMs, sum, (error) =>
    log.warn({ err: error }, 'The sums of usage will be brought up to date later.'),
  )

  return {
    async ofAccount({ accountId, keyId }, query) {
      await ledger.catchUp(accountId)
      return await list(ofAccount, query, [accountId, keyId ?? query.keyId ?? null])
    },
    ofActions: (query) => list(ofActions, query, []),
    async ofAction(action, from) {
      const since = widen({ from, until: from }, lengthsMs.hour).from
      const [row] = await database.query<ActionUsage>(ofAction, [action, since])
      if (row === undefined) throw new Error('PostgreSQL returned no row for a sum.')
      return row
    },
    byUnits: (action, from) =>
      database.query<UnitUsage>(byUnits, [
        action,
        widen({ from, until: from }, lengthsMs.hour).from,
      ]),
    durations: (by, time) => listDurations(database, by, time),
    sum,
    close: recurring.close,
  }
}

/** Of all successful calls in this time, the one in the middle, and the slowest but one in twenty. */
async function listDurations(
  database: Database,
  by: 'service' | 'action',
  { from, until }: Pick<UsageQuery, 'from' | 'until'>,
): Promise<Durations[]> {
  const rows = await database.query<{ name: string; p50: number; p95: number }>(
    `with counted as (
       select ${groups[by]} as name, class, sum(calls) as calls from (
         select action, class, calls from duration_of_action
           where day >= utc_day($1) and day < utc_day($2::timestamptz - interval '1 ms') + 1
         union all
         select action, duration_class(duration_ms), calls from usage_event where duration_ms is not null
           and utc_day(quarter) >= utc_day($1) and utc_day(quarter) <= utc_day($2::timestamptz - interval '1 ms')
       ) d group by 1, 2
     ), placed as (
       select name, class, sum(calls) over (partition by name order by class) as reached,
         sum(calls) over (partition by name) as total from counted
     )
     select name, min(class) filter (where reached >= total * 0.5) as p50,
       min(class) filter (where reached >= total * 0.95) as p95
     from placed group by name order by name`,
    [from, until],
  )
  return rows.map(({ name, p50, p95 }) => ({ name, p50Ms: middleMs(p50), p95Ms: middleMs(p95) }))
}

/** When the days of a time begin, from the one in which it begins. Throws `bad_request` for an unknown time zone. */
async function listMidnights(
  database: Database,
  { from, until, timeZone }: Pick<UsageQuery, 'from' | 'until' | 'timeZone'>,
): Promise<Date[]> {
  const rows = await database
    .query<{ midnight: Date }>(
      `select d at time zone $3 as midnight from generate_series(
         ($1::timestamptz at time zone $3)::date::timestamp, ($2::timestamptz at time zone $3)::date::timestamp, '1 day') d`,
      [from, until, timeZone],
    )
    .catch(refuseTimeZone)
  return rows.map(({ midnight }) => midnight)
}

function widen({ from, until }: { from: Date; until: Date }, stepMs: number) {
  return {
    from: new Date(Math.floor(from.getTime() / stepMs) * stepMs),
    until: new Date(Math.ceil(until.getTime() / stepMs) * stepMs),
  }
}

/** Class n reaches from 1.1 to the power of n - 1 to 1.1 to the power of n. */
const middleMs = (durationClass: number) => Math.round(1.1 ** (durationClass - 0.5))

const invalidParameterValue = '22023'

function refuseTimeZone(error: unknown): never {
  if (errorCodeOf(error) !== invalidParameterValue) throw error
  throw fail('bad_request', {
    message:
      'This time_zone is not known. Send a name such as Europe/Berlin, or leave it out for UTC.',
  })
}
