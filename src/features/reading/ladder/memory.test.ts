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

async function open(random = () => 0.5) {
  const connectionString = await createTestDatabase()
  const database = openDatabase({ connectionString, log })
  onTestFinished(database.close)
  /** Learning does not keep anybody waiting; here it is waited for. */
  const settled = async (count: number) => {
    for (;;) {
      const [row] = await database.query<{ tries: number }>(
        'select coalesce(sum(reads + misses), 0) as tries from rung_memory',
      )
      if (Math.round(Number(row?.tries)) >= count) return
    }
  }
  return { database, settled, memory: createMemory({ database, log, random }) }
}

test('an unknown host is tried in the order of the ladder', async () => {
  const { memory } = await open()
  expect(await memory.plan(host, rungs)).toEqual({ rungs, hopeless: new Set() })
})

test('the renderer that reads a host goes before the one that was blocked there; elsewhere nothing changes', async () => {
  const { memory, settled } = await open()
  memory.learn(host, ours, 'blocked')
  memory.learn(host, theirs, 'read')
  await settled(2)
  expect((await memory.plan(host, rungs)).rungs).toEqual([plain, theirs, ours, proxy])
  expect((await memory.plan('other.example', rungs)).rungs).toEqual(rungs)
})

test('a rung that never got through is hopeless, until it did once', async () => {
  const { memory, settled } = await open()
  for (let tries = 0; tries < 7; tries += 1) memory.learn(host, plain, 'blocked')
  await settled(7)
  expect((await memory.plan(host, rungs)).hopeless).toEqual(new Set([plain]))
  memory.learn(host, plain, 'read')
  await settled(8)
  expect((await memory.plan(host, rungs)).hopeless).toEqual(new Set())
})

test('now and then a hopeless rung is tried all the same', async () => {
  const { memory, settled } = await open(() => 0.01)
  for (let tries = 0; tries < 7; tries += 1) memory.learn(host, plain, 'blocked')
  await settled(7)
  expect((await memory.plan(host, rungs)).hopeless).toEqual(new Set())
})

test('what was learnt fades: after two months a hopeless rung is worth a try', async () => {
  const { database, memory, settled } = await open()
  for (let tries = 0; tries < 7; tries += 1) memory.learn(host, plain, 'blocked')
  await settled(7)
  await database.query(`update rung_memory set updated_at = now() - interval '60 days'`)
  expect((await memory.plan(host, rungs)).hopeless).toEqual(new Set())
})

test('the operator sees the hosts that were learnt of last, and a new process knows them too', async () => {
  const { database, memory, settled } = await open()
  memory.learn(host, ours, 'read')
  memory.learn(host, plain, 'blocked')
  await settled(2)
  expect(await createMemory({ database, log }).recent()).toEqual([
    {
      host,
      rungs: [
        { rung: '1 plain/read', reads: 0, misses: 1, blockedAt: expect.any(String) },
        { rung: '2 ours/read', reads: 1, misses: 0, blockedAt: null },
      ],
    },
  ])
})

test('a host that was not read for ten weeks is forgotten, and the others are not', async () => {
  const { database, memory, settled } = await open()
  memory.learn(host, plain, 'blocked')
  memory.learn('other.example', plain, 'read')
  await settled(2)
  await database.query(
    `update rung_memory set updated_at = now() - interval '71 days' where host = $1`,
    [host],
  )
  await memory.forgetOld()
  expect(await database.query('select host from rung_memory')).toEqual([{ host: 'other.example' }])
})
