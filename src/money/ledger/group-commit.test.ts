import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { type DatabaseDoor, openDatabaseDoor } from '#test/database-door.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'

/** A clock that tests can advance. */
function createMovedClock() {
  let aheadMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  return {
    clock,
    moveOn(byMs: number) {
      aheadMs += byMs
    },
  }
}

/** A group commit whose connection can break, beside a ledger and an account whose connections do not. */
async function openBrittleCommit() {
  const { connectionString, database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 100)
  const door = await openDatabaseDoor(connectionString)
  const { clock, moveOn } = createMovedClock()
  const behindDoor = openDatabase({ connectionString: door.connectionString, log })
  const commit = await createGroupCommit({
    database: behindDoor,
    // The operator, who always lives: no recovery voids what the commit itself must void.
    gatewayNumber: 0,
    inFlightMax: 100,
    clock,
    log,
  })
  onTestFinished(async () => {
    door.open()
    await commit.close()
    await behindDoor.close()
  })
  const state = async (callId: string) => {
    const rows = await database.query<{ state: string; charged: number }>(
      'select state, charged from call where id = $1',
      [callId],
    )
    return rows[0]
  }
  return { account, database, ledger, door, commit, moveOn, state }
}

function holdOf(commit: GroupCommit, account: { accountId: string; keyId: string }) {
  const callId = uuidv7(systemClock.now())
  const held = commit.hold({
    callId,
    accountId: account.accountId,
    keyId: account.keyId,
    action: 'test/echo',
    micros: 60,
    // Longer than the test: its end would void it too.
    lifetimeMs: 600_000,
  })
  return { callId, held }
}

/** Claims an idempotency key for a call whose amount is reserved on a lease. */
function claimOf(commit: GroupCommit, account: { accountId: string; keyId: string }, key: string) {
  const callId = uuidv7(systemClock.now())
  const claimed = commit.hold({
    callId,
    accountId: account.accountId,
    keyId: account.keyId,
    action: 'test/echo',
    micros: 10,
    idempotencyKey: key,
    requestDigest: Buffer.alloc(32),
    onLease: true,
    lifetimeMs: 60_000,
  })
  return { callId, claimed }
}

function settleOf(commit: GroupCommit, accountId: string, callId: string) {
  return commit.settle({ callId, accountId, state: 'settled', charged: 25, output: '{}' })
}

async function breakAt(door: DatabaseDoor, fault: 'loseRequest' | 'loseReply', act: () => void) {
  door[fault]()
  act()
  await door.broken()
}

