import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { filings } from './provider.ts'

const folder = '/Archives/edgar/data/1318605/000179056522000015'
const ask = (
  input: object,
  path?: string,
  reply: { status: number; text: string } = { status: 200, text: '<ownershipDocument/>' },
) =>
  replayAction(filings, 'document', {
    exchanges:
      path === undefined
        ? []
        : [{ request: { method: 'GET', host: { host: 'www' }, path, query: {} }, reply }],
    input: { cik: '1318605', accession: '0001790565-22-000015', filename: 'form4.xml', ...input },
  })

test.each(['xslF345X06/form4.xml', 'xslF345X03/form4.xml', 'xslFormDX01/form4.xml', 'form4.xml'])(
  'of %s the raw file is read',
  async (filename) => {
    const { output } = await ask({ filename }, `${folder}/form4.xml`)
    expect(output).toMatchObject({ filename: 'form4.xml', content: '<ownershipDocument/>' })
  },
)

test('accession and CIK are accepted in either notation', async () => {
  const { output } = await ask(
    { cik: 'CIK0001318605', accession: '000179056522000015' },
    `${folder}/form4.xml`,
  )
  expect(output).toMatchObject({ cik: '0001318605', accession: '0001790565-22-000015' })
})

test.each([
  'report.pdf',
  'REPORT.PDF',
  'logo.jpg',
  'chart.gif',
  'all.zip',
  'Financial_Report.xlsx',
])('%s is refused before anything is asked', async (filename) => {
  const { error } = await ask({ filename })
  expect(error?.message).toContain('PDFs, images, office files and archives are refused')
})

test.each(['../secret.txt', 'a/b.txt', '..', '.', 'a?b', 'a#b', 'a%2fb.txt', 'a\\b.txt', ''])(
  '%j is not a file of a filing',
  async (filename) => {
    const { error } = await ask({ filename })
    expect(error?.name).toBe('ZodError')
  },
)

test('a name with a space is encoded', async () => {
  const { output } = await ask({ filename: 'form 4.xml' }, `${folder}/form%204.xml`)
  expect(output.url).toBe(`https://www.sec.gov${folder}/form%204.xml`)
})

test('a missing file is not found', async () => {
  const { error } = await ask({}, `${folder}/form4.xml`, { status: 404, text: '<html></html>' })
  expect(error).toMatchObject({
    code: 'not_found',
    message: 'EDGAR has no file form4.xml in filing 0001790565-22-000015 of CIK 0001318605.',
  })
})

test('a file that is not text is refused', async () => {
  const { error } = await ask({}, `${folder}/form4.xml`, { status: 200, text: 'PK\u0003\u0004\0' })
  expect(error?.code).toBe('bad_request')
})
