import { expect, test } from 'vitest'
import { noFilters, queryOf } from './filters.ts'

test('empty filters ask for everything', () => {
  expect(queryOf(noFilters)).toEqual({})
})

test('the last day is included, in the time zone of the reader', () => {
  const { from, until } = queryOf({ ...noFilters, from: '2026-02-27', until: '2026-02-28' })
  expect(from).toBe(new Date(2026, 1, 27).toISOString())
  expect(until).toBe(new Date(2026, 2, 1).toISOString())
})

test('amounts are cents for the gateway, and any other text filters nothing', () => {
  expect(queryOf({ ...noFilters, least: '0.0035', most: '$2' })).toEqual({
    min_cents: 0.35,
    max_cents: 200,
  })
  expect(queryOf({ ...noFilters, least: 'two', most: '' })).toEqual({})
})
