import { expect, test } from 'vitest'
import { sayDollars } from './amount-words.ts'

test.each([
  [0, 'zero dollars'],
  [1, 'zero dollars and one cent'],
  [101, 'one dollar and one cent'],
  [1_337, 'thirteen dollars and thirty-seven cents'],
  [4_000, 'forty dollars'],
  [100_000, 'one thousand dollars'],
  [120_005, 'one thousand two hundred dollars and five cents'],
  [1_234_599, 'twelve thousand three hundred forty-five dollars and ninety-nine cents'],
  [10_000_000, 'one hundred thousand dollars'],
  [100_000_000, 'one million dollars'],
  [
    99_999_919,
    'nine hundred ninety-nine thousand nine hundred ninety-nine dollars and nineteen cents',
  ],
])('%i cents are %s', (cents, words) => {
  expect(sayDollars(cents)).toBe(words)
})
