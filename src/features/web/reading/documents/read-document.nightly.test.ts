import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Action } from '#core/action.ts'
import { anonymous } from '#core/caller.ts'
import type { CallError } from '#core/errors.ts'
import { quotePrice, settlePrice } from '#core/price.ts'
import { systemClock } from '#platform/clock.ts'
import { createEgressFetcher, type EgressFetcher } from '#platform/egress/fetcher.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { createPageRoom } from '../pages/page-room.ts'
import { docx, xlsx, zip } from './archive.fixture.ts'
import { findTesseract } from './find-tesseract.ts'
import { pdf } from './pdf.fixture.ts'
import { createReadDocument } from './read-document.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const threePages = pdf(
  ['One', 'Two', 'Three'].map((text) => ({ texts: [{ text: `${text} river`, x: 72, y: 700 }] })),
)
const paragraph = '<w:p><w:r><w:t>The river ran past the old mill.</w:t></w:r></w:p>'

let server: LoopbackServer
let fetcher: EgressFetcher
let action: Action
let recognising: Action
const tesseract = await findTesseract()

beforeAll(async () => {
  server = await serve((incoming, response) => {
    const send = (type: string, body: string | Buffer) =>
      void response.writeHead(200, { 'content-type': type }).end(body)
    if (incoming.url === '/three.pdf') send('application/pdf', threePages)
    else if (incoming.url === '/wrong.xlsx') send('application/vnd.ms-excel', docx(paragraph))
    else if (incoming.url === '/page') send('text/html', '<!doctype html><p>A page.</p>')
    else if (incoming.url === '/mill.csv')
      send(
        'text/csv; charset=iso-8859-1',
        Buffer.from('Name;Gr\xf6\xdfe\nM\xfcller;1,5\n', 'latin1'),
      )
    else if (incoming.url === '/inner')
      void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    else void response.writeHead(404).end()
  })
  const guard = createEgressGuard({ allow: [server.host] })
  fetcher = createEgressFetcher({ guard })
  const room = createPageRoom({ pagesMax: 2, pagesPerOwnerMax: 2 })
  const parts = { guard, fetcher, room, log }
  action = createReadDocument({ ...parts, tesseract: Promise.resolve(undefined) })
  recognising = createReadDocument({ ...parts, tesseract: Promise.resolve(tesseract) })
})
afterAll(async () => {
  await fetcher.close()
  await server.close()
})

async function call(body: object, called = action) {
  const input = called.input.parse(body)
  called.check?.(input)
  const output = await called.run({
    input,
    caller: anonymous,
    clock: systemClock,
    maxCents: 40,
    spend() {},
    signal: new AbortController().signal,
  } as unknown as Parameters<Action['run']>[0])
  return called.output.parse(output) as {
    type: string
    metadata: Record<string, unknown>
    page_count: number
    pages: { number: number; markdown: string; tables: { rows: string[][] }[]; hidden?: true }[]
    truncated: boolean
    next_page: number | null
  }
}
const inline = (bytes: Buffer, options = {}, called = action) =>
  call({ content_base64: bytes.toString('base64'), ...options }, called)
const refusalOf = (called: Promise<unknown>) =>
  called.then(
    () => expect.unreachable('The call succeeded.'),
    (error: CallError) => ({ code: error.code, message: error.message }),
  )

test('a document is read from its address, page by page', async () => {
  const read = await call({ url: `${server.origin}/three.pdf` })
  expect(read).toMatchObject({ type: 'pdf', page_count: 3, truncated: false, next_page: null })
  expect(read.pages.map(({ number, markdown }) => [number, markdown])).toEqual([
    [1, 'One river'],
    [2, 'Two river'],
    [3, 'Three river'],
  ])
  expect(read.metadata).toMatchObject({ pages: 3, language: 'en-GB' })
})

test('a part of the pages is read, and the next part begins where it ended', async () => {
  const first = await call({ url: `${server.origin}/three.pdf`, max_pages: 2 })
  expect(first).toMatchObject({ page_count: 2, truncated: true, next_page: 3 })
  const second = await call({ url: `${server.origin}/three.pdf`, first_page: first.next_page })
  expect(second).toMatchObject({ page_count: 1, truncated: false })
  expect(second.pages.map(({ number, markdown }) => [number, markdown])).toEqual([
    [3, 'Three river'],
  ])
})

test('the most pages are quoted, and the pages that were read are charged', async () => {
  const input = action.input.parse({ url: `${server.origin}/three.pdf`, max_pages: 100 })
  const quote = quotePrice(action.price, input)
  expect(quote.micros).toBe(200_000)
  expect(settlePrice(action.price, quote, input, { page_count: 3 })).toBe(10_000)
  expect(settlePrice(action.price, quote, input, { page_count: 6 })).toBe(20_000)
})

test('the content of a document tells its type, not its name and not its server', async () => {
  const read = await call({ url: `${server.origin}/wrong.xlsx` })
  expect(read.type).toBe('docx')
  expect(read.pages[0]?.markdown).toBe('The river ran past the old mill.')
})

