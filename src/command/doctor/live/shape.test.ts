import { expect, test } from 'vitest'
import { compareShapes, shapeOf } from './shape.ts'

const before = { results: [{ id: 1, name: 'a', place: { city: 'x' } }, { id: 2 }], next: null }

test('a form names each path and its types', () => {
  expect(shapeOf(before)).toEqual({
    '': ['object'],
    results: ['list'],
    'results[]': ['object'],
    'results[].id': ['number'],
    'results[].name': ['string'],
    'results[].place': ['object'],
    'results[].place.city': ['string'],
    next: ['null'],
  })
})

test.each<[string, unknown, string[], string[]]>([
  ['the same', before, [], []],
  ['more fields', { ...before, more: 1, next: 'page2' }, [], []],
  ['no rows, which says nothing about them', { results: [], next: null }, [], []],
  ['a null, which may stand for anything', { results: null, next: null }, [], []],
  [
    'a row with fewer fields',
    { results: [{ id: 1 }], next: null },
    ['results[].name', 'results[].place'],
    [],
  ],
  [
    'a field of another type',
    { results: [{ id: 'one', name: 'a', place: { city: 'x' } }], next: null },
    [],
    ['results[].id (number, now string)'],
  ],
  ['a page of text', '<html>', [], ['the reply (object, now string)']],
  ['another form', { items: [] }, ['results', 'next'], []],
])('%s', (_title, now, gone, changed) => {
  expect(compareShapes(shapeOf(before), shapeOf(now))).toEqual({ gone, changed })
})

test('a reply of any size has a bounded form', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))
  let deep: unknown = 1
  for (let n = 0; n < 5_000; n += 1) deep = { deep }
  expect(Object.keys(shapeOf(wide)).length).toBeLessThanOrEqual(500)
  expect(Object.keys(shapeOf(deep)).length).toBeLessThanOrEqual(20)
})
