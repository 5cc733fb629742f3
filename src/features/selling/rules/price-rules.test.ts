import { expect, test } from 'vitest'
import { readPriceRules } from './price-rules.ts'

const good = { match: 'search', price: 1 }

test.each([
  [[good, { match: '*', price: 1, per: { field: 'text' } }], 'Rule 2: "per.at_most" is missing.'],
  [[{ ...good, per: { at_most: 1 } }], 'Rule 1: per: per counts one of field, answer and of.'],
  [
    [{ ...good, per: { field: 'a', answer: '/b', at_most: 1 } }],
    'Rule 1: per: per counts one of field, answer and of.',
  ],
  [
    [good, good, { ...good, per: { answer: 'rows', at_most: 1 } }],
    'Rule 3: per.answer: must be a JSON Pointer, such as /items or /usage/total_tokens.',
  ],
  [[{ ...good, per: { answer: '/rows', atMost: 1 } }], 'Unknown parameter "atMost" in per.'],
  [[{ ...good, minimum: 1 }], 'Rule 1: minimum belongs to a price per unit.'],
  [[{ match: '*' }], 'Rule 1: price: must be cents, "free" or "not sold".'],
  [[{ ...good, match: 7 }], 'Rule 1: match: must be the name of an action'],
  [
    [{ ...good, when: { status: '201' } }],
    'Rule 1: when.status: is a list of statuses, such as [201].',
  ],
  [[], 'The price rules cannot be used.'],
])(
  'rules that cannot be used are told by the number of the rule and what is wrong',
  (rules, why) => {
    expect(() => readPriceRules(rules)).toThrow(why)
  },
)

test('a price may count a field, the answer, its bytes or its seconds', () => {
  for (const counted of [
    { field: 'text' },
    { answer: '/rows' },
    { of: 'bytes' },
    { of: 'seconds' },
  ])
    expect(readPriceRules([{ ...good, per: { ...counted, at_most: 10 } }])).toEqual([
      { ...good, per: { ...counted, at_most: 10 } },
    ])
})

test('one status is a list of it', () => {
  expect(readPriceRules([{ ...good, when: { status: 201 } }])).toEqual([
    { ...good, when: { status: [201] } },
  ])
})
