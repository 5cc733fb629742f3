// Statements of a gateway that wait in the database, so that a test can kill it in that moment.
import type { Database } from '#platform/database/database.ts'
import { until } from '#test/until.ts'

/** From here on, what fires this trigger waits. Resolves to a function that lets it go on. */
export async function holdUp(database: Database, trigger: string): Promise<() => Promise<void>> {
  await database.query(
    `create function hold_up() returns trigger language plpgsql as $$
     begin perform pg_advisory_xact_lock(4711); return coalesce(new, old); end $$`,
  )
  await database.query(`create ${trigger} for each row execute function hold_up()`)
  const session = await database.connect()
  await session.query('select pg_advisory_lock(4711)')
  return () => session.end()
}

/** Resolves when a statement waits for a lock. */
export const waiting = (database: Database): Promise<void> =>
  until(async () => {
    const rows = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  })
