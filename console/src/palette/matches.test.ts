import { expect, test } from 'vitest'
import { isId, isPartOfId, matching } from './matches.ts'

const things = [
  { name: 'Transactions', about: 'Account' },
  { name: 'Payments and refunds', about: 'Operator' },
  { name: 'ns_media/generate-action', about: 'Make a picture.' },
  { name: 'Café Zürich', about: 'cafe@example.org' },
  { name: 'ns_act/act', about: 'Do something.' },
]
const namesFor = (typed: string) => matching(typed, things).map(({ name }) => name)

test('names that begin with what was typed come first, then those in which a word begins with it', () => {
  const named = ['Transactions', 'ns_act/list', 'Action log'].map((name) => ({ name }))
  expect(matching('act', named).map(({ name }) => name)).toEqual([
    'Action log',
    'ns_act/list',
    'Transactions',
  ])
})

test('every word must fit, in any order, in the name or in what is said about it', () => {
  expect(namesFor('refunds pay')).toEqual(['Payments and refunds'])
  expect(namesFor('picture media')).toEqual(['ns_media/generate-action'])
  expect(namesFor('picture refunds')).toEqual([])
})

test('case and accents do not count', () => {
  expect(namesFor('CAFE zurich')).toEqual(['Café Zürich'])
})

test('nothing typed leaves all in their order', () => {
  expect(namesFor('  ')).toEqual(things.map(({ name }) => name))
})

test('a whole id is one, a part of it is not', () => {
  expect(isId('0197f9a0-1111-7abc-8def-0123456789ab')).toBe(true)
  expect(isId('0197f9a0-1111')).toBe(false)
  expect(['0197f9a0-1111', '0197f9', 'facade', 'ns_act', '2026'].map(isPartOfId)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
