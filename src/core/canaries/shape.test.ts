import { expect, test } from 'vitest'
import { compareForms, mergeForms, priceHeadersOf, showDrift } from './drift.ts'
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

test.each<[string, unknown, string[]]>([
  ['the same', before, []],
  ['more fields', { ...before, more: { deep: 1 }, next: 'page2' }, ['+ more: object']],
  ['no rows, which says nothing about them', { results: [], next: null }, []],
  ['a null, which may stand for anything', { results: null, next: null }, []],
  [
    'a row with fewer fields',
    { results: [{ id: 1 }], next: null },
    ['- results[].name: string', '- results[].place: object'],
  ],
  [
    'a field of another type',
    { results: [{ id: 'one', name: 'a', place: { city: 'x' } }], next: null },
    ['~ results[].id: number, now string'],
  ],
  ['a page of text', '<html>', ['~ : object, now string']],
  ['another form', { items: [] }, ['- results: list', '- next: null', '+ items: list']],
])('%s', (_title, now, lines) => {
  expect(compareShapes(shapeOf(before), shapeOf(now)).map(showDrift)).toEqual(lines)
})

test('an object whose names are data, such as words, is not compared by its names', () => {
  const index = (...words: string[]) =>
    shapeOf({ index: Object.fromEntries(words.map((word) => [word, [1]])) })
  const old = index('despite', 'growing', 'interest', 'in')
  expect(compareShapes(old, index('in', 'this', 'paper', 'e.g.', 'x[0]'))).toEqual([])
  expect(compareShapes(old, index('despite', 'growing', 'interest')).map(showDrift)).toEqual([
    '- index.in: list',
  ])
})

const form = (value: unknown, headers: Record<string, string> = {}) => ({
  shape: shapeOf([value]),
  headers: priceHeadersOf([{ headers }]),
})

test('after a reply was accepted, later ones may be like it or like those before', () => {
  const old = form({ id: 1, note: 'a' })
  const recent = form({ id: 1, more: true })
  expect(compareForms(old, recent).map(showDrift)).toEqual(['- note: string', '+ more: boolean'])
  const accepted = mergeForms(old, recent)
  for (const value of [{ id: 1, note: 'a' }, { id: 1, more: true }, { id: 2 }])
    expect(compareForms(accepted, form(value))).toEqual([])
  expect(compareForms(accepted, form({ note: 'a' })).map(showDrift)).toEqual(['- id: number'])
})

test('a header that says what a call costs is noticed when it is new, gone or dearer, and no other', () => {
  const old = form({}, { 'X-Credits-Used': '1', 'x-credits-remaining': '10', date: 'today' })
  expect(
    compareForms(old, form({}, { 'x-credits-used': '1', 'x-credits-remaining': '9' })),
  ).toEqual([])
  expect(
    compareForms(old, form({}, { 'x-credits-used': '5', 'x-cost-usd': '0.2' })).map(showDrift),
  ).toEqual([
    '+ header x-cost-usd: 0.2',
    '- header x-credits-remaining: 10',
    '~ header x-credits-used: 1, now 5',
  ])
})

test('a reply of any size has a bounded form, which is not said to lack what had no room', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))
  let deep: unknown = 1
  for (let n = 0; n < 5_000; n += 1) deep = { deep }
  expect(Object.keys(shapeOf(wide)).length).toBeLessThanOrEqual(500)
  expect(Object.keys(shapeOf(deep)).length).toBeLessThanOrEqual(20)
  expect(
    compareShapes(shapeOf({ f0: 1, last: 2 }), shapeOf(wide)).filter(
      ({ kind }) => kind === 'missing',
    ),
  ).toEqual([])
})
