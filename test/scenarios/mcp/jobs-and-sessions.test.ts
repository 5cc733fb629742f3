// Work that outlives one call of a tool: jobs with progress, batches, and sessions.
import { expect, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { createTestDatabase } from '#test/database.ts'
import { openDatabaseDoor } from '#test/database-door.ts'
import { shareGateway, startGateway, verify } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'

const machine = createTestMachine()
const gateway = shareGateway({ providers: [createSessionProvider(machine)] })

/** The data of a successful answer. */
const dataOf = (answer: { structuredContent?: unknown }) =>
  (answer.structuredContent as UntypedJson).data

test('run waits for a job, reports its progress, and result reads it again', async () => {
  const account = await gateway().account(20)
  const client = await connectMcp(gateway().url, { key: account.key })
  const begun = await client.callTool({
    name: 'run',
    arguments: { action: 'test/job', params: { steps: 2, ends: 'gate' } },
  })
  const { job_id } = dataOf(begun)
  expect(begun.structuredContent).toMatchObject({ ok: true, charged_cents: 0 })
  const shown = await client.callTool({ name: 'account', arguments: {} })
  expect(dataOf(shown).running_jobs).toMatchObject([{ job_id, action: 'test/job' }])
  const { running_jobs } = (await account.get('/api/v1/account')).body
  expect(running_jobs).toEqual(dataOf(shown).running_jobs)
  const reports: { progress: number; message?: string | undefined }[] = []
  const ended = client.callTool(
    { name: 'result', arguments: { job_id, wait_seconds: 50 } },
    {
      onprogress: (report) => {
        reports.push(report)
        gateway().provider.release()
      },
    },
  )
  expect(dataOf(await ended)).toMatchObject({
    ok: true,
    job_id,
    status: 'succeeded',
    result: { spent_cents: 1.5 },
  })
  expect(reports).toEqual([expect.objectContaining({ message: 'stepping', total: 100 })])
  const again = await client.callTool({ name: 'result', arguments: { job_id } })
  expect(dataOf(again)).toMatchObject({ status: 'succeeded', charged_cents: 2 })
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('run answers with the job that it has begun when it cannot be read while it runs', async () => {
  const door = await openDatabaseDoor(await createTestDatabase())
  const away = await startGateway({ databaseUrl: door.connectionString })
  const account = await away.account(20)
  const client = await connectMcp(away.url, { key: account.key })
  const begun = await client.callTool(
    {
      name: 'run',
      arguments: { action: 'test/job', params: { ends: 'gate' }, wait_seconds: 50 },
    },
    { onprogress: door.loseRequest },
  )
  expect(begun.isError).toBeUndefined()
  expect(dataOf(begun)).toMatchObject({ job_id: expect.any(String), async: true })
  door.open()
})

test('batch runs its calls under one ceiling and answers with each part', async () => {
  const account = await gateway().account(20)
  const client = await connectMcp(gateway().url, { key: account.key })
  const calls = [
    { action: 'test/echo', params: { text: 'first' } },
    { action: 'test/fails', params: { code: 'all_blocked' } },
  ]
  const answer = await client.callTool({
    name: 'batch',
    arguments: { calls, max_cost_cents: 10, wait_seconds: 50 },
  })
  expect(dataOf(answer)).toMatchObject({
    status: 'succeeded',
    charged_cents: 2,
    result: { calls: [{ data: { echo: 'first' } }, { error: 'all_blocked' }], failed_count: 1 },
  })
  expect(answer).toMatchObject({
    structuredContent: { charged_cents: 2, charged_usd: '0.020000' },
    content: [{ text: expect.stringMatching(/^Charged 2¢\n/) }],
  })
  const refused = await client.callTool({
    name: 'batch',
    arguments: { calls, max_cost_cents: 1 },
  })
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { error: 'max_cost_exceeded', charged_cents: 0 },
  })
})

test('session runs a command in a session that run has opened, and close settles it once', async () => {
  const account = await gateway().account(20)
  const client = await connectMcp(gateway().url, { key: account.key })
  const opened = await client.callTool({
    name: 'run',
    arguments: { action: 'boxes/create_session' },
  })
  const { session_id } = dataOf(opened)
  const ran = await client.callTool({
    name: 'session',
    arguments: { session_id, command: 'hostname' },
  })
  expect(dataOf(ran)).toMatchObject({ stdout: session_id, exit_code: 0, timed_out: false })
  const shown = await client.callTool({ name: 'account', arguments: {} })
  expect(dataOf(shown).open_sessions).toMatchObject([{ session_id, status: 'open' }])
  const { open_sessions } = (await account.get('/api/v1/account')).body
  expect(open_sessions).toMatchObject([{ session_id, action: 'boxes/create_session' }])
  const close = () => client.callTool({ name: 'close', arguments: { session_id } })
  const [closed, again] = [await close(), await close()]
  expect(dataOf(closed)).toMatchObject({ session_id, status: 'closed' })
  expect(dataOf(again)).toEqual(dataOf(closed))
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('a session of another account does not exist', async () => {
  const owner = await gateway().account(20)
  const { session_id } = (await owner.call('boxes/create_session', {})).body.data
  const other = await gateway().account(20)
  const client = await connectMcp(gateway().url, { key: other.key })
  for (const name of ['session', 'close']) {
    const sent = name === 'session' ? { session_id, command: 'true' } : { session_id }
    const answer = await client.callTool({ name, arguments: sent })
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: 'not_found' } })
  }
})
