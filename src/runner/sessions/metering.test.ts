import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addUse, priceOfUse, secondsLeft, useAfter } from './metering.ts'

const amounts = (max: number) =>
  fc.record({ cpu: fc.integer({ min: 0, max }), gigabyte: fc.integer({ min: 0, max }) })
const tariffs = amounts(10_000_000)
const uses = amounts(10_000_000)
const paces = amounts(64)

test.each([
  [{ vcpu: 50_000 }, { vcpu: 3_600 }, 50_000],
  [{ vcpu: 50_000 }, { vcpu: 1 }, 13],
  [{ vcpu: 50_000 }, { vcpu: 2 * 90 }, 2_500],
  [{ cpu: 70_000, gigabyte: 43_750 }, { cpu: 10, gigabyte: 3_600 }, 43_944],
  [{ cpu: 70_000 }, {}, 0],
])('the price of a use is rounded down once: %o, %o', (tariff, used, micros) => {
  expect(priceOfUse(tariff, used)).toBe(micros)
})

test('an amount lasts exactly until the second that it cannot pay', () => {
  fc.assert(
    fc.property(tariffs, uses, paces, fc.nat(1_000_000_000), (tariff, used, perSecond, extra) => {
      const paidMicros = priceOfUse(tariff, used) + extra
      const seconds = secondsLeft(tariff, { used, perSecond, paidMicros })
      const priceAfter = (after: number) => priceOfUse(tariff, useAfter(used, perSecond, after))
      if (seconds === Number.POSITIVE_INFINITY) return priceAfter(1_000) === priceAfter(0)
      return priceAfter(seconds) <= paidMicros && priceAfter(seconds + 1) > paidMicros
    }),
  )
})

test('nothing is left of an amount that is used up', () => {
  const left = { used: { vcpu: 7_200 }, perSecond: { vcpu: 1 }, paidMicros: 50_000 }
  expect(secondsLeft({ vcpu: 50_000 }, left)).toBe(0)
})

test('the parts of a session that is settled several times sum to the price of the whole', () => {
  fc.assert(
    fc.property(tariffs, fc.array(amounts(100_000), { maxLength: 20 }), (tariff, parts) => {
      let used = {}
      let settled = 0
      for (const part of parts) {
        used = addUse(used, part)
        const due = priceOfUse(tariff, used) - settled
        expect(due).toBeGreaterThanOrEqual(0)
        settled += due
      }
      expect(settled).toBe(priceOfUse(tariff, used))
    }),
  )
})

test('a pace may have fractions, and an amount is never taken to last longer than it does', () => {
  const tariff = { cpu: 70_000, gigabyte: 43_750 }
  const perSecond = { cpu: 1, gigabyte: 0.513 }
  const seconds = secondsLeft(tariff, { used: {}, perSecond, paidMicros: 50_000 })
  expect(seconds).toBeGreaterThan(1_900)
  const used = { cpu: seconds, gigabyte: Math.floor(seconds * perSecond.gigabyte) }
  expect(priceOfUse(tariff, used)).toBeLessThanOrEqual(50_000)
})

test('a meter that counts fractions is an error', () => {
  expect(() => priceOfUse({ vcpu: 1 }, { vcpu: 0.5 })).toThrow(RangeError)
})
