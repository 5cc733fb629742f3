// A real PostgreSQL as the store of a simulated server. A whole run is one transaction on one connection: each commit
// of the run is a savepoint, to which a simulated crash goes back, and its time is that of the simulation.
import pg from 'pg'
import { parseMicros } from '#core/money.ts'
import type { NewAccount, Rows, Store, StoredCharge } from './store.ts'
import { ReportedError } from './tables.ts'

const bigintOid = 20
/** The views that say what is wrong read all tables. */
const commitsPerCheck = 40

const prepareTime = `
  create schema if not exists simulated;
  create or replace function simulated.now() returns timestamptz language sql stable as
    $$ select timestamptz 'epoch' + current_setting('simulated.now_ms')::numeric * interval '1 ms' $$;
  create or replace function simulated.clock_timestamp() returns timestamptz language sql stable as
    $$ select simulated.now() $$;
  set simulated.now_ms = '0';
  set search_path = simulated, public, pg_catalog;
  do $do$ declare d record; begin
    for d in select c.oid::regclass as name, a.attname as attribute, pg_get_expr(f.adbin, f.adrelid) as text
      from pg_attrdef f join pg_class c on c.oid = f.adrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = f.adnum
      where c.relnamespace = 'public'::regnamespace and pg_get_expr(f.adbin, f.adrelid) ~ '(pg_catalog\\.|\\m)now\\(\\)'
    loop
      execute format('alter table %s alter column %I set default %s', d.name, d.attribute,
        regexp_replace(d.text, '(pg_catalog\\.)?now\\(\\)', 'simulated.now()', 'g'));
    end loop;
  end $do$`

const stateQuery = `
  select concat_ws(' ', 'balance', account_id, available, held, in_flight) as line from balance
    where account_id in (select account_id from api_key)
  union all select concat_ws(' ', 'inference', account_id, day, spent, held) from inference_day
  union all select concat_ws(' ', 'key', key_id, period, starts, micros) from key_spend
  union all select concat_ws(' ', 'uncharged', account_id, day, key_id, micros) from uncharged_day
  union all select 'call ' || id || ' ' || state || ' ' || held || ' ' || charged || ' ' || coalesce(idempotency_key, '') from call`

export interface PostgresStore extends Store {
  /** Begins a run, without what earlier ones have left. */
  begin(): Promise<void>
  end(): Promise<void>
  close(): Promise<void>
}

export async function openPostgresStore(connectionString: string): Promise<PostgresStore> {
  const types = {
    getTypeParser: (oid: number, format?: 'text') =>
      oid === bigintOid ? parseMicros : pg.types.getTypeParser(oid, format),
  }
  const client = new pg.Client({ connectionString, types } as pg.ClientConfig)
  await client.connect()
  await client.query(prepareTime)
  let marks = 0
  let commits = 0
  let connected = new Set<number>()

  async function setConnected(number: number, isConnected: boolean) {
    if (connected.has(number) === isConnected) return
    const change = isConnected ? 'pg_advisory_lock_shared' : 'pg_advisory_unlock_shared'
    await client.query(`select ${change}(hashtext('tollway.gateway'), $1)`, [number])
    if (isConnected) connected.add(number)
    else connected.delete(number)
  }

  const query = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows

  async function problems(isLast = false) {
    commits += 1
    if (!isLast && commits % commitsPerCheck !== 0) return []
    const rows = await query<{ rule: string; subject: string; found: string; expected: string }>(
      'select * from ledger_problem union all select * from effect_problem limit 20',
    )
    return rows.map((row) => `${row.rule}: ${row.subject} ${row.found}, not ${row.expected}`)
  }

  return {
    async begin() {
      await client.query('begin')
      await client.query(`select setval('gateway_number', 1, false)`)
      marks = 0
    },
    async end() {
      for (const number of connected) await setConnected(number, false)
      connected = new Set()
      await client.query('rollback')
    },
    async run(text, values, nowMs) {
      if (text.startsWith('select pg_advisory_lock_shared(')) return []
      await client.query(`set simulated.now_ms = '${nowMs}'; savepoint statement`)
      try {
        const { rows } = await client.query(text, [...values])
        await client.query('release savepoint statement')
        return rows as Rows
      } catch (error) {
        await client.query('rollback to savepoint statement; release savepoint statement')
        const { code = 'XX000', message } = error as pg.DatabaseError
        throw new ReportedError(code, message)
      }
    },
    async mark() {
      marks += 1
      await client.query(`savepoint mark_${marks}`)
      return marks
    },
    async rollBack(mark) {
      await client.query(`rollback to savepoint mark_${mark}`)
    },
    close: () => client.end(),
    setConnected,
    problems,
    async open() {
      const rows = await query<{ name: string }>(
        `select 'call ' || id || ' of gateway ' || gateway_id as name from call where state = 'held' union all
         select 'lease ' || id || ' of gateway ' || gateway_id from lease union all
         select held || ' of account ' || account_id from balance where held <> 0 or in_flight <> 0`,
      )
      return rows.map(({ name }) => name)
    },
    calls: () =>
      query<StoredCharge>(
        `select id, account_id as "accountId", state, charged, idempotency_key as "idempotencyKey", output from call`,
      ),
    state: async () => (await query<{ line: string }>(stateQuery)).map(({ line }) => line),
    addAccount: (account) => addAccount(client, account),
  }
}

async function addAccount(client: pg.Client, { accountId, micros, keys }: NewAccount) {
  await client.query(`set simulated.now_ms = '0'`)
  await client.query(`insert into account (id, kind) values ($1, 'caller')`, [accountId])
  await client.query('insert into balance (account_id) values ($1)', [accountId])
  for (const { id, callMicrosMax, dayMicrosMax } of keys)
    await client.query(
      `insert into api_key (id, account_id, hash, prefix, call_micros_max, day_micros_max)
       values ($1::uuid, $2, $1::text::bytea, left($1::text, 8), $3, $4)`,
      [id, accountId, callMicrosMax, dayMicrosMax],
    )
  await client.query('select ledger_credit($1, $2, $3)', [accountId, micros, 'for the simulation'])
}
