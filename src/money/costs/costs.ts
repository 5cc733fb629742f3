// What calls cost at vendors that do not report it: costs that the operator declares, and invoices that are spread over
// the calls of their time. money/schema/functions/costs.sql says which of them counts.
import type { ClientBase } from 'pg'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

/** Where the cost of a call comes from. */
export type CostSource = 'reported' | 'invoice' | 'declared'

export interface CostPerCall {
  readonly perCall: Micros
  readonly perUnit: Micros
}

export interface DeclaredCost extends CostPerCall {
  /** `service/action` */
  readonly action: string
  readonly startsAt: Date
  readonly setAt: Date
}

export interface NewInvoice {
  readonly provider: string
  readonly since: Date
  readonly until: Date
  readonly micros: Micros
  readonly sharedBy: 'calls' | 'units'
  readonly note: string | null
}

export interface Invoice extends NewInvoice {
  readonly id: string
  /** The calls that share it. */
  readonly calls: number
  readonly setAt: Date
}

/** `running`: calls that began in the time of the invoice and have not ended. Spread it again when they have. */
export type Spread =
  | {
      readonly outcome: 'spread'
      readonly id: string
      readonly calls: number
      readonly running: number
    }
  | { readonly outcome: NotSpread }

/** `only_running`: none has ended. `only_reported`: the replies of all have told what they cost. */
export type NotSpread = 'overlaps' | 'no_calls' | 'only_running' | 'only_reported' | 'not_found'

export interface Costs {
  declared(): Promise<DeclaredCost[]>
  /** What holds now, for each action. */
  declaredNow(): Promise<DeclaredCost[]>
  /** What holds for calls of this action that begin at this time. */
  declaredFor(action: string, at: Date): Promise<CostPerCall | undefined>
  /** From its start until the next one of the action starts. It replaces one with the same start. */
  declare(cost: Omit<DeclaredCost, 'setAt'>, client: ClientBase): Promise<void>
  withdraw(cost: Pick<DeclaredCost, 'action' | 'startsAt'>, client: ClientBase): Promise<boolean>
  /** The latest time first. */
  invoices(): Promise<Invoice[]>
  /** Stores an invoice, or with an id corrects it, and spreads it over its calls. The caller rolls back otherwise. */
  invoice(invoice: NewInvoice, client: ClientBase, id?: string): Promise<Spread>
  removeInvoice(id: string, client: ClientBase): Promise<boolean>
}

export function createCosts({ database, clock }: { database: Database; clock: Clock }): Costs {
  const columns = `action, starts_at as "startsAt", per_call as "perCall", per_unit as "perUnit", set_at as "setAt"`
  const latestFirst = 'order by action, starts_at desc'
  return {
    declared: () =>
      database.query<DeclaredCost>(`select ${columns} from declared_cost ${latestFirst}`),
    declaredNow: () =>
      database.query<DeclaredCost>(
        `select distinct on (action) ${columns} from declared_cost where starts_at <= $1 ${latestFirst}`,
        [new Date(clock.now())],
      ),
    async declaredFor(action, at) {
      const [cost] = await database.query<CostPerCall>(
        'select per_call as "perCall", per_unit as "perUnit" from declared_at($1, $2)',
        [action, at],
      )
      return cost
    },
    async declare({ action, startsAt, perCall, perUnit }, client) {
      await client.query(
        `insert into declared_cost (action, starts_at, per_call, per_unit) values ($1, $2, $3, $4)
         on conflict (action, starts_at) do update
           set per_call = excluded.per_call, per_unit = excluded.per_unit, set_at = now()`,
        [action, startsAt, perCall, perUnit],
      )
    },
    async withdraw({ action, startsAt }, client) {
      const { rowCount } = await client.query(
        'delete from declared_cost where action = $1 and starts_at = $2',
        [action, startsAt],
      )
      return rowCount === 1
    },
    invoices: () =>
      database.query<Invoice>(
        `select id, provider, since, until, micros, shared_by as "sharedBy", note, set_at as "setAt",
           (select count(*) from (select call_id from invoiced_cost where invoice_id = v.id
              union select call_id from invoiced_step_cost where invoice_id = v.id) s) as calls
         from vendor_invoice v order by since desc, provider`,
      ),
    async invoice(invoice, client, id) {
      const { provider, since, until, micros, sharedBy, note } = invoice
      await client.query(`select pg_advisory_xact_lock(hashtext('tollway.invoices'))`)
      const { rows: others } = await client.query(
        'select 1 from vendor_invoice where provider = $1 and since < $3 and until > $2 and id is distinct from $4 limit 1',
        [provider, since, until, id ?? null],
      )
      if (others.length > 0) return { outcome: 'overlaps' }
      const values = [provider, since, until, micros, sharedBy, note]
      const stored = id ?? uuidv7(clock.now())
      const { rowCount } = await client.query(
        id === undefined
          ? `insert into vendor_invoice (provider, since, until, micros, shared_by, note, id) values ($1, $2, $3, $4, $5, $6, $7)`
          : `update vendor_invoice set provider = $1, since = $2, until = $3, micros = $4, shared_by = $5, note = $6, set_at = now()
             where id = $7`,
        [...values, stored],
      )
      if (rowCount !== 1) return { outcome: 'not_found' }
      const { rows } = await client.query<{ calls: number; running: number }>(
        'select calls, running from spread_invoice($1)',
        [stored],
      )
      const { calls = 0, running = 0 } = rows[0] ?? {}
      if (calls > 0) return { outcome: 'spread', id: stored, calls, running }
      if (await hasDelivered(invoice, client)) return { outcome: 'only_reported' }
      return { outcome: running > 0 ? 'only_running' : 'no_calls' }
    },
    async removeInvoice(id, client) {
      const { rowCount } = await client.query('delete from vendor_invoice where id = $1', [id])
      return rowCount === 1
    },
  }
}

async function hasDelivered(
  { provider, since, until }: NewInvoice,
  client: ClientBase,
): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from call where state = 'settled' and split_part(action, '/', 1) = $1
       and created_at >= $2 and created_at < $3
       and id >= uuid_floor($2 - interval '10 minutes') and id < uuid_floor($3 + interval '10 minutes') limit 1`,
    [provider, since, until],
  )
  return rows.length > 0
}
