import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createMemory } from './memory.ts'
import type { Rung } from './rungs.ts'

const rung = (position: number, provider: string): Rung => ({
  position,
  provider,
  action: 'read',
  availability: () => ({ ok: true }),
  read: () => Promise.reject(new Error('not asked')),
})
const [plain, ours, theirs, proxy] = [
  rung(1, 'plain'),
  rung(2, 'ours'),
  rung(2, 'theirs'),
  rung(3, 'proxy'),
]
const rungs = [plain, ours, theirs, proxy]
const host = 'shop.example'
const visit = { host, accountId: 'one' }
const visitOfOther = { host, accountId: 'other' }

async function open(random = () => 0.5) {
  const connectionString = await createTestDatabase()
  const database = openDatabase({ connectionString, log })
  onTestFinished(database.close)
  /** The ladder does not wait for what it learns; the tests do. */
  const settled = async (count: number) => {
    for (;;) {
      const [row] = await database.query<{ pages: number }>(
        'select coalesce(sum(reads + blocks), 0) as pages from rung_memory',
      )
      if (Math.round(Number(row?.pages)) >= count) return
    }
  }
  return { database, settled, memory: createMemory({ database, log, random }) }
}

test('an unknown host is tried in the order of the ladder', async () => {
  const { memory } = await open()
  expect(await memory.plan(visit, rungs)).toEqual({ rungs, hopeless: new Set() })
})

test('the renderer that reads a host goes before the one that was blocked there; elsewhere nothing changes', async () => {
  const { memory, settled } = await open()
  memory.learn(visit, ours, 'blocked')
  memory.learn(visit, theirs, 'read')
  await settled(2)
  expect((await memory.plan(visit, rungs)).rungs).toEqual([plain, theirs, ours, proxy])
  expect((await memory.plan({ ...visit, host: 'other.example' }, rungs)).rungs).toEqual(rungs)
})

test('a rung that was always blocked is hopeless, until it reads a page', async () => {
  const { memory, settled } = await open()
  for (let pages = 0; pages < 7; pages += 1) memory.learn(visit, plain, 'blocked')
  await settled(7)
  expect((await memory.plan(visit, rungs)).hopeless).toEqual(new Set([plain]))
  memory.learn(visit, plain, 'read')
  await settled(8)
  expect((await memory.plan(visit, rungs)).hopeless).toEqual(new Set())
})

test('sometimes a hopeless rung is tried nevertheless', async () => {
  const { memory, settled } = await open(() => 0.01)
  for (let pages = 0; pages < 7; pages += 1) memory.learn(visit, plain, 'blocked')
  await settled(7)
  expect((await memory.plan(visit, rungs)).hopeless).toEqual(new Set())
})

test('what was learnt fades: after two months a hopeless rung is worth a try', async () => {
  const { database, memory, settled } = await open()
  for (let pages = 0; pages < 7; pages += 1) memory.learn(visit, plain, 'blocked')
  await settled(7)
  await database.query(`update rung_memory set updated_at = now() - interval '60 days'`)
  expect((await memory.plan(visit, rungs)).hopeless).toEqual(new Set())
})

test('what one account saw counts as one page for another, however often it saw it', async () => {
  const { memory, settled } = await open()
  for (let pages = 0; pages < 30; pages += 1) memory.learn(visitOfOther, plain, 'blocked')
  await settled(30)
  expect((await memory.plan(visitOfOther, rungs)).hopeless).toEqual(new Set([plain]))
  expect((await memory.plan(visit, rungs)).hopeless).toEqual(new Set())
})

test('what many accounts saw counts for all', async () => {
  const { memory, settled } = await open()
  for (let account = 0; account < 7; account += 1)
    memory.learn({ host, accountId: `account ${account}` }, plain, 'blocked')
  await settled(7)
  expect((await memory.plan(visit, rungs)).hopeless).toEqual(new Set([plain]))
})

test('the memory does not tell which account read a host', async () => {
  const { database, memory, settled } = await open()
  const accountId = '00000000-0000-7000-8000-00000000abcd'
  memory.learn({ host, accountId }, plain, 'read')
  memory.learn({ host: 'other.example', accountId }, plain, 'read')
  await settled(2)
  const rows = await database.query<{ party: string }>('select * from rung_memory')
  expect(JSON.stringify(rows)).not.toContain('abcd')
  expect(new Set(rows.map(({ party }) => party)).size).toBe(2)
})

test('the operator sees the latest hosts over all accounts, and a new process knows them too', async () => {
  const { database, memory, settled } = await open()
  memory.learn(visit, ours, 'read')
  memory.learn(visit, plain, 'blocked')
  memory.learn(visitOfOther, plain, 'blocked')
  await settled(3)
  expect(await createMemory({ database, log }).recent()).toEqual([
    {
      host,
      rungs: [
        { rung: '1 plain/read', reads: 0, blocks: 2, blockedAt: expect.any(String) },
        { rung: '2 ours/read', reads: 1, blocks: 0, blockedAt: null },
      ],
    },
  ])
})

test('a host that was not read for ten weeks is forgotten, and the others are not', async () => {
  const { database, memory, settled } = await open()
  memory.learn(visit, plain, 'blocked')
  memory.learn({ ...visit, host: 'other.example' }, plain, 'read')
  await settled(2)
  await database.query(
    `update rung_memory set updated_at = now() - interval '71 days' where host = $1`,
    [host],
  )
  await memory.forgetOld()
  expect(await database.query('select host from rung_memory')).toEqual([{ host: 'other.example' }])
})
