import { expect, test } from 'vitest'
import type { Clock } from '#core/ports.ts'
import { replayAction } from '#test/run-action.ts'
import { filings } from './provider.ts'

const hit = (number: number) => ({
  _id: `0000320193-24-${String(number).padStart(6, '0')}:aapl.htm`,
  _score: 1,
  _source: { ciks: ['0000320193'], form: '10-K', file_type: 'EX-99.1', file_date: '2024-11-01' },
})
const found = (count: number, total = { value: count, relation: 'eq' }) => ({
  hits: { total, hits: Array.from({ length: count }, (_, number) => hit(number)) },
})
const clock: Clock = { now: () => Date.parse('2026-11-21T12:00:00Z'), sleep: async () => {} }
const ask = (input: object, query: Record<string, string>, body: unknown, status = 200) =>
  replayAction(filings, 'fulltext', {
    exchanges: [
      {
        request: { method: 'GET', host: { host: 'efts' }, path: '/LATEST/search-index', query },
        reply: { status, body },
      },
    ],
    input: { q: 'tea', ...input },
    clock,
  })

test('a search without dates sends none', async () => {
  const { output } = await ask({}, { q: 'tea' }, found(0))
  expect(output).toMatchObject({ total: 0, next_from: null, hits: [] })
})

test.each([
  [{ startdt: '2024-01-01' }, { startdt: '2024-01-01', enddt: '2026-11-21' }],
  [{ enddt: '2024-01-31' }, { startdt: '2001-01-01', enddt: '2024-01-31' }],
])('one date alone, %o, is completed to a custom range', async (input, dates) => {
  const { error } = await ask(input, { q: 'tea', dateRange: 'custom', ...dates }, found(1))
  expect(error).toBeUndefined()
})

test('form types are sent as a list without spaces', async () => {
  const { error } = await ask({ forms: '10-k, 8-K/A' }, { q: 'tea', forms: '10-K,8-K/A' }, found(1))
  expect(error).toBeUndefined()
})

test('a page has ten hits and the start of the next page', async () => {
  const all = found(100, { value: 10_000, relation: 'gte' })
  const { output } = await ask({ from: 20 }, { q: 'tea', from: '20' }, all)
  expect(output).toMatchObject({
    from: 20,
    next_from: 30,
    total: 10_000,
    total_is_lower_bound: true,
  })
  expect(output.hits).toHaveLength(10)
  expect(output.hits[0]).toMatchObject({
    accession: '0000320193-24-000000',
    filename: 'aapl.htm',
    form: '10-K',
    file_type: 'EX-99.1',
    url: 'https://www.sec.gov/Archives/edgar/data/320193/000032019324000000/aapl.htm',
  })
})

test('the last page has no next one', async () => {
  const { output } = await ask(
    { from: 10 },
    { q: 'tea', from: '10' },
    found(3, { value: 13, relation: 'eq' }),
  )
  expect(output.next_from).toBe(null)
})

test.each([
  ['[illegal_argument_exception] Reason: Result window is too large', 'bad_request'],
  ['[es_rejected_execution_exception] queue is full', 'upstream_error'],
])('an error told with status 200 (%s) is %s', async (reason, code) => {
  const body = {
    errorType: 'ResponseError',
    errorMessage: `search_phase_execution_exception: ${reason}`,
  }
  const { error } = await ask({}, { q: 'tea' }, body)
  expect(error?.code).toBe(code)
})

test.each([
  { from: 9_901 },
  { from: -1 },
  { forms: '10-K;DROP' },
  { startdt: '2024-02-30' },
  { q: ' ' },
])('%o is refused', async (input) => {
  const { error } = await replayAction(filings, 'fulltext', {
    exchanges: [],
    input: { q: 'tea', ...input },
  })
  expect(error?.name).toBe('ZodError')
})
