// Reads a picture of a page with Tesseract, which the operator may have installed.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { PageLayout } from './layout.ts'
import type { GreyImage } from './scan.ts'
import { boxOf, median, type TextRun } from './text-run.ts'

export type Recognise = (image: GreyImage) => Promise<PageLayout | undefined>

/** Words that Tesseract is less sure of, in percent, are noise. */
const confidenceMin = 20

export function createRecognition(options: {
  readonly path: string
  /** As Tesseract names them: `eng`, `deu`. */
  readonly languages: readonly string[]
}): Recognise {
  return async (image) => {
    const { width, height, pixels, dotsPerPoint } = image
    const dotsPerInch = Math.round(dotsPerPoint * 72)
    const child = spawn(
      options.path,
      ['stdin', 'stdout', '-l', options.languages.join('+'), '--dpi', String(dotsPerInch), 'tsv'],
      { stdio: ['pipe', 'pipe', 'ignore'], env: { OMP_THREAD_LIMIT: '1' } },
    )
    const ended = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('close', resolve)
    })
    // It may end before it has read everything.
    child.stdin.on('error', () => {})
    child.stdin.write(`P5\n${width} ${height}\n${white}\n`)
    child.stdin.end(pixels)
    const [table, code] = await Promise.all([text(child.stdout), ended])
    if (code !== 0) return undefined
    const runs = readWords(table, 1 / dotsPerPoint)
    return { width: width / dotsPerPoint, height: height / dotsPerPoint, runs, rules: [] }
  }
}

const white = 255
const wordLevel = '5'

/** Tesseract's table has a row for each page, block, paragraph, line and word. */
function readWords(table: string, scale: number): TextRun[] {
  const lines = new Map<string, string[][]>()
  for (const row of table.split('\n').slice(1)) {
    const cells = row.split('\t')
    const [level, , block, paragraph, line] = cells
    if (level !== wordLevel || Number(cells[10]) < confidenceMin) continue
    const key = `${block}.${paragraph}.${line}`
    lines.set(key, [...(lines.get(key) ?? []), cells])
  }
  return evenSizes([...lines.values()].map((words) => wordsOfLine(words, scale)))
}

/** Words of a line share its height, since a word without tall letters would look smaller. */
function wordsOfLine(words: readonly string[][], scale: number): TextRun[] {
  const boxes = words.map((cells) => {
    const [left = 0, top = 0, width = 0, height = 0] = cells
      .slice(6, 10)
      .map((each) => Number(each) * scale)
    return { text: cells[11] ?? '', left, right: left + width, top, bottom: top + height }
  })
  const size = boxOf(boxes).bottom - boxOf(boxes).top
  const baseline = median(
    boxes.map(({ text, bottom }) => bottom - (descenders.test(text) ? size * descent : 0)),
  )
  const look = { isBold: false, isMonospace: false, isRightToLeft: false }
  return boxes.map((box) => ({ ...box, ...look, baseline, size }))
}

const descenders = /[gjpqyQ,;()[\]]/
/** In font sizes. */
const descent = 0.2

/** Lines whose height is near to the usual one have its size: their letters differ, not their font. */
function evenSizes(lines: readonly TextRun[][]): TextRun[] {
  const usual = median(lines.map(([word]) => word?.size ?? 0))
  return lines.flat().map((word) => {
    const isUsual = word.size > usual * 0.6 && word.size < usual * 1.5
    return isUsual ? { ...word, size: usual } : word
  })
}