test('a stored hold is voided once its caller was told to try again', async () => {
  const { account, ledger, door, commit, moveOn, state } = await openBrittleCommit()
  let hold: ReturnType<typeof holdOf> | undefined
  await breakAt(door, 'loseReply', () => {
    hold = holdOf(commit, account)
    hold.held.catch(() => {})
  })
  const { callId, held } = hold as NonNullable<typeof hold>
  expect(await account.balance()).toEqual({ available: 40, held: 60 })
  moveOn(11_000)
  await expect(held).rejects.toMatchObject({ code: 'unavailable' })
  door.open()
  await expect.poll(() => state(callId)).toMatchObject({ state: 'voided' })
  expect(await account.balance()).toEqual({ available: 100, held: 0 })
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test.each(['loseRequest', 'loseReply'] as const)(
  'a settlement whose connection breaks is made once and answered: %s',
  async (fault) => {
    const { account, ledger, door, commit, state } = await openBrittleCommit()
    const { callId, held } = holdOf(commit, account)
    await held
    let settled: ReturnType<typeof settleOf> | undefined
    await breakAt(door, fault, () => {
      settled = settleOf(commit, account.accountId, callId)
    })
    door.open()
    expect(await settled).toEqual({ outcome: 'done', available: 75 })
    expect(await state(callId)).toEqual({ state: 'settled', charged: 25 })
    expect(await account.balance()).toEqual({ available: 75, held: 0 })
    expect(await ledger.verify()).toMatchObject({ ok: true })
  },
)

test('the settlements, holds and claims of one turn are one transaction', async () => {
  const { account, database, commit } = await openBrittleCommit()
  const { callId, held } = holdOf(commit, account)
  await held
  const settled = settleOf(commit, account.accountId, callId)
  const next = holdOf(commit, account)
  const first = claimOf(commit, account, 'a key')
  const second = claimOf(commit, account, 'a key')
  expect(await settled).toMatchObject({ outcome: 'done' })
  expect(await next.held).toMatchObject({ outcome: 'held' })
  expect(await first.claimed).toMatchObject({ outcome: 'held' })
  expect(await second.claimed).toMatchObject({ outcome: 'in_progress', earlier: first.callId })
  const rows = await database.query(
    'select count(*) as calls, count(distinct xmin::text) as transactions from call',
  )
  expect(rows).toEqual([{ calls: 3, transactions: 1 }])
})

test('a settlement is made even after its caller has stopped waiting', async () => {
  const { account, ledger, door, commit, moveOn, state } = await openBrittleCommit()
  const { callId, held } = holdOf(commit, account)
  await held
  let settled: ReturnType<typeof settleOf> | undefined
  await breakAt(door, 'loseRequest', () => {
    settled = settleOf(commit, account.accountId, callId)
    settled.catch(() => {})
  })
  moveOn(31_000)
  await expect(settled).rejects.toMatchObject({ code: 'payment_pending' })
  door.open()
  await expect.poll(() => state(callId)).toMatchObject({ state: 'settled' })
  expect(await account.balance()).toEqual({ available: 75, held: 0 })
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('calls of an account that another transaction has locked wait for it alone, and keep their order', {
  // Calls that wait for the lock would wait for good.
  timeout: 120_000,
}, async () => {
  const { account, database, ledger, commit } = await openBrittleCommit()
  const other = await openAccount(database, ledger, 200)
  const open = holdOf(commit, account)
  await open.held
  const locker = await database.connect()
  onTestFinished(() => locker.end())
  await locker.query('begin')
  await locker.query('select from balance where account_id = $1 for update', [account.accountId])
  const answered: string[] = []
  const waiting = [
    settleOf(commit, account.accountId, open.callId).then(() => answered.push('settled')),
    holdOf(commit, account).held.then(() => answered.push('held')),
  ]
  for (let turn = 0; turn < 3; turn += 1) {
    const { callId, held } = holdOf(commit, other)
    expect(await held).toMatchObject({ outcome: 'held' })
    expect(await settleOf(commit, other.accountId, callId)).toMatchObject({ outcome: 'done' })
    const claim = claimOf(commit, account, `key ${turn}`)
    expect(await claim.claimed).toMatchObject({ outcome: 'held' })
  }
  expect(answered).toEqual([])
  await locker.query('commit')
  await Promise.all(waiting)
  expect(answered).toEqual(['settled', 'held'])
  expect(await account.balance()).toEqual({ available: 15, held: 60 })
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('a commit that waits for an account is made once although its connection breaks', async () => {
  const { account, database, ledger, door, commit, state } = await openBrittleCommit()
  const locker = await database.connect()
  onTestFinished(() => locker.end())
  await locker.query('begin')
  await locker.query('select from balance where account_id = $1 for update', [account.accountId])
  const { callId, held } = holdOf(commit, account)
  await expect
    .poll(() =>
      database.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_commit%'`,
      ),
    )
    .toHaveLength(1)
  await breakAt(door, 'loseReply', () => void locker.query('commit'))
  door.open()
  expect(await held).toMatchObject({ outcome: 'held' })
  expect(await state(callId)).toMatchObject({ state: 'held' })
  expect(await account.balance()).toEqual({ available: 40, held: 60 })
  expect(await ledger.verify()).toMatchObject({ ok: true })
})
