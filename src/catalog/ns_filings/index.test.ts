import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { filings } from './provider.ts'

const ask = (date: string, quarter: string, reply: { status: number; text: string } | undefined) =>
  replayAction(filings, 'index', {
    exchanges:
      reply === undefined
        ? []
        : [
            {
              request: {
                method: 'GET',
                host: { host: 'www' },
                path: `/Archives/edgar/daily-index/${quarter}/form.${date.replaceAll('-', '')}.idx`,
                query: {},
              },
              reply,
            },
          ],
    input: { date },
  })

const accessDenied = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`

test('a holiday has no index and therefore no filings: not found', async () => {
  const { error } = await ask('2026-11-26', '2026/QTR4', { status: 403, text: accessDenied })
  expect(error).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('EDGAR has no filings for 2026-11-26'),
  })
})

test('a 404 means the same', async () => {
  const { error } = await ask('2026-01-01', '2026/QTR1', { status: 404, text: 'Not Found' })
  expect(error?.code).toBe('not_found')
})

test('any other 403 is a failure of the gateway, not an empty day', async () => {
  const text = '<html><title>SEC.gov | Request Rate Threshold Exceeded</title></html>'
  const { error } = await ask('2026-09-15', '2026/QTR3', { status: 403, text })
  expect(error?.code).toBe('upstream_error')
})

test.each(['2026-09-12', '2026-09-13'])('the weekend day %s is not requested', async (date) => {
  const { error } = await ask(date, '', undefined)
  expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining(date) })
})

// The form of September 2026: a wrapped heading, wider columns, carriage returns.
const wide = [
  'Description:           Daily Index of EDGAR Dissemination Feed by Form Type',
  'Last Data Received:    Sep 15, 2026',
  'Form Type   Company Name                                                  CIK',
  '      Date Filed  File Name',
  '-'.repeat(141),
  '10-K             Forgent Power Solutions, Inc.                                 2080126     20260915    edgar/data/2080126/0002080126-26-000035.txt       ',
  'SC 13G/A         APPLE INC                                                     320193      20260915    edgar/data/320193/0000950123-26-000001.txt      ',
  'a line of another kind',
].join('\r\n')

test('the wider form of 2026 is read, and lines of an unknown form are counted', async () => {
  const { output } = await ask('2026-09-15', '2026/QTR3', { status: 200, text: wide })
  expect(output).toMatchObject({ total: 2, unread_lines: 1 })
  expect(output.filings[1]).toEqual({
    form: 'SC 13G/A',
    company: 'APPLE INC',
    cik: '0000320193',
    date: '2026-09-15',
    accession: '0000950123-26-000001',
    file: 'edgar/data/320193/0000950123-26-000001.txt',
  })
})

test('a page that is not an index is a failure', async () => {
  const { error } = await ask('2026-09-15', '2026/QTR3', { status: 200, text: '<html></html>' })
  expect(error?.code).toBe('upstream_error')
})
