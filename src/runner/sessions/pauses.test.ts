// Sessions whose resources end by themselves, or cannot be suspended.
import { expect, test } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { openAccount } from '#test/ledger.ts'
import { codeOf, oracle, shareSessionGateway } from '#test/sessions/session-gateway.ts'

const shell = { command: 'true', timeoutMs: 1_000 }
const day = 86_400
const gatewayOf = shareSessionGateway({
  policy: { idle: { afterMs: 300_000, outcome: 'suspend' } },
})

async function openSession(micros = 10_000_000) {
  const gateway = gatewayOf()
  const account = await openAccount(gateway.database, gateway.ledger, micros)
  const id = await gateway.create(account)
  const box = gateway.machine.boxes.get(id)
  if (box === undefined) throw new Error('The session has no box.')
  const run = (command = 'true') => gateway.sessions.run(account, id, { ...shell, command })
  return { gateway, account, id, box, run, row: () => gateway.rows.get(id) }
}

/** The database fails meanwhile, where it would write that a session is suspended. */
async function withoutSuspensions(database: Database, work: () => Promise<void>): Promise<void> {
  await database.query(`create function refuse_suspension() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`)
  await database.query(`create trigger refuse_suspension before update on session for each row
    when (new.state = 'suspended') execute function refuse_suspension()`)
  try {
    await work()
  } finally {
    await database.query('drop function refuse_suspension cascade')
  }
}

test('a box that ended by itself is continued as it was saved last, at the next command', async () => {
  const { gateway, account, box, run, row, id } = await openSession()
  gateway.machine.keepsCopies = true
  await gateway.pass(60)
  box.isAlive = false
  await gateway.pass(60)
  expect(await row()).toMatchObject({ state: 'suspended', callId: null })
  expect(await account.balance()).toMatchObject({ held: 0 })
  await gateway.pass(day, 3_600)
  expect(await run()).toMatchObject({ exitCode: 0 })
  await gateway.pass(60)
  await gateway.sessions.close(account, id)
  expect(await gateway.charged(id)).toBe(oracle({ vcpu: 1 }, 180))
})

test('a command whose box ends under it is told to be sent again', async () => {
  const { gateway, box, run, row } = await openSession()
  gateway.machine.keepsCopies = true
  const running = run('wait')
  const code = running.catch(codeOf)
  await expect.poll(() => gateway.machine.commands).toBe(1)
  box.isAlive = false
  gateway.machine.gate.resolve()
  expect(await code).toBe('upstream_error')
  await expect(running).rejects.toThrow('Send the command again')
  expect(await row()).toMatchObject({ state: 'suspended' })
  expect(await run()).toMatchObject({ exitCode: 0 })
})

test('a box that ended while its session was suspended loses nothing', async () => {
  const { gateway, box, run, row } = await openSession()
  const { database, machine } = gateway
  machine.keepsCopies = true
  // The box is saved and ends; the database fails before its row says so.
  await withoutSuspensions(database, async () => {
    await gateway.pass(300, 300)
    expect(await row()).toMatchObject({ state: 'open' })
    box.isAlive = false
  })
  await gateway.pass(60)
  expect(await row()).toMatchObject({ state: 'suspended' })
  expect(await run()).toMatchObject({ exitCode: 0 })
})

test('a box that ended while the database was away loses nothing', async () => {
  const { gateway, box, run, row } = await openSession()
  gateway.machine.keepsCopies = true
  await withoutSuspensions(gateway.database, async () => {
    box.isAlive = false
    await gateway.pass(60)
    expect(await row()).toMatchObject({ state: 'open' })
  })
  await gateway.pass(60)
  expect(await row()).toMatchObject({ state: 'suspended' })
  expect(await run()).toMatchObject({ exitCode: 0 })
})

test('a session that cannot be suspended stays open, pays, and is suspended later', async () => {
  const { gateway, id, row } = await openSession()
  gateway.machine.refusesToSuspend = true
  await gateway.pass(3_600, 60)
  expect(await row()).toMatchObject({ state: 'open' })
  gateway.machine.refusesToSuspend = false
  await gateway.pass(600, 60)
  expect(await row()).toMatchObject({ state: 'suspended' })
  const charged = await gateway.charged(id)
  expect(charged).toBeGreaterThanOrEqual(oracle({ vcpu: 1 }, 3_600))
  expect(charged).toBeLessThanOrEqual(oracle({ vcpu: 1 }, 4_200))
})

test('a session that cannot be suspended for a day is closed before it has used up the balance', async () => {
  const { gateway, account, id, row } = await openSession()
  gateway.machine.refusesToSuspend = true
  await gateway.pass(day - 600, 600)
  expect(await row()).toMatchObject({ state: 'open' })
  await gateway.pass(1_800, 600)
  expect(await row()).toMatchObject({ state: 'closed', closeReason: 'idle' })
  expect(await gateway.charged(id)).toBeLessThanOrEqual(oracle({ vcpu: 1 }, day + 1_200))
  expect(await account.balance()).toMatchObject({ held: 0 })
})

test('a session that cannot be suspended ends with its balance', async () => {
  const { gateway, row } = await openSession(60_000)
  gateway.machine.refusesToSuspend = true
  await gateway.pass(day, 600)
  expect(await row()).toMatchObject({ state: 'closed', closeReason: 'balance' })
})
