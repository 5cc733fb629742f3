// Prices of groups of accounts. A price holds from a date until the next one of its group and action starts, and what
// has started is never changed, so the price of each call can be told later.
import type { ClientBase } from 'pg'
import type { CatalogEntry } from '#core/catalog.ts'
import { amountOf, millionthsPerOne, type Override } from '#core/pricing/override.ts'
import type { GroupOverrides, PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { Database } from '#platform/database/database.ts'
import { type OverrideRow, overrideOf } from './override-row.ts'

export interface GroupPrice {
  readonly priceGroup: string
  /** `service/action` */
  readonly action: string
  /** Undefined: the price of everyone. */
  readonly override: Override | undefined
  readonly startsAt: Date
  readonly setAt: Date
  readonly state: 'later' | 'in_force' | 'over'
}

export interface GroupPrices {
  readonly catalog: PricedCatalog
  /** Of all groups, by action, the latest first. */
  list(): Promise<GroupPrice[]>
  /** In the transaction of the caller, who waits for `untilNoLongerTrusted` after the commit. */
  set(
    entry: CatalogEntry,
    price: { priceGroup: string; override: Override | undefined; startsAt: Date | undefined },
    client: ClientBase,
  ): Promise<GroupPrice>
  /** False: there is none that starts then, or it has started. */
  withdraw(
    price: Pick<GroupPrice, 'priceGroup' | 'action' | 'startsAt'>,
    client: ClientBase,
  ): Promise<boolean>
}

interface GroupPriceRow extends OverrideRow {
  readonly priceGroup: string
}

const readGroupPrices = {
  name: 'group-prices',
  text: `select price_group as "priceGroup", action, micros, factor from group_price_in_force
    where micros is not null or factor is not null`,
}

/** What is in force now, by the clock of the database. */
export async function readGroupOverrides(database: Database): Promise<GroupOverrides> {
  const groups = new Map<string, Map<string, Override>>()
  for (const row of await database.queryTogether<GroupPriceRow>(readGroupPrices)) {
    const ofGroup = groups.get(row.priceGroup) ?? new Map<string, Override>()
    groups.set(row.priceGroup, ofGroup.set(row.action, overrideOf(row)))
  }
  return groups
}

const columns = `g.price_group as "priceGroup", g.action, g.micros, g.factor, g.starts_at as "startsAt",
  g.set_at as "setAt"`
const state = `case when g.starts_at > now() then 'later'
    when exists (select from group_price_in_force f
      where f.price_group = g.price_group and f.action = g.action and f.starts_at = g.starts_at) then 'in_force'
    else 'over' end as state`

type Row = GroupPriceRow & Pick<GroupPrice, 'startsAt' | 'setAt' | 'state'>

const priceOf = ({ micros, factor, ...row }: Row): GroupPrice => ({
  ...row,
  override:
    micros === null && factor === null
      ? undefined
      : overrideOf({ action: row.action, micros, factor }),
})

export function createGroupPrices({
  database,
  catalog,
}: {
  database: Database
  catalog: PricedCatalog
}): GroupPrices {
  return {
    catalog,
    async list() {
      const rows = await database.query<Row>(
        `select ${columns}, ${state} from group_price g order by g.action, g.starts_at desc`,
      )
      return rows.map(priceOf)
    },
    async set({ id, action: { price } }, { priceGroup, override, startsAt }, client) {
      const { micros, factor } = { micros: null, factor: null, ...override }
      const { rows } = await client.query<Row>(
        `with g as (
           insert into group_price (action, price_group, starts_at, micros, factor, catalog_price)
             values ($1, $2, coalesce($3, clock_timestamp()), $4, $5, $6)
             on conflict (action, price_group, starts_at) do update
               set micros = excluded.micros, factor = excluded.factor, catalog_price = excluded.catalog_price, set_at = now()
               where group_price.starts_at > now()
             returning *
         )
         select ${columns},
           case when g.starts_at > clock_timestamp() then 'later' else 'in_force' end as state from g`,
        [id, priceGroup, startsAt ?? null, micros, factor, amountOf(price) ?? millionthsPerOne],
      )
      const [set] = rows
      if (set === undefined) throw new Error('The price of a group was not stored.')
      return priceOf(set)
    },
    async withdraw({ priceGroup, action, startsAt }, client) {
      const { rowCount } = await client.query(
        'delete from group_price where price_group = $1 and action = $2 and starts_at = $3 and starts_at > now()',
        [priceGroup, action, startsAt],
      )
      return rowCount === 1
    },
  }
}
