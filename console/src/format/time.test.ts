import { expect, test } from 'vitest'
import { lastDays, showBytes, showDuration } from './time.ts'

test('the last days end today and leave none out', () => {
  expect(lastDays(3, new Date(2026, 2, 1, 12))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})

test('a year of days has each day once, over changes of the clock', () => {
  const days = lastDays(366, new Date(2026, 10, 23))
  expect(new Set(days).size).toBe(366)
})

test('durations and sizes take the unit that fits', () => {
  expect([12, 1_500, 61_000, 3_720_000].map(showDuration)).toEqual([
    '12 ms',
    '1.5 s',
    '1 min 1 s',
    '1 h 2 min',
  ])
  expect([0, 999, 1_000, 2_000_000_000].map(showBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '2.0 GB',
  ])
})
