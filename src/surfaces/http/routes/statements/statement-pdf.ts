// A monthly statement as PDF. The same statement gives the same bytes.
import { createRequire } from 'node:module'
import path from 'node:path'
import PDFDocument from 'pdfkit'
import { microsToUsd } from '#core/money.ts'
import {
  type FontFile,
  type FontPlace,
  readFontFile,
} from '#features/studio/films/fonts/font-file.ts'
import { type FontShelf, hasAll } from '#features/studio/films/fonts/shelf.ts'
import type { MonthlyStatement } from '#money/ledger/monthly-statements.ts'
import { movementWords } from './movement-words.ts'
import { type FontFor, groupsOf, runsOf } from './shown-text.ts'
import type { StatementAccount } from './statement-csv.ts'

/** The fonts of this machine, for names that the font of the gateway cannot write. */
export type OtherFonts = () => Promise<FontShelf | undefined>

const left = 50
const right = 545
const bottom = 780
const countsEnd = 430
const namesWidth = 310
const lineHeight = 14
const textSize = 9.5
const quiet = '#555555'

/** pdf.js brings Liberation Sans, which has the characters of Helvetica and more. */
const fontFolder = path.join(
  path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts',
)
const plainFile = path.join(fontFolder, 'LiberationSans-Regular.ttf')
const boldFile = path.join(fontFolder, 'LiberationSans-Bold.ttf')
let baseFont: Promise<FontFile> | undefined

async function readBaseFont(): Promise<FontFile> {
  const font = await readFontFile(plainFile)
  if (font === undefined) throw new Error(`${plainFile} is not a font.`)
  return font
}

export async function writeStatementPdf(
  account: StatementAccount,
  statement: MonthlyStatement,
  { issuer, otherFonts }: { issuer: string; otherFonts: OtherFonts },
): Promise<Buffer> {
  baseFont ??= readBaseFont()
  const [base, shelf] = [await baseFont, await otherFonts()]
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    font: plainFile,
    bufferPages: true,
    lang: 'en',
    info: {
      Title: `Statement ${statement.month}`,
      Author: issuer,
      Producer: 'Tollway',
      Creator: 'Tollway',
      CreationDate: statement.until,
    },
  })
  const bytes = collect(document)
  const pen = createPen(document, base.place, (group) =>
    hasAll(base.coverage, group) ? base : shelf?.fontFor(group),
  )
  writeHead(pen, account, statement, issuer)
  writeTable(pen, statement)
  pen.finish(`${account.id} · ${statement.month}`)
  document.end()
  return await bytes
}

type Pen = ReturnType<typeof createPen>

function writeHead(
  pen: Pen,
  { id, name }: StatementAccount,
  { month, from, until, isClosed }: MonthlyStatement,
  issuer: string,
) {
  pen.plain(`Statement ${month}`, { size: 20, file: boldFile })
  pen.next(26)
  if (name !== null) {
    pen.name(name, { size: 12, width: right - left })
    pen.next(4)
  }
  const last = new Date(until.getTime() - 1).toISOString().slice(0, 10)
  for (const line of [
    `Account ${id}`,
    `From ${from.toISOString().slice(0, 10)} to ${last} (UTC)`,
    `Issued by ${issuer}`,
    isClosed ? 'This month is closed.' : 'This month is open: the statement is as of now.',
    'All amounts in US dollars.',
  ]) {
    pen.plain(line, { color: quiet })
    pen.next(lineHeight)
  }
  pen.next(12)
}

