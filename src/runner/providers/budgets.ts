// How much of a vendor all callers together may use on a day. What runs when a budget is reached still ends, so a day
// can use a little more than its budget.
import type { ClientBase } from 'pg'
import type { Micros } from '#core/money.ts'
import { microsToUsd } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export interface ProviderBudget {
  readonly provider: string
  readonly callsPerDay: number | null
  readonly costPerDay: Micros | null
}

export interface BudgetUse extends ProviderBudget {
  readonly calls: number
  readonly cost: Micros
}

export interface ProviderBudgets {
  /** Why each provider is stopped for today, by its id, as this gateway knows it. */
  stopped(): ReadonlyMap<string, string>
  /** Resolves to whether `stopped` has changed. Reads the use of today at most once in a few seconds. */
  follow(): Promise<boolean>
  list(): Promise<readonly BudgetUse[]>
  /** In the transaction of the caller. */
  set(budget: ProviderBudget, client: ClientBase): Promise<void>
  /** Resolves to false where there is none. */
  remove(provider: string, client: ClientBase): Promise<boolean>
}

const readEveryMs = 2_000

const today = `date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`
/** Calls that have ended today, failed ones included: the vendor may have been asked. Checks of the provider, too. */
const readUse = {
  name: 'provider-budgets',
  text: `select provider_budget.provider, calls_per_day as "callsPerDay", cost_per_day as "costPerDay",
      coalesce(sum(used.calls), 0)::bigint as calls, coalesce(sum(used.cost), 0)::bigint as cost
    from provider_budget left join lateral (
      select calls, cost from usage_of_action_by_hour
        where since >= ${today} and starts_with(action, provider_budget.provider || '/')
      union all
      select calls, coalesce(cost, 0) from usage_event
        where quarter >= ${today} and starts_with(action, provider_budget.provider || '/')
      union all
      select 1, coalesce(cost, 0) from canary_check
        where started_at >= ${today} and canary_check.provider = provider_budget.provider
    ) used on true group by provider_budget.provider order by provider_budget.provider`,
}

export function createProviderBudgets({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): ProviderBudgets {
  let stopped: ReadonlyMap<string, string> = new Map()
  let readAt = Number.NEGATIVE_INFINITY

  const list = () => database.query<BudgetUse>(readUse)

  return {
    stopped: () => stopped,
    async follow() {
      if (clock.now() - readAt < readEveryMs) return false
      const next = new Map(
        (await list()).flatMap((use) => {
          const why = reasonOf(use)
          return why === undefined ? [] : [[use.provider, why] as const]
        }),
      )
      readAt = clock.now()
      const isSame =
        next.size === stopped.size && [...next].every(([id, why]) => stopped.get(id) === why)
      stopped = next
      return !isSame
    },
    list,
    async set({ provider, callsPerDay, costPerDay }, client) {
      await client.query(
        `insert into provider_budget (provider, calls_per_day, cost_per_day) values ($1, $2, $3)
         on conflict (provider) do update set calls_per_day = excluded.calls_per_day,
           cost_per_day = excluded.cost_per_day, set_at = now()`,
        [provider, callsPerDay, costPerDay],
      )
      readAt = Number.NEGATIVE_INFINITY
    },
    async remove(provider, client) {
      const { rowCount } = await client.query('delete from provider_budget where provider = $1', [
        provider,
      ])
      readAt = Number.NEGATIVE_INFINITY
      return rowCount === 1
    },
  }
}

function reasonOf({ provider, callsPerDay, costPerDay, calls, cost }: BudgetUse) {
  const until = 'It is available again at midnight UTC.'
  if (callsPerDay !== null && calls >= callsPerDay)
    return `The operator's budget of ${callsPerDay} calls a day for ${provider} is used up. ${until}`
  if (costPerDay !== null && cost >= costPerDay)
    return `The operator's budget of $${microsToUsd(costPerDay)} a day for ${provider} is used up. ${until}`
  return undefined
}
