// Whose film is rendered next, on two gateways of one database.
import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createRenderTurns } from './render-turns.ts'

const preview = 1
const longFilm = 600

async function openTurns() {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  onTestFinished(database.close)
  const gateway = () => createRenderTurns({ database, rendersMax: 1 })
  const newId = () => uuidv7(Date.now())
  const turns = gateway()

  /** A render that goes on until it is told to end. */
  async function start(accountId: string, workSeconds: number, at = turns, renderId = newId()) {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<boolean>()
    const taken = at.take({ renderId, accountId, workSeconds }, async () => {
      begun.resolve(true)
      await end
      return 'made'
    })
    void taken.then((made) => made ?? begun.resolve(false))
    const finish = async () => {
      resolve()
      return await taken
    }
    return { isRendering: await begun.promise, renderId, finish }
  }
  const ask = (accountId: string, workSeconds: number, renderId = newId()) =>
    turns.take({ renderId, accountId, workSeconds }, async () => 'made')
  return {
    database,
    turns,
    gateway,
    start,
    ask,
    newId,
    accounts: [newId(), newId()] as const,
  }
}

test('a preview is made while a long film of another account is', async () => {
  const { start, ask, accounts } = await openTurns()
  const long = await start(accounts[0], longFilm)
  expect(long.isRendering).toBe(true)
  // The operator allows one film at once.
  expect(await ask(accounts[1], longFilm)).toBeUndefined()
  expect(await ask(accounts[1], preview)).toBe('made')
  expect(await long.finish()).toBe('made')
})

test('the account that has used less comes first, and renders that failed count', async () => {
  const { database, turns, start, ask, newId, accounts } = await openTurns()
  const [greedy, modest] = accounts
  const failed = turns.take({ renderId: newId(), accountId: greedy, workSeconds: 1 }, async () => {
    throw new Error('No picture.')
  })
  await expect(failed).rejects.toThrow('No picture.')
  const [row] = await database.query(
    `update film_turn set used_seconds = used_seconds + 300 where account_id = $1
     returning ended_at is not null and used_seconds > 300 as "isCounted"`,
    [greedy],
  )
  expect(row).toEqual({ isCounted: true })

  const running = await start(greedy, longFilm)
  const [first, second] = [newId(), newId()]
  expect(await ask(greedy, longFilm, first)).toBeUndefined()
  expect(await ask(modest, longFilm, second)).toBeUndefined()
  await running.finish()
  expect(await ask(greedy, longFilm, first)).toBeUndefined()
  expect(await ask(modest, longFilm, second)).toBe('made')
  expect(await ask(greedy, longFilm, first)).toBe('made')
})

test('gateways share the use, and each has its own places', async () => {
  const { database, start, gateway, newId, accounts } = await openTurns()
  const [greedy, modest] = accounts
  const here = await start(greedy, longFilm)
  await database.query('update film_turn set used_seconds = 100')
  const other = gateway()
  const waiting = newId()
  const turn = { renderId: waiting, accountId: modest, workSeconds: longFilm }
  // It waits here, and is known there: the second film of the greedy account is not next anywhere.
  const { isRendering } = await start(modest, longFilm, undefined, waiting)
  expect(isRendering).toBe(false)
  expect((await start(greedy, longFilm, other)).isRendering).toBe(false)
  expect(await other.take(turn, async () => 'made')).toBe('made')
  await here.finish()
})

test('a film that has waited comes nearer, and one that asks no more is not waited for', async () => {
  const { database, start, ask, newId, accounts } = await openTurns()
  const running = await start(accounts[0], longFilm)
  const [patient, late] = [newId(), newId()]
  expect(await ask(accounts[1], longFilm, patient)).toBeUndefined()
  expect(await ask(newId(), longFilm / 2, late)).toBeUndefined()
  await running.finish()
  const age = (seconds: number, column: string) =>
    database.query(
      `update film_turn set ${column} = ${column} - $2 * interval '1 second' where render_id = $1`,
      [patient, seconds],
    )
  await age(longFilm, 'asked_at')
  expect(await ask(newId(), longFilm / 2, late)).toBeUndefined()
  await age(60, 'seen_at')
  expect(await ask(newId(), longFilm / 2, late)).toBe('made')
})

test('what was used more than an hour ago is forgotten', async () => {
  const { database, turns, ask, accounts } = await openTurns()
  await ask(accounts[0], longFilm)
  await turns.forgetOld()
  expect(await database.query('select 1 from film_turn')).toHaveLength(1)
  await database.query(`update film_turn set seen_at = seen_at - interval '2 hours'`)
  await turns.forgetOld()
  expect(await database.query('select 1 from film_turn')).toEqual([])
})
