import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const filled = (...items: readonly string[]) => {
  const queue = createFairQueue<string>()
  for (const item of items) queue.push(item[0] ?? '', item)
  return queue
}

const drain = (queue: ReturnType<typeof filled>) =>
  Array.from({ length: queue.size }, () => queue.shift())

test('owners take turns, each in the order of their items', () => {
  expect(drain(filled('a1', 'a2', 'a3', 'b1', 'c1', 'b2'))).toEqual([
    'a1',
    'b1',
    'c1',
    'a2',
    'b2',
    'a3',
  ])
})

test('an item that is taken out leaves the turns of the others', () => {
  const queue = filled('a1', 'b1', 'b2')
  expect([queue.remove('b', 'b1'), queue.remove('b', 'b1'), queue.remove('c', 'c1')]).toEqual([
    true,
    false,
    false,
  ])
  expect(drain(queue)).toEqual(['a1', 'b2'])
})

test('room is made by the newest item of the owner who has the most', () => {
  const queue = filled('a1', 'b1', 'b2', 'b3')
  expect([queue.largest, queue.popOfLargest(), queue.waitingOf('b'), queue.size]).toEqual([
    3,
    'b3',
    2,
    3,
  ])
  expect([queue.clear(), queue.size, queue.shift()]).toEqual([['a1', 'b1', 'b2'], 0, undefined])
})
