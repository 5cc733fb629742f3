import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  centsToMicros,
  microsToCents,
  microsToUsd,
  parseMicros,
  partsToCents,
  splitMicros,
  sumOf,
  usdToMicros,
} from './money.ts'

describe('money', () => {
  test.each([
    [0.1, 1_000],
    [0.0001, 1],
    [2, 20_000],
    [0.1 + 0.2, 3_000],
  ])('%d cents are %d micro-dollars', (cents, micros) => expect(centsToMicros(cents)).toBe(micros))

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e15])('%d cents are refused', (cents) =>
    expect(() => centsToMicros(cents)).toThrow(RangeError),
  )

  test.each([
    [0, '0.000000'],
    [1, '0.000001'],
    [20_000, '0.020000'],
    [1_000_000, '1.000000'],
    [12_345_678_901, '12345.678901'],
    [-5, '-0.000005'],
  ])('%d micro-dollars are written %s', (micros, usd) => expect(microsToUsd(micros)).toBe(usd))

  test('a charge is never shown smaller and a balance never larger than it is', () => {
    fc.assert(
      fc.property(fc.nat(1e12), (micros) => {
        expect(microsToCents(micros, 'up') * 10_000).toBeGreaterThanOrEqual(micros)
        expect(microsToCents(micros, 'down') * 10_000).toBeLessThanOrEqual(micros)
        expect(microsToCents(micros, 'up') - microsToCents(micros, 'down')).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('equal parts of an amount sum to it and differ by at most one micro-dollar', () => {
    expect(splitMicros(10_000, 3)).toEqual([3_334, 3_333, 3_333])
    fc.assert(
      fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 50 }), (micros, parts) => {
        const split = splitMicros(micros, parts)
        expect(split).toHaveLength(parts)
        expect(sumOf(split)).toBe(micros)
        expect(Math.max(...split) - Math.min(...split)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test.each([
    [[], []],
    [
      [3_334, 3_333, 3_333],
      [1, 0, 0],
    ],
    [
      [0, 40_000, ...Array(15).fill(1_000)],
      [0, 4, 1, 1, ...Array(13).fill(0)],
    ],
  ])('%j micro-dollars are shown as %j cents', (parts, cents) =>
    expect(partsToCents(parts)).toEqual(cents),
  )

  test('parts in whole cents sum to the charge rounded up, and none is off by a cent or more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e6), { maxLength: 50 }), (parts) => {
        const cents = partsToCents(parts)
        expect(sumOf([...cents])).toBe(microsToCents(sumOf(parts), 'up'))
        for (const [index, micros] of parts.entries())
          expect(Math.abs((cents[index] ?? 0) * 10_000 - micros)).toBeLessThan(10_000)
      }),
    )
  })

  test('a formatted amount in dollars reads back exactly', () => {
    fc.assert(
      fc.property(fc.nat(1e12), (micros) => {
        expect(Number(microsToUsd(micros).replace('.', ''))).toBe(micros)
      }),
    )
  })

  test('a vendor’s cost is rounded up, and floating-point dust is not a micro-dollar', () => {
    expect(usdToMicros(0.007)).toBe(7_000)
    expect(usdToMicros(0.0000001)).toBe(1)
    expect(usdToMicros(0.1 + 0.2)).toBe(300_000)
  })

  test('an amount that a number cannot hold exactly is refused', () => {
    expect(parseMicros('9007199254740991')).toBe(9007199254740991)
    expect(() => parseMicros('9007199254740993')).toThrow(RangeError)
  })
})
