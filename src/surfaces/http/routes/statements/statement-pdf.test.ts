import { expect, test } from 'vitest'
import type { FontFile } from '#features/studio/films/fonts/font-file.ts'
import { installedFonts } from '#features/studio/films/fonts/installed.ts'
import { createFontShelf } from '#features/studio/films/fonts/shelf.ts'
import { openWithPdfJs } from '#features/web/reading/documents/pdf/pdfjs.ts'
import type { MonthlyStatement, Movement } from '#money/ledger/monthly-statements.ts'
import { groupsOf, runsOf } from './shown-text.ts'
import { writeStatementPdf } from './statement-pdf.ts'

const issuer = 'https://gateway.example'
const charge = (action: string, amount = -25_000): Movement => ({
  kind: 'charge',
  action,
  count: 3,
  amount,
})
const statementOf = (movements: readonly Movement[]): MonthlyStatement => ({
  month: '2026-10',
  from: new Date('2026-10-01'),
  until: new Date('2026-11-01'),
  isClosed: true,
  opening: 10_000_001,
  added: 0,
  taken: 0,
  closing: 9_975_001,
  movements,
})

async function textOf(name: string, movements: readonly Movement[], otherFonts = installedFonts) {
  const bytes = await writeStatementPdf({ id: 'account-1', name }, statementOf(movements), {
    issuer,
    otherFonts,
  })
  const document = await openWithPdfJs(new Uint8Array(bytes))
  const lines: string[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent()
    lines.push(items.map((item) => ('str' in item ? item.str : '')).join('\n'))
  }
  return { bytes, pages: document.numPages, text: lines.join('\n') }
}

test('a statement has its balances and each change to the micro-dollar', async () => {
  const { text } = await textOf('Zoë & Sons', [
    charge('test/echo'),
    { kind: 'topup', action: null, count: 1, amount: 1_234_567 },
  ])
  for (const shown of [
    'Statement 2026-10',
    'Zoë & Sons',
    'Account account-1',
    'From 2026-10-01 to 2026-10-31 (UTC)',
    '10.000001',
    'Calls: test/echo',
    '-0.025000',
    'Top-ups',
    '1.234567',
    '9.975001',
  ])
    expect(text).toContain(shown)
})

test('the same statement gives the same bytes, and many actions take several pages', async () => {
  const many = Array.from({ length: 120 }, (_, number) => charge(`test/action-${number}`))
  const [one, other] = [await textOf('Ada', many), await textOf('Ada', many)]
  expect(one.bytes.equals(other.bytes)).toBe(true)
  expect(one.pages).toBe(3)
  expect(one.text).toContain('page 3 of 3')
  for (const { action } of many) expect(one.text).toContain(`Calls: ${action}\n`)
})

test('a character that no font has is written as its number, and no line is turned around', async () => {
  const { text } = await textOf('東 \u202Eevil\u0007 ཀ', [charge('店/検索')], async () => undefined)
  expect(text).toContain('[U+6771] evil [U+0F40]')
  expect(text).toContain('Calls: [U+5E97]/[U+691C][U+7D22]')
})

const shelf = await installedFonts()
const hasJapanese = shelf?.fontFor('東') !== undefined
const hasArabic = shelf?.fontFor('ش') !== undefined

test.skipIf(!hasJapanese)('a Japanese name is written with a font of the machine', async () => {
  const { text } = await textOf('東京データ株式会社', [charge('店/検索')])
  expect(text).toContain('東京データ株式会社')
  expect(text).toContain('検索')
  expect(text).not.toContain('U+')
})

test.skipIf(!hasArabic)('Arabic letters are joined and read from the right', async () => {
  const { text } = await textOf('شركة البيانات', [])
  // As letters or as the forms that they take beside each other; a PDF may have either.
  const letters = text.normalize('NFKC')
  for (const letter of 'شركةالبيانات') expect(letters).toContain(letter)
  expect(text).not.toContain('U+')
})

test('runs are in the order in which they are seen', () => {
  const font: FontFile = {
    family: 'All',
    coverage: Uint32Array.of(0x20, 0x10ffff),
    place: { file: 'all' },
  }
  const shown = createFontShelf([font])
  const seen = (text: string) =>
    runsOf(groupsOf(text, font.place, (group) => shown.fontFor(group))).map((run) =>
      run.isRightToLeft ? `<${run.text}` : run.text,
    )
  expect(seen('abc')).toEqual(['abc'])
  expect(seen('abc שלום 12')).toEqual(['abc ', '12', '<שלום '])
  // A bracket of a line from the right is the other one.
  expect(seen('שלום (abc)')).toEqual(['<(', 'abc', '<שלום )'])
  const latin = { file: 'latin' }
  const twoFonts = groupsOf('אב (גד) 12', latin, (group) =>
    /[א-ת]/u.test(group) ? font : { ...font, place: latin },
  )
  // Brackets of another font than the letters stand on the sides where they are read.
  expect(runsOf(twoFonts).map(({ text }) => text)).toEqual(['12', ' (', 'גד', ')', 'אב '])
})
