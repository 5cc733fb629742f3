import { expect, test } from 'vitest'
import { readPriceRules } from '../rules/price-rules.ts'
import { centsOfAll } from './chosen-rules.ts'

const paid = { match: 'GET *', price: 1 }

test.each([
  [[paid, { match: '*', price: 3 }], 3],
  [[{ match: '*', price: 'free' }], 0],
  [[{ match: '*', price: 3 }, paid], null],
  [[paid, { match: '*', price: 3, free_per_day: 2 }], null],
  [[paid, { match: '*', price: 'not sold' }], null],
] as const)('the rules %j have the price %s of any other call', (rules, cents) => {
  expect(centsOfAll(readPriceRules(rules))).toBe(cents)
})
