import { expect, test } from 'vitest'
import { readValues } from './read-values.ts'

const today = '2026-11-28'

/** The values without their places, each with its words. */
const valuesIn = (text: string) =>
  readValues(text, today).values.map(({ start, end, ...value }) => ({
    ...value,
    said: text.slice(start, end).trim(),
  }))

test.each([
  ['get 50 tweets about openai', { kind: 'count', count: 50, noun: 'tweets', said: '50' }],
  ['give me the last 20', { kind: 'count', count: 20, noun: '', said: 'the last 20' }],
  ['a dozen papers', { kind: 'count', count: 12, noun: 'papers', said: 'a dozen' }],
  ['open the latest filing', { kind: 'count', count: 1, noun: '', said: 'the latest' }],
])('a count: %s', (text, value) => {
  expect(valuesIn(text)).toContainEqual(value)
})

test.each([
  'forms 10-K and 10-Q',
  'clinical trials in phase 3',
  'the New Balance 990v6',
  'Jordan 1 Chicago',
  'at 8 pm',
  'at most 30 cents',
  'founded 2019',
])('no count: %s', (text) => {
  expect(valuesIn(text).filter(({ kind }) => kind === 'count')).toEqual([])
})

test.each([
  ['in the last week', { from: '2026-11-21', days: 7, named: 'last_week' }],
  ['from the past 3 months', { from: '2026-08-30', days: 90 }],
  ['negli ultimi 3 giorni', { from: '2026-11-25', days: 3 }],
  ['since 2022', { from: '2022-01-01' }],
  ['before 2020', { to: '2019-12-31' }],
  ['until 2025-12-31', { to: '2025-12-31' }],
  ['between 2009-03-01 and 2011-12-31', { from: '2009-03-01', to: '2011-12-31' }],
  ['on 1 January 2010', { from: '2010-01-01', to: '2010-01-01' }],
  ['in March 2024', { from: '2024-03-01', to: '2024-03-31' }],
  ['in Q3', { from: '2026-07-01', to: '2026-09-30' }],
  ['this year', { from: '2026-01-01', named: 'this_year' }],
  ['since spring', { from: '2026-03-01' }],
  ['depuis 2022', { from: '2022-01-01' }],
])('a period: %s', (text, period) => {
  expect(valuesIn(`lithium ${text}`)).toContainEqual(expect.objectContaining(period))
})

test('a day that does not exist makes no period', () => {
  expect(valuesIn('on 31 February 2024').filter(({ kind }) => kind === 'period')).toEqual([])
})

test.each([
  ['jobs in Germany', ['DE']],
  ['companies in Sweden or Denmark', ['SE', 'DK']],
  ['targets in NL and BE', ['NL', 'BE']],
  ['fintech, us + uk', ['US', 'GB']],
  ['50, US only', ['US']],
  ['Unternehmen aus Österreich', ['AT']],
  ['tell us about Jordan 1 Chicago', []],
])('countries: %s', (text, codes) => {
  const countries = readValues(text, today).values.flatMap((value) =>
    value.kind === 'country' ? [value.code] : [],
  )
  expect(countries).toEqual(codes)
})

test.each([
  ['ticket 250k to 1m', { least: 250_000, most: 1_000_000, isMoney: true }],
  ['over 100m', { least: 100_000_000, isMoney: true }],
  ['from 2 million dollars upwards', { least: 2_000_000, isMoney: true }],
  ['at least 50 employees', { least: 50, noun: 'employees', isMoney: false }],
])('a bound: %s', (text, bound) => {
  expect(valuesIn(text)).toContainEqual(expect.objectContaining({ kind: 'bound', ...bound }))
})

test.each([
  ['a 10 second video', { kind: 'duration', seconds: 10 }],
  ['for half an hour', { kind: 'duration', seconds: 1_800 }],
  ['at width 1280', { kind: 'size', width: 1_280 }],
  ['vertical', { kind: 'ratio', ratio: '9:16' }],
  ['most cited first', { kind: 'order', by: 'citations', direction: 'desc' }],
  ['pages 5 until 12', { kind: 'pages', first: 5, last: 12 }],
  ['the variable TZ to Europe/Riga', { kind: 'assignment', name: 'TZ', value: 'Europe/Riga' }],
])('%s', (text, value) => {
  expect(valuesIn(text)).toContainEqual(expect.objectContaining(value))
})

test('a quotation and an address hold no values', () => {
  const text = 'search "50 tweets since 2022" on https://example.com/in/germany/2024'
  expect(valuesIn(text).filter(({ kind }) => kind !== 'place')).toEqual([])
})
