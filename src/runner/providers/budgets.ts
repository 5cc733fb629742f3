// How much of a vendor all callers together may use on a day. A gateway counts its own calls as they begin, and what
// they cost as they end. What other gateways have used it reads from the books every few seconds, so a day can use a
// little more than its budget.
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
  /** Why this provider is stopped for today. */
  reasonOf(provider: string): string | undefined
  /** Counts a call of a provider whose budget is not used up. The next one sees it. */
  begin(provider: string, use: NewUse): OpenUse
  /** Resolves to whether `stopped` has changed. Reads budgets, and the use of today, at most once in a few seconds. */
  follow(): Promise<boolean>
  /** A change has been committed: the next `follow` reads it. */
  forget(): void
  list(): Promise<readonly BudgetUse[]>
  /** In the transaction of the caller. */
  set(budget: ProviderBudget, client: ClientBase): Promise<void>
  /** Resolves to false where there is none. */
  remove(provider: string, client: ClientBase): Promise<boolean>
}

export interface NewUse {
  /** The step of a call, which has no row of its own in the books. */
  readonly isStep: boolean
  /** A job is one call, however often it is taken up. It began when it was submitted, so it is not stopped. */
  readonly jobId?: string | undefined
}

export type OpenUse =
  | { readonly stoppedFor: string }
  | { readonly stoppedFor?: undefined; end(cost: Micros): void }

/** What this gateway has used of a provider today. */
interface OwnUse {
  running: number
  /** Ended calls, of which the books tell as soon as they are settled. */
  ended: number
  cost: Micros
  /** Of them the books do not tell. */
  steps: number
  stepCost: Micros
}

const readEveryMs = 2_000
const jobsKnownMax = 10_000

const today = `date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`
/**
 * Calls that have ended today, failed ones included: the vendor may have been asked, unless the call was refused for
 * its provider. Checks of the provider, too.
 */
