import { describe, expect, test } from 'vitest'
import { amount, centsOf, dollars } from './amounts.ts'
import { timeOf } from './times.ts'

test.for([
  ['500', 500],
  ['500¢', 500],
  ['$5', 500],
  ['$5.00', 500],
  ['$0.25', 25],
  ['0', 0],
] as const)('%s is %i cents', ([text, cents]) => {
  expect(centsOf('per-day', text)).toBe(cents)
})

test('the sign of an amount stands before its dollars', () => {
  expect([dollars('-0.000002'), dollars('0.020000'), amount(-1, '-0.000002')]).toEqual([
    '-$0.000002',
    '$0.020000',
    '-1¢ (-$0.000002)',
  ])
})

test.for(['', '5.00', '0.5', '$5.5', '$', '-1', '5 dollars', '5$'])('%s is refused', (text) => {
  expect(() => centsOf('per-day', text)).toThrow(/--per-day takes whole cents/)
})

describe('at noon of 15 March 2026', () => {
  const now = new Date('2026-03-15T12:00:00Z')
  test.for([
    ['now', 'past', '2026-03-15T12:00:00.000Z'],
    ['today', 'past', '2026-03-15T00:00:00.000Z'],
    ['Yesterday', 'past', '2026-03-14T00:00:00.000Z'],
    ['tomorrow', 'future', '2026-03-16T00:00:00.000Z'],
    ['7d', 'past', '2026-03-08T12:00:00.000Z'],
    ['7 days ago', 'past', '2026-03-08T12:00:00.000Z'],
    ['90m', 'past', '2026-03-15T10:30:00.000Z'],
    ['2w', 'future', '2026-03-29T12:00:00.000Z'],
    ['2026-03-01', 'past', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T08:00', 'past', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01 08:00:30', 'past', '2026-03-01T08:00:30.000Z'],
    ['2026-03-01T08:00:00+02:00', 'past', '2026-03-01T06:00:00.000Z'],
  ] as const)('%s in the %s is %s', ([text, direction, moment]) => {
    expect(timeOf('from', text, { direction, now })).toBe(moment)
  })

  test.for(['', 'last week', '2026-02-31', '2026-13-01', '01/03/2026', '1700000000', 'mon'])(
    '%s is refused',
    (text) => {
      expect(() => timeOf('from', text, { direction: 'past', now })).toThrow(/--from takes a date/)
    },
  )
})
