// Groups of accounts that have prices of their own. An account is in one group at most.
import type { ClientBase } from 'pg'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export interface PriceGroup {
  readonly id: string
  readonly name: string
  readonly accounts: number
  readonly createdAt: Date
}

export interface PriceGroups {
  /** By their names. */
  list(): Promise<PriceGroup[]>
  find(id: string): Promise<PriceGroup | undefined>
  /** Undefined: another group has the name. */
  create(name: string, client: ClientBase): Promise<{ id: string } | undefined>
  /** Removes a group and its prices. False: it has accounts, or there is none. */
  remove(id: string, client: ClientBase): Promise<boolean>
  /** Returns the group of an account. */
  of(accountId: string): Promise<PriceGroup | undefined>
  /** Moves an account to a group, or out of its group. False: there is no such account. */
  assign(accountId: string, groupId: string | null, client: ClientBase): Promise<boolean>
}

const groups = `select g.id, g.name, g.created_at as "createdAt",
    (select count(*)::integer from account a where a.price_group = g.id) as accounts
  from price_group g`

export function createPriceGroups({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): PriceGroups {
  return {
    list: () => database.query<PriceGroup>(`${groups} order by g.name`),
    async find(id) {
      const [group] = await database.query<PriceGroup>(`${groups} where g.id = $1`, [id])
      return group
    },
    async create(name, client) {
      const id = uuidv7(clock.now())
      const { rowCount } = await client.query(
        'insert into price_group (id, name) values ($1, $2) on conflict (name) do nothing',
        [id, name],
      )
      return rowCount === 1 ? { id } : undefined
    },
    async remove(id, client) {
      const { rows } = await client.query(
        'select 1 from price_group g where id = $1 and not exists (select from account where price_group = g.id) for update',
        [id],
      )
      if (rows.length === 0) return false
      await client.query('delete from group_price where price_group = $1', [id])
      await client.query('delete from price_group where id = $1', [id])
      return true
    },
    async of(accountId) {
      const [group] = await database.query<PriceGroup>(
        `${groups} where g.id = (select price_group from account where id = $1)`,
        [accountId],
      )
      return group
    },
    async assign(accountId, groupId, client) {
      const { rowCount } = await client.query(
        `update account set price_group = $2 where id = $1 and kind = 'caller'`,
        [accountId, groupId],
      )
      return rowCount === 1
    },
  }
}
