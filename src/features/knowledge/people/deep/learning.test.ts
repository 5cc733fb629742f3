import { expect, onTestFinished, test } from 'vitest'
import { centsToMicros } from '#core/money.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createLearning, rankSteps, type Trial } from './learning.ts'

async function open() {
  const connectionString = await createTestDatabase()
  const database = openDatabase({ connectionString, log })
  onTestFinished(database.close)
  return { database, learning: createLearning(database) }
}

const finder = 'ns_email_a/email-finder'
const trial = (step: string, outcome: Trial['outcome'], cents: number): Trial => ({
  step,
  field: 'email',
  outcome,
  spent: centsToMicros(cents),
})
const available = () => true
const orderOf = (counts: Parameters<typeof rankSteps>[0]) =>
  rankSteps(counts, available)
    .stepsFor('email')
    .map(({ id }) => id)

test('a source that costs much and fills little goes behind the others, in every gateway', async () => {
  const { database, learning } = await open()
  expect(orderOf(await learning.counts())[0]).toBe(finder)
  await learning.learn(Array.from({ length: 30 }, () => trial(finder, 'refused', 6)))
  const counts = await createLearning(database).counts()
  expect(orderOf(counts).at(-1)).toBe(finder)
  const [step] = rankSteps(counts, available).stepsFor('email').slice(-1)
  expect(rankSteps(counts, available).trust(step as never, 'email')).toBeCloseTo(9 / 40)
})

test('counts add up, also when two gateways learn at the same time', async () => {
  const { learning } = await open()
  const trials = [trial(finder, 'confirmed', 6), trial('ns_email_b/email-search', 'nothing', 5)]
  await Promise.all(Array.from({ length: 10 }, () => learning.learn(trials.toReversed())))
  expect(await learning.counts()).toEqual([
    {
      step: finder,
      field: 'email',
      refusals: 0,
      fills: expect.closeTo(10),
      confirmations: expect.closeTo(10),
      spentCents: expect.closeTo(60),
    },
    {
      step: 'ns_email_b/email-search',
      field: 'email',
      fills: 0,
      confirmations: 0,
      refusals: 0,
      spentCents: expect.closeTo(50),
    },
  ])
})

test('what was learnt fades by half in 30 days', async () => {
  const { database, learning } = await open()
  await learning.learn([trial(finder, 'confirmed', 6)])
  await database.query(`update people_source set updated_at = now() - interval '30 days'`)
  expect(await learning.counts()).toMatchObject([
    { fills: expect.closeTo(0.5), spentCents: expect.closeTo(3) },
  ])
})

test('a miss is remembered for a day, as a digest', async () => {
  const { database, learning } = await open()
  await learning.remember(['one', 'two', 'one'])
  expect(await learning.missed('one')).toBe(true)
  expect(await learning.missed('three')).toBe(false)
  await database.query(
    `update people_miss set missed_at = now() - interval '25 hours' where digest = 'one'`,
  )
  expect(await learning.missed('one')).toBe(false)
  await learning.forgetOld()
  expect(await database.query('select digest from people_miss')).toEqual([{ digest: 'two' }])
})

test('what jobs cost beyond their charges is added up for each account, and forgotten after two days', async () => {
  const { database, learning } = await open()
  await learning.addUncovered('one', centsToMicros(5))
  await learning.addUncovered('one', -10_000)
  await learning.addUncovered('other', centsToMicros(7))
  expect(await learning.uncovered('one')).toBe(centsToMicros(4))
  expect(await learning.uncovered('third')).toBe(0)
  await database.query(
    `update people_uncovered set day = current_date - 2 where account_id = 'one'`,
  )
  expect(await learning.uncovered('one')).toBe(0)
  await learning.forgetOld()
  expect(await database.query('select account_id as id from people_uncovered')).toEqual([
    { id: 'other' },
  ])
})
