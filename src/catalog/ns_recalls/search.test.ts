import { expect, test } from 'vitest'
import type { Exchange } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { recalls } from './provider.ts'

const named = 'product_description:"tea" reason_for_recall:"tea" recalling_firm:"tea"'
const fda = (kind: string, search: string, limit: number, dates: readonly string[], total = 9) => ({
  request: {
    method: 'GET',
    host: { host: 'api.fda.gov' },
    path: `/${kind}/enforcement.json`,
    query: { search, sort: 'report_date:desc', limit: String(limit) },
  },
  reply: {
    status: 200,
    body: {
      meta: { results: { total } },
      results: dates.map((report_date) => ({ recall_number: report_date, report_date })),
    },
  },
})
const cpsc = (dates: readonly string[], query: object = {}) => ({
  request: {
    method: 'GET',
    host: { host: 'www.saferproducts.gov' },
    path: '/RestWebServices/Recall',
    query: { format: 'json', RecallTitle: 'tea', ...query },
  },
  reply: {
    status: 200,
    body: dates.map((date) => ({ RecallID: date, RecallDate: date, Title: 'Tea' })),
  },
})

async function ask(input: object, exchanges: readonly Exchange[]) {
  const { output, error } = await replayAction(recalls, 'search', {
    exchanges,
    input: { q: 'tea', ...input },
  })
  if (error !== undefined) throw error
  const days = output.results.map(({ date }: { date: string }) => date)
  return { days, total: output.total_found, next: output.next_offset }
}

test('a page merges the recalls of all agencies, newest first', async () => {
  const found = await ask({ sources: ['cpsc', 'fda-food'], limit: 2, offset: 2 }, [
    cpsc(['2026-05-01', '2026-03-01', '2026-01-01']),
    fda('food', named, 4, ['20260601', '20260401', '20260201', '20251201']),
  ])
  expect(found).toEqual({ days: ['2026-04-01', '2026-03-01'], total: 12, next: 4 })
})

test('the last page has no next offset', async () => {
  const found = await ask({ sources: ['cpsc'], limit: 2, offset: 2 }, [
    cpsc(['2026-01-01', '2026-05-01', '2026-03-01']),
  ])
  expect(found).toEqual({ days: ['2026-01-01'], total: 3, next: null })
})

test('dates are sent in each agency’s own notation', async () => {
  const dates = { date_gte: '2026-01-01', date_lte: '2026-06-30' }
  const found = await ask({ sources: ['cpsc', 'fda-drug'], limit: 1, ...dates }, [
    cpsc(['2026-05-01'], { RecallDateStart: '2026-01-01', RecallDateEnd: '2026-06-30' }),
    fda('drug', `(${named}) AND report_date:[20260101 TO 20260630]`, 1, ['20260401'], 1),
  ])
  expect(found).toEqual({ days: ['2026-05-01'], total: 2, next: 1 })
})

test('a search that none of the chosen agencies can answer is refused before any request', async () => {
  await expect(ask({ sources: ['nhtsa'] }, [])).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('2019 Honda Civic'),
  })
})

test('a page beyond the limit is refused', async () => {
  await expect(ask({ limit: 50, offset: 951 }, [])).rejects.toMatchObject({ name: 'ZodError' })
})
