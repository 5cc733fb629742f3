// Calls on leases whose callers are answered only once the books have them: those of all actions that leave nothing
// but their answer.
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { holdUp, waiting } from '../../../test/simulation/held-statements.ts'

const fine = { ok: true, problems: [] }
const plain = { action: 'test/echo', inference: false, waitsForBooks: true } as const

async function openWarm(settings: Parameters<typeof openLedger>[0] = {}) {
  const opened = await openLedger(settings)
  const { database, ledger } = opened
  // A lone call is held by itself.
  const other = await openAccount(database, ledger, 100)
  await createChats(ledger, other, plain).hold(10)
  const account = await openAccount(database, ledger, 100_000)
  const calls = createChats(ledger, account, plain)
  await warm(database, calls)
  return { ...opened, account, ...calls }
}

test('an answered call is in the books with its answer, and was never on file', async () => {
  const { database, ledger, journalDirectory, hold, settle } = await openWarm()
  const { callId } = await hold(10)
  expect(await database.query('select 1 from call where id = $1', [callId])).toEqual([])
  const { available } = await settle(callId, 7, { output: '{"found":1}' })
  const rows = await database.query(
    'select state, charged, output, inference, available_after from call where id = $1',
    [callId],
  )
  const charged = { state: 'settled', charged: 7, output: '{"found":1}', inference: false }
  expect(rows).toEqual([{ ...charged, available_after: available }])
  expect(await readdir(journalDirectory).catch(() => [])).toEqual([])
  expect(await ledger.verify()).toMatchObject(fine)
})

test('each is told what its account can spend, with what the leases have to spare', async () => {
  const { ledger, account, hold, settle } = await openWarm()
  const chats = createChats(ledger, account)
  for (let call = 1; call <= 20; call += 1) {
    // A chat opens a lease of its own beside.
    const chat = await chats.hold(10)
    await chats.settle(chat.callId, 0)
    const { callId } = await hold(10)
    expect(await settle(callId, 7)).toEqual({ outcome: 'done', available: 100_000 - 7 * call })
  }
  const many = await Promise.all(Array.from({ length: 8 }, () => hold(10)))
  const told = await Promise.all(many.map(({ callId }) => settle(callId, 5)))
  const left = told.map(({ available }) => available).toSorted((one, other) => other - one)
  expect(left).toEqual(Array.from({ length: 8 }, (_, place) => 100_000 - 140 - 5 * (place + 1)))
  const alone = await account.hold(100)
  expect(alone).toMatchObject({ outcome: 'held', available: 100_000 - 140 - 40 - 100 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a lone call is held by itself, which costs less than a turn', async () => {
  const { database, ledger } = await openLedger()
  const { hold, settle } = createChats(ledger, await openAccount(database, ledger, 1_000), plain)
  for (let call = 0; call < 5; call += 1) {
    const { callId } = await hold(10)
    expect(await database.query('select state from call where id = $1', [callId])).toEqual([
      { state: 'held' },
    ])
    await settle(callId, 7)
  }
  expect(await database.query('select * from lease')).toEqual([])
})

test('they count neither as language models nor against their cap', async () => {
  const { database, ledger, account, hold, settle } = await openWarm({ inferenceDayMicrosMax: 50 })
  for (let call = 0; call < 20; call += 1) await settle((await hold(10)).callId, 10)
  expect(await database.query('select * from inference_day')).toEqual([])
  const chats = createChats(ledger, account)
  expect(await chats.hold(50)).toMatchObject({ outcome: 'held' })
  expect(await chats.hold(10)).toMatchObject({ outcome: 'inference_busy' })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('none is answered before the books have it', async () => {
  const { database, ledger, hold, settle } = await openWarm()
  const { callId } = await hold(10)
  const release = await holdUp(database, 'trigger hold_up before insert on call')
  let isAnswered = false
  const settled = settle(callId, 7).finally(() => {
    isAnswered = true
  })
  await waiting(database)
  expect(isAnswered).toBe(false)
  await release()
  expect(await settled).toMatchObject({ outcome: 'done' })
  expect(await database.query('select charged from call where id = $1', [callId])).toEqual([
    { charged: 7 },
  ])
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a call whose lease another gateway has released is charged, and told what is left', async () => {
  const { database, ledger, hold, settle } = await openWarm()
  const { callId } = await hold(10)
  await database.query('select release_lease(id) from lease')
  expect(await settle(callId, 7)).toEqual({ outcome: 'done', available: 100_000 - 7 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('what the lease of a gateway of an earlier version holds is not told as something to spend', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 100_000)
  const turn = {
    lease: '01970000-0000-7000-8000-000000000001',
    account: account.accountId,
    action: 'llm/chat',
    turn: 1,
    take: 1_000,
    least: 10,
    take_places: 1,
    give: 0,
    give_places: 0,
    last: false,
  }
  const granted = await database.query(
    `select granted from lease_commit(0, 100, 8, $1, '[]', true)`,
    [JSON.stringify([turn])],
  )
  expect(granted).toEqual([{ granted: 1_000 }])
  expect(await account.hold(100)).toMatchObject({ available: 100_000 - 1_000 - 100 })
  const [day] = await database.query('select held from inference_day')
  expect(day).toEqual({ held: 1_000 })
  expect(await ledger.verify()).toMatchObject(fine)
})
