import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { replayAction } from '#test/run-action.ts'
import { signals } from '../provider.ts'
import { daysOf } from './preset-days.ts'
import { datePresets } from './time-span.ts'

/** A Tuesday. */
const nowMs = Date.parse('2026-09-15T12:00:00Z')
const clock = { ...systemClock, now: () => nowMs }

const ask = (
  action: 'companies' | 'people',
  { input, query, data }: { input: object; query?: Record<string, string>; data: unknown },
) =>
  replayAction(signals, action, {
    input,
    clock,
    exchanges: [
      {
        request: {
          method: 'GET',
          path: `/${action}`,
          query: { limit: '50', page: '1', ...query },
          headers: { authorization: 'Bearer test-key' },
        },
        reply: { status: 200, body: { success: true, data, pagination: { totalCount: 3 } } },
      },
    ],
  })

const names = (output: { results: { name: string }[] }) => output.results.map(({ name }) => name)
const people = [
  { name: 'Bo', title: 'CTO', createdAt: '2026-09-14T10:00:00Z' },
  { name: 'Al', title: null, createdAt: '2026-08-01T10:00:00Z' },
  { name: 'Cy', title: 'CEO' },
]

test('people are filtered by day here, and the vendor is not asked what it does not know', async () => {
  const { output } = await ask('people', { input: { date_preset: 'last_30d' }, data: people })
  expect(names(output)).toEqual(['Bo'])
  expect(output.filtered).toEqual({
    rows_read: 3,
    rows_without_day: 1,
    first: '2026-08-16',
    last: '2026-09-15',
  })
})

test.each([
  [{ sort_by: 'discovered_at', sort_order: 'asc' }, ['Al', 'Bo', 'Cy']],
  [{ sort_by: 'discovered_at' }, ['Bo', 'Al', 'Cy']],
  [{}, ['Bo', 'Al', 'Cy']],
])('people are sorted here: %o', async (input, sorted) => {
  const { output } = await ask('people', { input, data: people })
  expect(names(output)).toEqual(sorted)
  expect(output).not.toHaveProperty('filtered')
})

test('companies of a time span are asked for newest first, and one end of it is enough', async () => {
  const { output } = await ask('companies', {
    input: { dateFrom: '2026-09-01' },
    query: { sort_by: 'created_at', sort_order: 'desc' },
    data: people,
  })
  expect(names(output)).toEqual(['Bo'])
})

test('the order that the caller asks for is the vendor’s, by its own name', async () => {
  const { output } = await ask('companies', {
    input: { dateTo: '2026-08-31', sort_by: 'discovered_at', sort_order: 'asc' },
    query: { sort_by: 'created_at', sort_order: 'asc' },
    data: people,
  })
  expect(names(output)).toEqual(['Al'])
})

test('a page that tells no day is not sold as an empty one', async () => {
  const { error } = await ask('people', {
    input: { date_preset: 'this_week' },
    data: [{ name: 'Cy' }],
  })
  expect([error?.code, error?.message]).toEqual([
    'upstream_error',
    expect.stringContaining('Nothing was charged'),
  ])
})

test('an empty page stays one, and a reply without a list is the vendor’s failure', async () => {
  const input = { date_preset: 'today' }
  expect((await ask('people', { input, data: [] })).output.results).toEqual([])
  const unlisted = await ask('people', { input, data: 'none' })
  expect([unlisted.output, unlisted.error]).toEqual([undefined, expect.any(Error)])
})

test.each([
  ['today', '2026-09-15', '2026-09-15'],
  ['yesterday', '2026-09-14', '2026-09-14'],
  ['last_7d', '2026-09-08', '2026-09-15'],
  ['last_6m', '2026-03-15', '2026-09-15'],
  ['last_2y', '2024-09-15', '2026-09-15'],
  ['this_week', '2026-09-14', '2026-09-15'],
  ['last_week', '2026-09-07', '2026-09-13'],
  ['this_month', '2026-09-01', '2026-09-15'],
  ['last_month', '2026-08-01', '2026-08-31'],
  ['this_quarter', '2026-07-01', '2026-09-15'],
  ['last_quarter', '2026-04-01', '2026-06-30'],
  ['this_year', '2026-01-01', '2026-09-15'],
  ['last_year', '2025-01-01', '2025-12-31'],
] as const)('%s is from %s until %s', (preset, first, last) => {
  expect(daysOf(preset, nowMs)).toEqual({ first, last })
})

test('the week of a Sunday began six days before, and January’s last quarter is of last year', () => {
  expect(daysOf('this_week', Date.parse('2026-09-20T23:00:00Z')).first).toBe('2026-09-14')
  expect(daysOf('last_quarter', Date.parse('2026-01-05T00:00:00Z'))).toEqual({
    first: '2025-10-01',
    last: '2025-12-31',
  })
  for (const preset of datePresets) {
    const { first, last } = daysOf(preset, nowMs)
    expect(first <= last, preset).toBe(true)
  }
})
