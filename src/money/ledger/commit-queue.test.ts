import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apart, createCommitQueue } from './commit-queue.ts'

const waiting = (id: number, deadlineMs = 1_000) => ({ id, deadlineMs, sent: false })
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

function queueOf(max: number) {
  return createCommitQueue<ReturnType<typeof waiting>, ReturnType<typeof waiting>>(max)
}

test('each operation is in exactly one answered batch, settlements before holds, none above the limit', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('hold', 'settle', 'answer', 'fail'), count: fc.nat(5) }),
    ),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), steps, (max, events) => {
      const queue = queueOf(max)
      let count = 0
      const answered: number[] = []
      const commit = (fails: boolean) => {
        const batch = queue.next()
        expect(batch.settlements.length + batch.holds.length).toBeLessThanOrEqual(max)
        if (fails) queue.later(batch)
        else {
          answered.push(...ids(batch.settlements), ...ids(batch.holds))
          queue.answered()
        }
      }
      for (const { kind, count: times } of events) {
        if (kind === 'answer' || kind === 'fail') {
          if (!queue.isEmpty()) commit(kind === 'fail')
          continue
        }
        for (let turn = 0; turn < times; turn += 1) {
          count += 1
          if (kind === 'hold') queue.addHold(waiting(count))
          else queue.addSettlement(waiting(count))
        }
      }
      while (!queue.isEmpty()) commit(false)
      expect(answered.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      )
    }),
  )
})

test('settlements go first, and holds fill the batch', () => {
  const queue = queueOf(3)
  for (const id of [1, 2, 3]) queue.addHold(waiting(id))
  for (const id of [4, 5]) queue.addSettlement(waiting(id))
  const { settlements, holds } = queue.next()
  expect([ids(settlements), ids(holds)]).toEqual([[4, 5], [1]])
  expect([...settlements, ...holds].every(({ sent }) => sent)).toBe(true)
})

test('after a failure the batch halves, goes behind the others, and grows again with each answer', () => {
  const queue = queueOf(4)
  for (const id of [1, 2, 3, 4, 5, 6]) queue.addHold(waiting(id))
  expect(queue.later(queue.next())).toBe(1)
  expect(ids(queue.next().holds)).toEqual([5, 6])
  queue.answered()
  expect(ids(queue.next().holds)).toEqual([1, 2, 3, 4])
})

test('a hold expires at its deadline, a settlement only stops being waited for', () => {
  const queue = queueOf(4)
  queue.addHold(waiting(1, 10))
  queue.addHold(waiting(2, 20))
  queue.addSettlement(waiting(3, 10))
  const late = queue.expire(10)
  expect([ids(late.holds), ids(late.settlements)]).toEqual([[1], [3]])
  const { settlements, holds } = queue.next()
  expect([ids(settlements), ids(holds)]).toEqual([[3], [2]])
})

test('a failed batch is split into its operations, and a single operation is not', () => {
  const batch = { settlements: [waiting(1)], holds: [waiting(2), waiting(3)] }
  expect(apart(batch).map((each) => [ids(each.settlements), ids(each.holds)])).toEqual([
    [[1], []],
    [[], [2]],
    [[], [3]],
  ])
  expect(apart({ settlements: [waiting(1)], holds: [] })).toEqual([])
})
