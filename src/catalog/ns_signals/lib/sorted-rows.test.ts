import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { signals } from '../provider.ts'

const listed = ['occurred_at', 'discovered_at', 'amount', 'employee_count', 'founded_year'] as const

/** By which of its own names the vendor sorts each list. By the other fields this gateway sorts the page. */
const byVendor: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/signals/funding': Object.fromEntries(listed.map((field) => [field, field])),
  '/signals/acquisitions': Object.fromEntries(listed.slice(0, 4).map((field) => [field, field])),
  '/signals/job-changes': { occurred_at: 'occurred_at', discovered_at: 'discovered_at' },
  '/signals/hiring': { occurred_at: 'date_posted', discovered_at: 'created_at' },
  '/signals/investors': { discovered_at: 'created_at', amount: 'ticket_size_min' },
  '/companies': {
    discovered_at: 'created_at',
    employee_count: 'employee_count',
    founded_year: 'founded_year',
  },
  '/people': {},
}
const nameOf = (path: string) => path.split('/').at(-1) ?? ''

const low = { occurredAt: '2026-01-02', createdAt: '2026-01-02T10:00:00Z' }
const high = { occurredAt: '2026-03-04', createdAt: '2026-03-04T10:00:00Z' }
const rows = [
  { id: 'none' },
  { id: 'high', ...high, amount: 9_000, companyEmployeeCount: 1_001, foundedYear: 2020 },
  { id: 'low', ...low, amount: '800', employeeCount: '51-200', companyFoundedYear: 1999 },
]

const ask = (path: string, query: Readonly<Record<string, string>>, input: object) =>
  replayAction(signals, nameOf(path), {
    input,
    exchanges: [
      {
        request: { method: 'GET', path, query: { limit: '50', page: '1', ...query } },
        reply: { status: 200, body: { success: true, data: rows } },
      },
    ],
  })
const idsOf = (output: { results: { id: string }[] }) => output.results.map(({ id }) => id)

const cases = Object.entries(byVendor).flatMap(([path, own]) =>
  listed.map((field) => ({ path, field, own: own[field] })),
)

test.each(cases)('$path takes $field and asks the vendor for $own', async (row) => {
  const { path, field, own } = row
  const input = { sort_by: field, sort_order: 'asc' }
  const query = own === undefined ? {} : { sort_by: own, sort_order: 'asc' }
  const { output } = await ask(path, query, input)
  const given = ['none', 'high', 'low']
  expect(idsOf(output)).toEqual(own === undefined ? ['low', 'high', 'none'] : given)
  if (own !== undefined) return
  const { output: falling } = await ask(path, {}, { sort_by: field })
  expect(idsOf(falling)).toEqual(['high', 'low', 'none'])
})

test('a person is sorted by the company and by the signal that the row has', async () => {
  const person = (name: string, size_band: string | null, date: string) => ({
    name,
    company: size_band === null ? null : { size_band },
    matched_signal: { date },
  })
  const data = [
    person('A', '11-50', '2026-03-01'),
    person('B', null, '2026-04-01'),
    person('C', '1000-plus', '2026-02-01'),
  ]
  const sortedBy = async (sort_by: string) => {
    const query = { limit: '50', page: '1' }
    const { output } = await replayAction(signals, 'people', {
      input: { sort_by },
      exchanges: [
        {
          request: { method: 'GET', path: '/people', query },
          reply: { status: 200, body: { success: true, data } },
        },
      ],
    })
    return output.results.map(({ name }: { name: string }) => name).join('')
  }
  expect(await sortedBy('employee_count')).toBe('CAB')
  expect(await sortedBy('occurred_at')).toBe('BAC')
})

test.each(Object.keys(byVendor))('%s takes no other field', (path) => {
  const action = signals.actions.find(({ name }) => name === nameOf(path))
  const others = [
    'date',
    'name',
    'title',
    'created_at',
    'date_posted',
    'ticket_size_min',
    'country',
  ]
  for (const sort_by of others) expect(action?.input.safeParse({ sort_by }).success).toBe(false)
  expect(action?.input.safeParse({ sortBy: 'amount' }).success).toBe(false)
})