test('a charset that a server declares is used', async () => {
  const { pages } = await call({ url: `${server.origin}/mill.csv` })
  expect(pages[0]?.tables[0]?.rows).toEqual([
    ['Name', 'Größe'],
    ['Müller', '1,5'],
  ])
})

test('an address outside of the public web, and what is not exactly one document, are refused', async () => {
  for (const body of [{ url: 'http://10.0.0.1/a.pdf' }, { url: 'file:///etc/passwd' }])
    expect((await refusalOf(call(body))).code).toBe('bad_url')
  for (const body of [{}, { url: 'https://example.com/a.pdf', content_base64: 'AAAA' }])
    expect((await refusalOf(call(body))).code).toBe('bad_request')
})

test('a redirect to a private address is not followed', async () => {
  expect((await refusalOf(call({ url: `${server.origin}/inner` }))).code).toBe(
    'document_unavailable',
  )
})

test('a missing document and a web page say what to do', async () => {
  const missing = await refusalOf(call({ url: `${server.origin}/none` }))
  expect(missing).toMatchObject({ code: 'document_unavailable' })
  expect(missing.message).toContain('404')
  const page = await refusalOf(call({ url: `${server.origin}/page` }))
  expect(page.code).toBe('document_unreadable')
  expect(page.message).toContain('onescrape')
})

test('a page behind the last one is refused', async () => {
  const late = await refusalOf(inline(threePages, { first_page: 9 }))
  expect(late).toEqual({
    code: 'bad_request',
    message: 'The document has no page 9. Nothing was charged.',
  })
})

const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex')
test.each([
  [
    'an encrypted Office file',
    Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]),
    'document_encrypted',
  ],
  ['an Office file of before 2007', Buffer.concat([ole, Buffer.alloc(512)]), 'document_unreadable'],
  [
    'an encrypted PDF',
    pdf(
      [{}],
      '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <0000000000000000000000000000000000000000000000000000000000000000> /U <0000000000000000000000000000000000000000000000000000000000000000> >>',
    ),
    'document_encrypted',
  ],
  ['a PDF that was cut', threePages.subarray(0, 60), 'document_unreadable'],
  ['a zip file that was cut', docx(paragraph).subarray(0, 400), 'document_unreadable'],
  ['a zip file of something else', zip({ 'a.txt': 'x' }), 'document_unreadable'],
  ['random bytes', Buffer.from([1, 0, 2, 0, 3, 0, 250, 251]), 'document_unreadable'],
  ['an empty Word file', docx(''), 'document_unreadable'],
  [
    'a part that declares less than it holds',
    zip({ 'word/a.xml': 'x'.repeat(9_000) }, { declaredBytes: 10 }),
    'document_unreadable',
  ],
  ['XML that is nested too deeply', docx('<w:ins>'.repeat(5_000)), 'document_too_large'],
  [
    'a part that inflates to 350 MB',
    docx('', { 'word/styles.xml': ' '.repeat(350_000_000) }),
    'document_too_large',
  ],
])('%s is refused in a sentence', async (_name, bytes, code) => {
  const refusal = await refusalOf(inline(bytes))
  expect(refusal.code).toBe(code)
  expect(refusal.message).toMatch(/Nothing was charged\.$/)
})

test('entities that a document declares are not expanded, and nothing is read from the disk', async () => {
  const bomb = `<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
  const bytes = docx('', {
    'word/document.xml': `${bomb}<w:document><w:body><w:p><w:r><w:t>x&b;&f;y</w:t></w:r></w:p></w:body></w:document>`,
  })
  expect((await inline(bytes)).pages[0]?.markdown).toBe('x&b;&f;y')
})

test('a page without text and a scan that is not recognised are named, and are free', async () => {
  const picture = { width: 60, height: 80, pixels: Buffer.alloc(4_800, 200) }
  const text = { texts: [{ text: 'The river ran past the old mill.', x: 72, y: 700 }] }
  const read = await inline(pdf([text, {}, { picture }]))
  expect(read.pages).toMatchObject([
    { number: 1, markdown: 'The river ran past the old mill.' },
    { number: 2, markdown: '', error: 'no_text' },
    { number: 3, markdown: '', error: 'scanned' },
  ])
  expect(read.page_count).toBe(1)
})

test.skipIf(tesseract === undefined)('a scan on which nothing is recognised is free', async () => {
  const picture = { width: 60, height: 80, pixels: Buffer.alloc(4_800, 255) }
  const text = { texts: [{ text: 'The river ran past the old mill.', x: 72, y: 700 }] }
  const read = await inline(pdf([text, { picture }]), {}, recognising)
  expect(read).toMatchObject({ page_count: 1, pages: [{ number: 1 }, { error: 'scanned' }] })
})

test('hidden sheets are marked', async () => {
  const bytes = xlsx(
    { Secret: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>' },
    { attributes: 'state="veryHidden"' },
  )
  expect((await inline(bytes)).pages).toMatchObject([{ hidden: true, markdown: '1' }])
})
