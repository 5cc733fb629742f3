import { expect, test } from 'vitest'
import { vectorSize } from './encoder.ts'
import { loadProjection, readProjection, writeProjection } from './projection.ts'

const axis = (place: number, size: number) => {
  const weights = new Array<number>(vectorSize).fill(0)
  weights[place] = size
  return weights
}
const scope = { offset: 1, weights: axis(2, 3) }
const table = writeProjection(scope, [
  { offset: 0.5, weights: axis(0, 2) },
  { offset: 0, weights: axis(1, 1) },
])

test('a vector becomes its weighted sums less the offsets, at length 1', () => {
  const [first = 0, second = 0] = readProjection(table).project(axis(0, 1))
  expect(first).toBeCloseTo(1, 5)
  expect(second).toBeCloseTo(0, 5)
  const [third = 0, fourth = 0] = readProjection(table).project([1, 1.5])
  expect(third).toBeCloseTo(Math.SQRT1_2, 2)
  expect(fourth).toBeCloseTo(Math.SQRT1_2, 2)
})

test('the scope is the weighted sum along its own direction', () => {
  expect(readProjection(table).scopeOf(axis(2, 1))).toBeCloseTo(2, 4)
})

test('another projection has another version', () => {
  const other = writeProjection(scope, [{ offset: 0, weights: axis(0, 1) }])
  expect(readProjection(other).version).not.toBe(readProjection(table).version)
})

test('the projection of the repository gives vectors of length 1', () => {
  expect(Math.hypot(...loadProjection().project(axis(3, 1)))).toBeCloseTo(1, 6)
})
