// A database that refuses to write, like managed servers with a full disk: nothing is lost, and calls resume
// afterwards.
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway, verify } from '#test/harness.ts'
import { until } from '#test/until.ts'

/** Applies to new sessions and ends all earlier ones. */
async function allowWriting({ databaseUrl }: Gateway, allowed: boolean) {
  const setting = `default_transaction_read_only = ${allowed ? 'off' : 'on'}`
  const session = new Client(databaseUrl)
  // Another call of this function may end it.
  session.on('error', () => {})
  await session.connect()
  await session.query(
    `begin read write; do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$; commit`,
  )
  const { rows } = await session.query<{ now: string }>('select clock_timestamp()::text as now')
  await until(async () => {
    const { rowCount } = await session.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_start < $1`,
      [rows[0]?.now],
    )
    return rowCount === 0
  })
  await session.end()
}

async function isReadOnly({ database }: Gateway) {
  const rows = await database
    .query<{ setting: string }>(`select current_setting('transaction_read_only') as setting`)
    .catch(() => [])
  return rows[0]?.setting === 'on'
}

test('running calls and jobs end normally once the database writes again, and new ones are told to wait', async () => {
  const gateway = await startGateway()
  onTestFinished(() => allowWriting(gateway, true))
  const account = await gateway.account(100)
  const job = await account.call('test/job', { steps: 3, ends: 'gate' })
  const running = account.call('test/slow', {})
  await gateway.provider.waiting(2)
  await allowWriting(gateway, false)
  await until(() => isReadOnly(gateway))
  gateway.provider.release()

  const refused = await account.call('test/echo', {})
  expect([refused.status, refused.body.error]).toEqual([503, 'unavailable'])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  const refusedJob = await account.call('test/job', {})
  expect([refusedJob.status, refusedJob.body.error]).toEqual([503, 'unavailable'])
  expect(refusedJob.headers.get('retry-after')).toMatch(/^\d+$/)
  await allowWriting(gateway, true)

  expect((await running).body).toMatchObject({ ok: true, charged_cents: 2 })
  const poll = { job_id: job.body.data.job_id, wait_seconds: 30 }
  await until(async () => {
    const { body } = await account.call('tollway/result', poll)
    return body.data.status === 'succeeded'
  })
  // Refused calls hold and cost nothing, so only a call for 2¢ and a job for 2.5¢ are charged.
  expect(await account.get('/api/v1/account')).toMatchObject({
    body: { available_usd: '0.955000', held_cents: 0 },
  })
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})