const readUse = {
  name: 'provider-budgets',
  text: `select provider_budget.provider, calls_per_day as "callsPerDay", cost_per_day as "costPerDay", utc_day(now())::text as day,
      coalesce(sum(used.calls), 0)::bigint as calls, coalesce(sum(used.cost), 0)::bigint as cost
    from provider_budget left join lateral (
      select calls, cost from usage_of_action_by_hour
        where since >= ${today} and starts_with(action, provider_budget.provider || '/')
          and error <> 'provider_not_configured'
      union all
      select calls, coalesce(cost, 0) from usage_event
        where quarter >= ${today} and starts_with(action, provider_budget.provider || '/')
          and error <> 'provider_not_configured'
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
  const counter = createUseCounter()
  let announced: ReadonlyMap<string, string> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reads = 0

  const read = () => database.query<BudgetUse & { readonly day: string }>(readUse)
  async function refresh() {
    if (clock.now() - readAt < readEveryMs) return
    readAt = clock.now()
    const turn = ++reads
    const found = await read().catch((error) => {
      readAt = Number.NEGATIVE_INFINITY
      throw error
    })
    // A later read knows of later changes.
    if (turn === reads) counter.learn(found)
  }
  return {
    stopped: counter.stopped,
    reasonOf: counter.reasonOf,
    begin: counter.begin,
    async follow() {
      await refresh()
      const next = counter.stopped()
      const isSame =
        next.size === announced.size && [...next].every(([id, why]) => announced.get(id) === why)
      announced = next
      return !isSame
    },
    forget() {
      readAt = Number.NEGATIVE_INFINITY
    },
    list: async () => (await read()).map(counter.withOwn),
    async set({ provider, callsPerDay, costPerDay }, client) {
      await client.query(
        `insert into provider_budget (provider, calls_per_day, cost_per_day) values ($1, $2, $3)
         on conflict (provider) do update set calls_per_day = excluded.calls_per_day,
           cost_per_day = excluded.cost_per_day, set_at = now()`,
        [provider, callsPerDay, costPerDay],
      )
    },
    async remove(provider, client) {
      const { rowCount } = await client.query('delete from provider_budget where provider = $1', [
        provider,
      ])
      return rowCount === 1
    },
  }
}

/** Adds up what this gateway uses, and what the books say of all others. */
function createUseCounter() {
  const own = new Map<string, OwnUse>()
  const others = new Map<string, { readonly calls: number; readonly cost: Micros }>()
  const jobs = new Set<string>()
  let limits: ReadonlyMap<string, ProviderBudget> = new Map()
  let day: string | undefined

  function ownOf(provider: string): OwnUse {
    const known = own.get(provider)
    if (known !== undefined) return known
    const none = { running: 0, ended: 0, cost: 0, steps: 0, stepCost: 0 }
    own.set(provider, none)
    return none
  }

  function useOf(budget: ProviderBudget): BudgetUse {
    const { running, ended, cost, steps, stepCost } = ownOf(budget.provider)
    const rest = others.get(budget.provider) ?? { calls: 0, cost: 0 }
    return {
      ...budget,
      calls: rest.calls + running + ended + steps,
      cost: rest.cost + cost + stepCost,
    }
  }

  function reasonOf(provider: string): string | undefined {
    const budget = limits.get(provider)
    return budget && reasonFor(useOf(budget))
  }

  function beginJob(provider: string, jobId: string): OpenUse {
    if (!jobs.has(jobId)) {
      ownOf(provider).ended += 1
      if (jobs.size >= jobsKnownMax) jobs.clear()
      jobs.add(jobId)
    }
    // A later try repeats what an earlier one has cost, so the books tell it.
    return { end: () => {} }
  }

  return {
    reasonOf,
    stopped: (): ReadonlyMap<string, string> =>
      new Map(
        [...limits.keys()].flatMap((id) => {
          const why = reasonOf(id)
          return why === undefined ? [] : [[id, why] as const]
        }),
      ),
    begin(provider: string, { isStep, jobId }: NewUse): OpenUse {
      if (!isStep && jobId !== undefined) return beginJob(provider, jobId)
      const stoppedFor = reasonOf(provider)
      if (stoppedFor !== undefined) return { stoppedFor }
      const use = ownOf(provider)
      if (isStep) {
        use.steps += 1
        return {
          end(cost) {
            use.stepCost += cost
          },
        }
      }
      use.running += 1
      return {
        end(cost) {
          use.running -= 1
          use.ended += 1
          use.cost += cost
        },
      }
    },
    /**
     * Of what the books tell, all that is not of this gateway is of others. It never becomes less on a day: the books
     * may not tell yet of calls that have just ended here.
     */
    learn(found: readonly (BudgetUse & { readonly day: string })[]) {
      limits = new Map(found.map((use) => [use.provider, use]))
      const [{ day: now } = { day }] = found
      if (now !== day) {
        day = now
        others.clear()
        jobs.clear()
        for (const use of own.values())
          Object.assign(use, { ended: 0, cost: 0, steps: 0, stepCost: 0 })
      }
      for (const { provider, calls, cost } of found) {
        const { ended, cost: ownCost } = ownOf(provider)
        const known = others.get(provider) ?? { calls: 0, cost: 0 }
        others.set(provider, {
          calls: Math.max(known.calls, calls - ended),
          cost: Math.max(known.cost, cost - ownCost),
        })
      }
    },
    /** What the books tell, and what they do not tell yet. */
    withOwn(use: BudgetUse): BudgetUse {
      const { calls, cost } = useOf(use)
      return { ...use, calls: Math.max(use.calls, calls), cost: Math.max(use.cost, cost) }
    },
  }
}

function reasonFor({ provider, callsPerDay, costPerDay, calls, cost }: BudgetUse) {
  const until = 'It is available again at midnight UTC.'
  if (callsPerDay !== null && calls >= callsPerDay)
    return `The operator's budget of ${callsPerDay} calls a day for ${provider} is used up. ${until}`
  if (costPerDay !== null && cost >= costPerDay)
    return `The operator's budget of $${microsToUsd(costPerDay)} a day for ${provider} is used up. ${until}`
  return undefined
}
