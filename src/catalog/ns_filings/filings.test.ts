import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { filings } from './provider.ts'

const request = (name: string) => ({
  method: 'GET',
  host: { host: 'data' },
  path: `/submissions/${name}`,
  query: {},
})
const columns = (...accessions: string[]) => ({
  accessionNumber: accessions,
  form: accessions.map(() => '4'),
  filingDate: accessions.map(() => '2022-10-05'),
  primaryDocument: accessions.map(() => 'xslF345X03/form4.xml'),
})
const registrant = (files: string[], ...accessions: string[]) => ({
  name: 'Tesla, Inc.',
  tickers: ['TSLA'],
  filings: { recent: columns(...accessions), files: files.map((name) => ({ name })) },
})

test.each(['1318605', '0001318605', 'CIK1318605', 'cik0001318605', 1318605])(
  'the CIK may be written as %s',
  async (cik) => {
    const reply = { status: 200, body: registrant([], '0001790565-22-000015') }
    const { output } = await replayAction(filings, 'filings', {
      exchanges: [{ request: request('CIK0001318605.json'), reply }],
      input: { cik },
    })
    expect(output).toMatchObject({ cik: '0001318605', total: 1, complete: true })
  },
)

test('the history continues over all pages in order', async () => {
  const pages = ['CIK0001318605-submissions-001.json', 'CIK0001318605-submissions-002.json']
  const { output } = await replayAction(filings, 'filings', {
    exchanges: [
      {
        request: request('CIK0001318605.json'),
        reply: { status: 200, body: registrant(pages, '0001790565-22-000015') },
      },
      ...pages.map((name, page) => ({
        request: request(name),
        reply: { status: 200, body: columns(`0000899243-1${page}-035394`) },
      })),
    ],
    input: { cik: '1318605' },
  })
  expect(output.filings.map((filing: { accession: string }) => filing.accession)).toEqual([
    '0001790565-22-000015',
    '0000899243-10-035394',
    '0000899243-11-035394',
  ])
})

const file = (number: number, filingFrom: string, filingTo: string, filingCount = 3) => ({
  name: `CIK0001318605-submissions-00${number}.json`,
  filingCount,
  filingFrom,
  filingTo,
})
const filed = (date: string, form: string, number: number) => ({
  accession: `0000000001-00-00000${number}`,
  date,
  form,
})
const asColumns = (rows: readonly ReturnType<typeof filed>[]) => ({
  accessionNumber: rows.map(({ accession }) => accession),
  form: rows.map(({ form }) => form),
  filingDate: rows.map(({ date }) => date),
  primaryDocument: rows.map(() => ''),
})
const recent = [filed('2024-03-01', '10-K', 1), filed('2024-02-01', '8-K', 2)]
const middle = [
  filed('2023-12-01', '8-K', 3),
  filed('2023-06-01', '10-K/A', 4),
  filed('2023-03-01', '10-K', 5),
]
const oldest = [
  filed('2022-12-01', '8-K', 6),
  filed('2022-06-01', '10-Q', 7),
  filed('2022-03-01', '10-K', 8),
]
const files = [file(1, '2023-03-01', '2023-12-01'), file(2, '2022-03-01', '2022-12-01')]

/** Asks for a history of three pages; `read`: the further files that are requested. */
async function askPages(input: object, read: readonly number[]) {
  const { output, error } = await replayAction(filings, 'filings', {
    exchanges: [
      {
        request: request('CIK0001318605.json'),
        reply: { status: 200, body: { filings: { recent: asColumns(recent), files } } },
      },
      ...read.map((number) => ({
        request: request(`CIK0001318605-submissions-00${number}.json`),
        reply: { status: 200, body: asColumns([middle, oldest][number - 1] ?? []) },
      })),
    ],
    input: { cik: '1318605', ...input },
  })
  if (error !== undefined) throw error
  const numbers = output.filings.map((one: { accession: string }) => Number(one.accession.at(-1)))
  return { numbers, total: output.total, next: output.next_offset, complete: output.complete }
}

