import { expect, test } from 'vitest'
import { parseList, takeTurns } from './processors.ts'

test('boxes take turns with the processors that the kernel names', () => {
  expect(parseList('0-3,8')).toEqual([0, 1, 2, 3, 8])
  expect(parseList('5')).toEqual([5])
  const all = parseList('2-4')
  expect([0, 1, 2, 3].map((box) => takeTurns(all, box, 1))).toEqual([[2], [3], [4], [2]])
  expect([0, 1].map((box) => takeTurns(all, box, 1.5))).toEqual([
    [2, 3],
    [4, 2],
  ])
  expect(takeTurns(all, 7, 9)).toHaveLength(3)
})
