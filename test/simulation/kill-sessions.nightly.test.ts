// kill -9 of a gateway with sessions open, twice: what was used is charged, and nothing is left behind.
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { depth } from '#test/depth.ts'
import { microsPerSecond, processesNaming } from '#test/sessions/process-boxes.ts'
import { until } from '#test/until.ts'
import { startSessionGateway } from './session-gateway-process.ts'

const perKind = depth(5, 10)
const balanceCents = 100_000

async function start() {
  const dataDir = await makeDataDirectory()
  const gateway = await startSessionGateway(await createTestDatabase(), dataDir)
  onTestFinished(async () => {
    await gateway.closeAll()
    await gateway.stop()
    await removeDataDirectory(dataDir)
  })
  return gateway
}

test('sessions of a gateway that is killed twice are continued or settled', async () => {
  const gateway = await start()
  const { database, send } = gateway
  const { key, accountId } = await gateway.openAccount(balanceCents)
  const startedAtMs = Date.now()
  const create = async (kind: string) =>
    (await send('POST', `/api/run/process_boxes/${kind}`, key, {}))?.body.data?.session_id
  const createAll = (kind: string, count = perKind) =>
    Promise.all(Array.from({ length: count }, () => create(kind)))
  const run = (id: string, command: string) =>
    send('POST', `/api/v1/sessions/${id}/run`, key, { command })
  const seen = (ids: readonly string[]) =>
    database.query<{ state: string; reason: string | null; used: number; settled: number }>(
      `select state, close_reason as reason, coalesce((used ->> 'box')::integer, 0) as used, settled
       from session where id = any ($1)`,
      [ids],
    )
  const ended = (ids: readonly string[]) =>
    until(async () => (await seen(ids)).every(({ state }) => state === 'closed'))

  const detached: string[] = await createAll('detached')
  const first: string[] = await createAll('attached')
  for (const id of detached) expect(await run(id, 'echo $0 > kept')).toMatchObject({ status: 200 })
  await until(async () => (await seen(first)).every(({ used }) => used >= 1))

  // Killed while it opens boxes, closes one and runs commands in the others.
  void createAll('detached', 5)
  void createAll('attached', 5)
  void send('DELETE', `/api/v1/sessions/${first[0]}`, key)
  for (const id of detached) void run(id, 'sleep 30')
  await gateway.killed()
  await ended(first)
  for (const { used, settled } of await seen(first)) expect(settled).toBe(used * microsPerSecond)

  for (const id of detached) {
    await until(async () => (await run(id, 'cat kept'))?.status === 200)
    expect((await run(id, 'cat kept'))?.body.stdout).toBe(`${id}\n`)
  }
  const second: string[] = await createAll('attached')
  await gateway.killed()
  await ended(second)

  const closed = detached.slice(0, 5)
  for (const id of closed) {
    await until(async () => (await run(id, 'true'))?.status === 200)
    expect(await send('DELETE', `/api/v1/sessions/${id}`, key)).toMatchObject({ status: 200 })
    expect(await processesNaming(id)).toEqual([])
  }
  await gateway.closeAll()
  await until(async () => (await gateway.problems()).length === 0)

  const all = await database.query<{ settled: number }>('select settled from session')
  const charged = all.reduce((sum, { settled }) => sum + settled, 0)
  const secondsMax = ((Date.now() - startedAtMs) / 1_000) * all.length
  expect(charged).toBeGreaterThan(0)
  expect(charged).toBeLessThanOrEqual(secondsMax * microsPerSecond)
  const [account] = await database.query<{ available: number }>(
    'select available from balance where account_id = $1',
    [accountId],
  )
  expect(account?.available).toBe(balanceCents * 10_000 - charged)
})
