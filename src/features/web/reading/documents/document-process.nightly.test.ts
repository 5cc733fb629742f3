import { readFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { docx, xlsx } from './archive.fixture.ts'
import { type DocumentReading, readInProcess } from './document-process.ts'
import { findTesseract } from './find-tesseract.ts'
import type { DocumentMessage } from './messages.ts'
import { pdf } from './pdf.fixture.ts'

const tesseract = await findTesseract()
const generous = { memoryBytesMax: 1_500_000_000, cpuSecondsMax: 60, wallMs: 60_000 }

async function messagesOf(bytes: Buffer, options: Partial<DocumentReading> = {}) {
  const messages: DocumentMessage[] = []
  const reading = readInProcess({
    bytes,
    task: { first: 1, count: 10 },
    limits: generous,
    signal: new AbortController().signal,
    ...options,
  })
  for await (const message of reading) messages.push(message)
  return messages
}
const kindsOf = (messages: readonly DocumentMessage[]) => messages.map(({ kind }) => kind)

/** Takes seconds to read. */
const longSheet = () =>
  xlsx({
    Mill: `<sheetData>${'<row><c t="inlineStr"><is><t>flour</t></is></c></row>'.repeat(600_000)}</sheetData>`,
  })
/** A page whose drawing inflates to 600 MB. */
const bomb = () => {
  const packed = deflateSync(Buffer.alloc(600_000_000, ' '))
  const page = pdf([{ texts: [{ text: 'x', x: 1, y: 1 }] }]).toString('latin1')
  return Buffer.from(
    page.replace(
      /<< {2}\/Filter \[\/FlateDecode\] \/Length \d+ >>\nstream\n[\s\S]*?\nendstream/,
      () =>
        `<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed.toString('latin1')}\nendstream`,
    ),
    'latin1',
  )
}

/** For each message. */
const busyMs = 5

test('a document that needs more memory than its process may have ends that process alone', async () => {
  const limits = { ...generous, memoryBytesMax: 700_000_000 }
  expect(kindsOf(await messagesOf(bomb(), { limits }))).not.toContain('page')
})

const tooLarge = { kind: 'failure', trouble: 'document_too_large' }

test.each([
  ['texts', '(A) Tj\n', 400_000],
  ['lines', '0 0 m 9 9 l S\n', 1_500_000],
  ['nothing', '          ', 6_000_000],
])(
  'a page of a thousand bytes that draws %s without end is refused',
  async (_, operators, count) => {
    const drawing = `BT /F0 9 Tf\n${operators.repeat(count)}ET`
    const bytes = pdf([{ drawing, compressions: 3 }])
    expect((await messagesOf(bytes)).at(-1)).toMatchObject(tooLarge)
  },
)

test('forms that draw each other without end are refused', async () => {
  const forms = Array.from({ length: 9 }, (_, index) => {
    const inner = index === 8 ? '0 0 m 9 9 l S\n' : `/X${index + 1} Do\n`.repeat(10)
    return { name: `X${index}`, drawing: inner }
  })
  const bytes = pdf([{ drawing: '/X0 Do', forms }])
  expect((await messagesOf(bytes)).at(-1)).toMatchObject(tooLarge)
})

test('a document that needs more CPU time than its process may have ends that process', async () => {
  const limits = { ...generous, cpuSecondsMax: 1 }
  // On a busy machine its start alone can take the second, so that not even `document` arrives.
  const kinds = kindsOf(await messagesOf(longSheet(), { limits }))
  expect(kinds.filter((kind) => kind !== 'document')).toEqual([])
})

test('a table of half a million rows is read, as far as it is asked for', async () => {
  const bytes = Buffer.from(`Year,Sacks\n${'1801,90\n'.repeat(500_000)}`)
  const kinds = kindsOf(await messagesOf(bytes))
  expect(kinds).toEqual(['document', ...Array<string>(10).fill('page'), 'end'])
})

test('all pages of a long Word file arrive, however late they are fetched', async () => {
  const text = 'The river ran past the old mill. '.repeat(80)
  const page = `<w:p><w:r><w:t>${text}</w:t><w:br w:type="page"/></w:r></w:p>`
  const reading = readInProcess({
    bytes: docx(page.repeat(200)),
    task: { first: 1, count: 200 },
    limits: generous,
    signal: new AbortController().signal,
  })
  const kinds: string[] = []
  for await (const { kind } of reading) {
    kinds.push(kind)
    // Nothing else is done meanwhile, so that the process finds its output full.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs)
  }
  expect(kinds).toEqual(['document', ...Array<string>(200).fill('page'), 'end'])
})

test('a call that is aborted ends the process of its document', async () => {
  const abort = new AbortController()
  const reading = messagesOf(longSheet(), { signal: abort.signal })
  abort.abort(new Error('The caller left.'))
  await expect(reading).rejects.toThrow('The caller left.')
})

test('reading ends early when enough pages have come', async () => {
  const page = { texts: [{ text: 'The river', x: 72, y: 700 }] }
  const reading = readInProcess({
    bytes: pdf([page, page, page]),
    task: { first: 1, count: 3 },
    limits: generous,
    signal: new AbortController().signal,
  })
  const kinds: string[] = []
  for await (const { kind } of reading) {
    kinds.push(kind)
    if (kind === 'page') break
  }
  expect(kinds).toEqual(['document', 'page'])
})

// The scan was made with Pillow: black DejaVu Sans of 26 pixels on a page of 1275 by 1650 pixels, one bit each.
test.skipIf(tesseract === undefined)(
  'the text and the table of a scan are recognised',
  async () => {
    const bytes = readFileSync(path.join(import.meta.dirname, 'fixtures/scan.pdf'))
    const task = {
      first: 1,
      count: 1,
      tesseract: { path: tesseract?.path ?? '', languages: ['eng'] },
    }
    const messages = await messagesOf(bytes, { task })
    expect(messages.find((message) => message.kind === 'page')?.page).toMatchObject({
      isRecognised: true,
      markdown: expect.stringMatching(/^The river ran past the old mill/),
      tables: [
        {
          rows: [
            ['Item', 'Sacks', 'Price'],
            ['Flour', '90', '3.50'],
            ['Bread', '120', '4.25'],
            ['Oats', '75', '5.00'],
          ],
        },
      ],
    })
  },
)

test.skipIf(tesseract === undefined).each([90, 180, 270])(
  'a scan that is turned by %i degrees is read upright',
  async (degrees) => {
    const scan = readFileSync(path.join(import.meta.dirname, 'fixtures/scan.pdf'), 'latin1')
    const turned = scan.replace('/MediaBox', `/Rotate ${degrees} /MediaBox`)
    const languages = ['eng']
    const task = { first: 1, count: 1, tesseract: { path: tesseract?.path ?? '', languages } }
    const messages = await messagesOf(Buffer.from(turned, 'latin1'), { task })
    expect(messages.find((message) => message.kind === 'page')?.page).toMatchObject({
      isRecognised: true,
      markdown: expect.stringMatching(/^The river ran past the old mill/),
      tables: [{ rows: expect.arrayContaining([['Flour', '90', '3.50']]) }],
    })
  },
)

test('without Tesseract a scan is marked as unread', async () => {
  const bytes = readFileSync(path.join(import.meta.dirname, 'fixtures/scan.pdf'))
  const messages = await messagesOf(bytes)
  expect(messages.find((message) => message.kind === 'page')?.page).toMatchObject({
    isUnreadScan: true,
    markdown: '',
  })
})
