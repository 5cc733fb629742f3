import { expect, test } from 'vitest'
import { fillReferences, findReferences } from './plan.ts'

const answers = new Map<string, unknown>([
  [
    'find',
    { rows: [{ url: 'a' }, { url: null }, {}, { url: 'b' }, { url: 'c' }], 'a/b': { '~': 1 } },
  ],
])
const from = (pointer: string, more: object = {}) => ({ $step: 'find', pointer, ...more })

test.each([
  ['a value', from('/rows/0/url'), 'a'],
  ['a value under escaped names', from('/a~1b/~0'), 1],
  ['the whole answer', from(''), answers.get('find')],
  ['what the items of a list have', from('/rows', { each: '/url' }), ['a', 'b', 'c']],
  ['the first of them', from('/rows', { each: '/url', first: 2 }), ['a', 'b']],
])('a reference is %s', (_title, reference, value) => {
  expect(fillReferences({ deep: [{ reference }] }, answers)).toEqual({
    deep: [{ reference: value }],
  })
  expect(findReferences({ deep: [{ reference }] })).toMatchObject([
    { path: ['deep', 0, 'reference'], reference: { $step: 'find' } },
  ])
})

test.each([
  ['nothing', from('/rows/9/url')],
  ['the length of a list, which its JSON does not have', from('/rows/length')],
  ['what every object inherits', from('/constructor')],
  ['items of what is not a list', from('/a~1b', { each: '/x' })],
  ['items that all lack it', from('/rows', { each: '/nothing' })],
])('a reference to %s is refused', (_title, reference) => {
  expect(() => fillReferences({ reference }, answers)).toThrow('The answer of step "find"')
})

test.each([{ $step: 'find' }, from('rows'), from('/a', { other: 1 }), from('/a', { first: 0 })])(
  'a reference that is not complete is refused: %j',
  (reference) => {
    expect(() => findReferences({ reference })).toThrow('is not complete')
  },
)

test('values that are too long together are refused, however often one is taken', () => {
  const long = new Map([['find', { text: 'x'.repeat(400_000) }]])
  const taken = (times: number) =>
    fillReferences({ list: Array(times).fill(from('/text')) }, long) as { list: string[] }
  expect(taken(2).list).toHaveLength(2)
  expect(() => taken(3)).toThrow('Take less of them')
})