test.each<[object, readonly number[], readonly number[], number, number | null]>([
  [{}, [1, 2], [1, 2, 3, 4, 5, 6, 7, 8], 8, null],
  [{ limit: 2 }, [], [1, 2], 8, 2],
  [{ limit: 2, offset: 2 }, [1], [3, 4], 8, 4],
  [{ limit: 3, offset: 4 }, [1, 2], [5, 6, 7], 8, 7],
  [{ limit: 3, offset: 7 }, [2], [8], 8, null],
  [{ limit: 3, offset: 99 }, [], [], 8, null],
  [{ startdt: '2024-01-01' }, [], [1, 2], 2, null],
  [{ startdt: '2023-05-01', enddt: '2024-02-15' }, [1], [2, 3, 4], 3, null],
  [{ enddt: '2022-12-31', limit: 1 }, [2], [6], 3, 1],
  [{ startdt: '2022-01-01', limit: 1 }, [], [1], 8, 1],
  [{ forms: '10-K' }, [1, 2], [1, 4, 5, 8], 4, null],
  [{ forms: '10-k/a, 10-q' }, [1, 2], [4, 7], 2, null],
  [{ forms: '10-K', limit: 1, offset: 2 }, [1, 2], [5], 4, 3],
  [{ forms: '8-K', startdt: '2023-01-01' }, [1], [2, 3], 2, null],
])('%j reads the files %j and lists %j of %i', async (input, read, numbers, total, next) => {
  expect(await askPages(input, read)).toEqual({ numbers, total, next, complete: next === null })
})

/** A registrant whose history has this many filings, the older ones in a file of their own. */
async function askMany(count: number, recentMax: number, input: object = {}) {
  const row = (_: unknown, index: number) => `0000000001-00-${String(index).padStart(6, '0')}`
  const all = Array.from({ length: count }, row)
  const older = all.slice(recentMax)
  const files = [file(1, '2022-10-05', '2022-10-05', older.length)]
  const { output } = await replayAction(filings, 'filings', {
    exchanges: [
      {
        request: request('CIK0001318605.json'),
        reply: {
          status: 200,
          body: { filings: { recent: columns(...all.slice(0, recentMax)), files } },
        },
      },
      {
        request: request('CIK0001318605-submissions-001.json'),
        reply: { status: 200, body: columns(...older) },
      },
    ],
    input: { cik: '1318605', ...input },
  })
  return { ...output, filings: output.filings.length }
}

test('without a limit all 600 filings of a registrant come, and a limit asks for a page', async () => {
  const whole = { total: 600, filings: 600, next_offset: null, complete: true }
  expect(await askMany(600, 400)).toMatchObject(whole)
  expect(await askMany(600, 400, { limit: 500 })).toMatchObject({
    ...whole,
    filings: 500,
    next_offset: 500,
    complete: false,
  })
})

test('a history that no answer can hold goes on at next_offset', async () => {
  expect(await askMany(30_010, 1_000)).toMatchObject({
    total: 30_010,
    filings: 30_000,
    next_offset: 30_000,
    complete: false,
  })
})

test('an unknown CIK is not found', async () => {
  const { error } = await replayAction(filings, 'filings', {
    exchanges: [
      {
        request: request('CIK0000000001.json'),
        reply: { status: 404, text: '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>' },
      },
    ],
    input: { cik: '1' },
  })
  expect(error).toMatchObject({
    code: 'not_found',
    message: 'EDGAR has no registrant with the CIK 0000000001.',
  })
})

test.each(['', 'apple', '12345678901', '-1'])('%j is not a CIK', async (cik) => {
  const { error } = await replayAction(filings, 'filings', { exchanges: [], input: { cik } })
  expect(error?.name).toBe('ZodError')
})