function writeTable(pen: Pen, { opening, movements, closing }: MonthlyStatement) {
  pen.plain('What', { color: quiet })
  pen.plain('Number', { color: quiet, end: countsEnd })
  pen.plain('Change', { color: quiet, end: right })
  pen.next(lineHeight)
  pen.rule()
  const balance = (title: string, micros: number) => {
    pen.plain(title, { file: boldFile })
    pen.plain(microsToUsd(micros), { end: right, file: boldFile })
    pen.next(lineHeight)
    pen.rule()
  }
  balance('Opening balance', opening)
  for (const { kind, action, count, amount } of movements) {
    pen.plain(String(count), { end: countsEnd })
    pen.plain(microsToUsd(amount), { end: right })
    pen.name(action === null ? movementWords[kind].title : `Calls: ${action}`, {
      size: textSize,
      width: namesWidth,
    })
  }
  pen.rule()
  balance('Closing balance', closing)
}

/** Writes from the top of a page to its end, and then on the next one. */
function createPen(document: PDFKit.PDFDocument, base: FontPlace, fontFor: FontFor) {
  let top = 60
  const use = ({ file, face }: FontPlace) =>
    face === undefined ? document.font(file) : document.font(file, face)
  /** Of the baseline. */
  const draw = (text: string, at: number) =>
    // All at once: the words of a line that is read from the right would be placed from the left.
    document.text(text, at, top, { lineBreak: false, baseline: 'alphabetic', features: [] })
  const widthOf = (text: string) => document.widthOfString(text, { features: [] })
  const measured = new Map<string, number>()
  function widthOfGroup({ text, font }: { text: string; font: FontPlace }, size: number) {
    const id = `${size} ${font.file} ${text}`
    const known = measured.get(id)
    if (known !== undefined) return known
    use(font)
    const width = widthOf(text)
    measured.set(id, width)
    return width
  }

  function next(points: number) {
    top += points
    if (top <= bottom) return
    document.addPage()
    top = 60
  }

  return {
    next,
    plain(
      text: string,
      { size = textSize, color = 'black', file = base.file, end }: PlainStyle = {},
    ) {
      document.font(file).fontSize(size).fillColor(color)
      draw(text, end === undefined ? left : end - widthOf(text))
    },
    /** A text that a person chose, in as many lines as it takes. */
    name(text: string, { size, width }: { size: number; width: number }) {
      document.fontSize(size).fillColor('black')
      const groups = groupsOf(text, base, fontFor).map((group) => ({
        ...group,
        width: widthOfGroup(group, size),
      }))
      for (const line of linesOf(groups, width)) {
        document.fontSize(size).fillColor('black')
        let at = left
        for (const run of runsOf(line)) {
          use(run.font)
          draw(run.text, at)
          at += widthOf(run.text)
        }
        next(Math.max(lineHeight, size * 1.4))
      }
    },
    rule() {
      document
        .moveTo(left, top - lineHeight + 4)
        .lineTo(right, top - lineHeight + 4)
        .lineWidth(0.5)
        .stroke('#bbbbbb')
    },
    finish(about: string) {
      const { start, count } = document.bufferedPageRange()
      for (let page = start; page < start + count; page += 1) {
        document.switchToPage(page)
        top = 815
        document.font(base.file).fontSize(8).fillColor(quiet)
        const text = `${about} · page ${page - start + 1} of ${count}`
        draw(text, right - widthOf(text))
      }
    },
  }
}

interface PlainStyle {
  readonly size?: number
  readonly color?: string
  readonly file?: string
  /** Where the text ends, if it is aligned to the right. */
  readonly end?: number
}

/** Lines of at most this width. A line is broken behind a space or a slash where it has one. */
function linesOf<Group extends { text: string; width: number }>(
  groups: readonly Group[],
  width: number,
): readonly (readonly Group[])[] {
  const lines: Group[][] = []
  let line: Group[] = []
  const filled = () => line.reduce((sum, group) => sum + group.width, 0)
  for (const group of groups) {
    if (line.length > 0 && filled() + group.width > width) {
      const end = line.findLastIndex(({ text }) => text === ' ' || text === '/') + 1 || line.length
      lines.push(line.slice(0, end))
      line = line.slice(end)
    }
    line.push(group)
  }
  return [...lines, line]
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
}
