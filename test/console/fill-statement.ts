// A long statement, written by SQL as a gateway writes the calls of a month.
import type { Gateway } from '#test/harness.ts'

/** Ended calls of one account in the last days, one in ten of which failed. The books do not have their charges. */
export async function fillStatement({ database }: Gateway, accountId: string, calls: number) {
  await database.query(
    `insert into call (id, account_id, key_id, action, state, held, charged, error, gateway_id, created_at, expires_at, ended_at)
     select uuid_v7(at), $1, (select id from api_key where account_id = $1 limit 1), 'test/echo',
       case when failed then 'voided' else 'settled' end, 20000, case when failed then 0 else 20000 end,
       case when failed then 'upstream_error' end, 0, at, at, at + interval '1 second'
     from (
       select now() - interval '1 minute' - place * interval '20 seconds' as at, place % 10 = 0 as failed
       from generate_series(1, $2) place
     ) calls`,
    [accountId, calls],
  )
}
