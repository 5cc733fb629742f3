import { expect, test } from 'vitest'
import { replayAction } from '../../../test/run-action.ts'
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

test('the history goes on over every page, in order', async () => {
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

test('a history beyond the limit says that it is not complete, and asks for no more', async () => {
  const many = Array.from(
    { length: 50_001 },
    (_, row) => `0001790565-22-${String(row).padStart(6, '0')}`,
  )
  const { output } = await replayAction(filings, 'filings', {
    exchanges: [
      {
        request: request('CIK0001318605.json'),
        reply: { status: 200, body: registrant(['CIK0001318605-submissions-001.json'], ...many) },
      },
    ],
    input: { cik: '1318605' },
  })
  expect(output).toMatchObject({ total: 50_000, complete: false })
})

test('a CIK that nobody has is not found', async () => {
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

test.each(['', 'apple', '12345678901', '-1'])('%j is no CIK', async (cik) => {
  const { error } = await replayAction(filings, 'filings', { exchanges: [], input: { cik } })
  expect(error?.name).toBe('ZodError')
})
