import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRulesFile } from './rules-file.ts'

test.each([
  [
    '[\n  {"match": "*", "price": 1},\n]',
    'The file is not JSON. Something is wrong at line 3, column 1.',
  ],
  ['[\n  {"match": "*" "price": 1}\n]', 'line 2, column 17.'],
  ["[{'match': 1}]", 'line 1, column 3.'],
  ['[{"match": 01}]', 'line 1, column 12.'],
  ['[1]\n\n[2]', 'line 3, column 1.'],
  ['[\n{"match": "*"', 'The file ends too early at line 2, column 14.'],
  ['', 'The file ends too early at line 1, column 1.'],
  ['{"match": "*"}', 'is not a list of price rules in JSON'],
])('the file %j is refused with the place of what is wrong', (text, told) => {
  expect(() => readRulesFile('The file', text)).toThrow(told)
})

test('a sentence gets the line of the rule that it names', () => {
  const text = '[\n  {"match": ["[", "a"]},\n\n  {"match": "b",\n   "per": {"x": [{}]}}, 7\n]\n'
  const { rules, withLines } = readRulesFile('The file', text)
  expect(rules).toHaveLength(3)
  expect(withLines('Rule 1: no. Rule 2: no. Rule 3. Rule 4.')).toBe(
    'Rule 1 (line 2): no. Rule 2 (line 4): no. Rule 3 (line 5). Rule 4.',
  )
})

test('what is JSON for the parser is JSON here, and the other way round', () => {
  const broken = fc
    .tuple(
      fc.json(),
      fc.nat(30),
      fc.constantFrom('', ',', '"', ']', '}', '1', ':', '\\', '\n', 'e'),
    )
    .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at + 1))
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(fc.oneof(fc.json({ depthSize: 'medium' }), broken), (text) => {
      let refusal = ''
      try {
        readRulesFile('The file', text)
      } catch (thrown) {
        refusal = String(thrown)
      }
      expect(refusal.includes('is not JSON')).toBe(!isJson(text))
    }),
    { numRuns: 500 },
  )
})
