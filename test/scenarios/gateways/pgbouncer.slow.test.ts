// A gateway whose DATABASE_URL leads to PgBouncer in transaction mode, as Debian packages it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { chooseSystemUser } from '#platform/postgres/system-user.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { findPgBouncer } from '#test/gateways/pgbouncer.ts'
import { verify } from '#test/harness.ts'
import { chat, startLlmGateway } from '#test/llm-gateway.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { until } from '#test/until.ts'

const program = (await findPgBouncer()) ?? ''

/** Fewer sessions than the gateway has statements at once, so that each transaction gets another one. */
const sessionsMax = 3

/** Resolves to the address of the pooler in front of a database. */
async function startPooler(databaseUrl: string): Promise<string> {
  const { username, pathname, searchParams } = new URL(databaseUrl.replace('@/', '@socket/'))
  const folder = await makeDataDirectory()
  const port = await findFreePort()
  const settings = path.join(folder, 'pgbouncer.ini')
  const target = `host=${searchParams.get('host')} port=${searchParams.get('port')} user=${username}`
  await writeFile(
    settings,
    `[databases]
pooled = ${target} dbname=${pathname.slice(1)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessionsMax}
max_client_conn = 200
server_reset_query = DISCARD ALL
server_reset_query_always = 1
`,
  )
  const child = spawn(program, [settings], { ...(await chooseSystemUser()), stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await removeDataDirectory(folder)
  })
  const url = `postgresql://${username}@127.0.0.1:${port}/pooled`
  const database = openDatabase({ connectionString: url, log })
  await until(async () => {
    if (child.exitCode !== null) throw new Error('PgBouncer has ended.')
    return await database.query('select 1').then(
      () => true,
      () => false,
    )
  })
  await database.close()
  return url
}

test.skipIf(!program)(
  'calls, chats and jobs run behind PgBouncer in transaction mode, and the books are right',
  async () => {
    const direct = await createTestDatabase()
    const databaseUrl = await startPooler(direct)
    const gateway = await startLlmGateway({ databaseUrl, env: { DATABASE_DIRECT_URL: direct } })
    const account = await gateway.account(10_000)
    const calls = Array.from({ length: 60 }, (_, number) =>
      account.call('test/echo', { text: `${number}` }, { 'idempotency-key': `${number % 40}` }),
    )
    const chats = Array.from({ length: 60 }, () => chat(gateway, account, { model: 'lab/one' }))
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => ![200, 409, 422].includes(status))).toEqual([])
    for (const { status } of await Promise.all(chats)) expect(status).toBe(200)
    const { body } = await account.call('test/job', { steps: 2 })
    await expect
      .poll(async () => (await account.get('/api/v1/jobs')).body.jobs)
      .toMatchObject([{ job_id: body.data.job_id, state: 'succeeded' }])
    await expect.poll(async () => (await account.state()).heldCents).toBe(0)
    await verify(gateway)
  },
)
