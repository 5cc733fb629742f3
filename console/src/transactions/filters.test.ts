import { expect, test } from 'vitest'
import { noFilters, queryOf } from './filters.ts'

test('at first all is asked for but the calls of free actions', () => {
  expect(queryOf(noFilters)).toEqual({ free: 'false' })
  expect(queryOf({ ...noFilters, free: '' })).toEqual({})
})

test('the free calls of a day are asked for apart from those at the price 0', () => {
  expect(queryOf({ ...noFilters, free: 'true' })).toEqual({ free: 'true' })
  expect(queryOf({ ...noFilters, free: 'day' })).toEqual({ within_free_calls: 'true' })
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
    free: 'false',
  })
  expect(queryOf({ ...noFilters, free: '', least: 'two' })).toEqual({})
})
