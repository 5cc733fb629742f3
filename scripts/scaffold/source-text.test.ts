import { expect, test } from 'vitest'
import { addImport, addToList, addToSortedList } from './source-text.ts'

test('an import is added below the others, so that the comment at the head stays with the first', () => {
  const text = `// The list.
import { a } from './a.ts'
import {
  b,
  c,
} from './b.ts'

export const all = [a, b, c]
`
  expect(addImport(text, 'd', './d.ts')).toBe(
    text.replace("from './b.ts'\n", "from './b.ts'\nimport { d } from './d.ts'\n"),
  )
})

const list = (...items: string[]) => `const listed = [${items.join(', ')}]\nexport { listed }\n`

test.each([
  ['between two others', ['archive', 'geo(prices, [1, 2])', 'wine'], 'fax', 1],
  ['after a call with a list of its own', ['archive', 'geo(prices, [1, 2])', 'wine'], 'jobs', 2],
  ['at the end', ['archive', 'geo'], 'wine', 2],
  ['in an empty list', [], 'wine', 0],
])('a name is added in alphabetical order: %s', (_where, items, name, at) => {
  expect(addToSortedList(list(...items), 'const listed = [', name)).toBe(
    list(...items.toSpliced(at, 0, name)),
  )
})

test('a name is added at the end of a list with an order of its own', () => {
  expect(addToList(list('works', 'authors'), 'const listed = [', 'fields')).toBe(
    list('works', 'authors', 'fields'),
  )
})

test('a list that is not there or has no end is refused', () => {
  expect(() => addToList('', 'const listed = [', 'a')).toThrow('no `const listed = [`')
  expect(() => addToList('const listed = [a, (b', 'const listed = [', 'c')).toThrow('no end')
})
