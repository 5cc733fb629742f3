import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  columnUsd,
  readDollars,
  readUsd,
  showExactUsd,
  showUsd,
  sumUsd,
  writeUsd,
} from './money.ts'

test('an amount survives being read and written', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (micros) => {
      expect(readUsd(writeUsd(micros))).toBe(micros)
    }),
  )
})

test.for([
  ['0.000000', '0¢'],
  ['0.020000', '2¢'],
  ['0.002000', '0.2¢'],
  ['0.000004', 'under 0.01¢'],
  ['-0.000002', '−$0.000002'],
  ['0.999999', '100¢'],
  ['1.000000', '$1.00'],
  ['1234567.895000', '$1,234,567.90'],
  ['-12.300000', '−$12.30'],
  ['0.100000', '10¢'],
])('%s is shown as %s', ([usd = '', shown]) => {
  expect(showUsd(usd)).toBe(shown)
})

test.for([
  ['1.995000', '$1.99'],
  ['0.999999', '99.99¢'],
  ['0.029999', '2.99¢'],
  ['0.000099', 'under 0.01¢'],
  ['-1.000001', '−$1.01'],
])('%s that one can spend is shown as %s, never as more', ([usd = '', shown]) => {
  expect(showUsd(usd, 'down')).toBe(shown)
})

test('an amount is never shown below what was charged, nor above what one can spend', () => {
  const shownMicros = (text: string) => {
    const [, sign, dollars, cents] = /^(−?)(?:\$([\d,]+\.\d\d)|([\d.]+)¢)$/.exec(text) ?? []
    const size =
      dollars === undefined ? Number(cents) * 1e4 : Number(dollars.replaceAll(',', '')) * 1e6
    return Math.round(sign === '−' ? -size : size)
  }
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10 ** 12 }), fc.boolean(), (size, isDebt) => {
      const micros = isDebt ? -size : size
      const usd = writeUsd(BigInt(micros))
      expect(shownMicros(showUsd(usd, 'up'))).toBeGreaterThanOrEqual(micros)
      expect(shownMicros(showUsd(usd, 'down'))).toBeLessThanOrEqual(micros)
    }),
  )
})

test.for([
  ['0.000000', '$0.00'],
  ['0.020000', '$0.02'],
  ['0.002000', '$0.002'],
  ['0.020001', '$0.0201'],
  ['0.999999', '$1.00'],
  ['0.000004', 'under $0.0001'],
  ['-0.000002', '−$0.000002'],
  ['-0.029999', '−$0.0299'],
  ['1.995000', '$2.00'],
  ['1234567.895000', '$1,234,567.90'],
])('in a column, %s is shown as %s', ([usd = '', shown]) => {
  expect(columnUsd(usd)).toBe(shown)
})

test.for([
  ['0.029999', '$0.0299'],
  ['0.999999', '$0.9999'],
  ['0.000099', 'under $0.0001'],
  ['-0.029901', '−$0.03'],
])('in a column, %s that one can spend is shown as %s, never as more', ([usd = '', shown]) => {
  expect(columnUsd(usd, 'down')).toBe(shown)
})

test('an exact amount has six places', () => {
  expect([showExactUsd('0.02'), showExactUsd('-1.000001')]).toEqual(['$0.020000', '−$1.000001'])
})

test('sums are exact', () => {
  expect(sumUsd(['0.100000', '0.200000', '-0.000001'])).toBe('0.299999')
})

test('a typed amount is dollars with up to two places', () => {
  expect(['12', '$0.5', '3,25', '1.234', 'ten', '-1'].map(readDollars)).toEqual([
    1_200,
    50,
    325,
    undefined,
    undefined,
    undefined,
  ])
})
