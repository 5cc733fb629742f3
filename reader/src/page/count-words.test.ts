import { expect, test } from 'vitest'
import { countWords } from './count-words.ts'

test('words are counted in any script', () => {
  expect(countWords('it’s a well-known fact, 3.5 times')).toBe(7)
  expect(countWords('Доброе утро')).toBe(2)
  expect(countWords('snake_case')).toBe(2)
})

test('two characters of a script without spaces are one word', () => {
  expect(countWords('今日の天気は晴れです')).toBe(5)
  expect(countWords('วันนี้')).toBe(3)
})

test('characters of two code units are letters or none', () => {
  expect(countWords('𠮷野家')).toBe(2)
  expect(countWords('𝒜 😀 \ud800 e\u0301te\u0301')).toBe(2)
})
