// Reads a picture of a page with Tesseract, which the operator may have installed.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { PageLayout } from './layout.ts'
import type { GreyImage } from './scan.ts'
import { boxOf, median, type TextRun } from './text-run.ts'

export type Recognise = (image: GreyImage) => Promise<PageLayout | undefined>

/** Words that Tesseract is less sure of, in percent, are noise. */
const confidenceMin = 20

/** A page of which Tesseract is less sure than this, on average, may lie on its side or upside down. */
const uprightConfidenceMin = 75

export function createRecognition(options: {
  readonly path: string
  /** As Tesseract names them: `eng`, `deu`. */
  readonly languages: readonly string[]
}): Recognise {
  const { path, languages } = options

  async function read(image: GreyImage) {
    const table = await runTesseract(path, image, ['-l', languages.join('+')], 'tsv')
    if (table === undefined) return undefined
    const { width, height, dotsPerPoint } = image
    const runs = readWords(table, 1 / dotsPerPoint)
    const layout = { width: width / dotsPerPoint, height: height / dotsPerPoint, runs, rules: [] }
    return { layout, confidence: confidenceOf(table) }
  }

  return async (image) => {
    const found = await read(image)
    if (found === undefined || found.confidence >= uprightConfidenceMin) return found?.layout
    // It fails without its data, and on pages with few letters.
    const told = await runTesseract(path, image, ['--psm', '0', '-l', 'osd'])
    const turn = Number(/^Rotate: (\d+)$/m.exec(told ?? '')?.[1] ?? 0)
    const turned = turn === 0 ? undefined : await read(turnClockwise(image, turn))
    const isBetter = turned !== undefined && turned.confidence > found.confidence
    return isBetter ? turned.layout : found.layout
  }
}

/** What it writes, or undefined where it fails. */
async function runTesseract(
  path: string,
  { width, height, pixels, dotsPerPoint }: GreyImage,
  options: readonly string[],
  ...formats: readonly string[]
): Promise<string | undefined> {
  const dotsPerInch = String(Math.round(dotsPerPoint * 72))
  const child = spawn(path, ['stdin', 'stdout', ...options, '--dpi', dotsPerInch, ...formats], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { OMP_THREAD_LIMIT: '1' },
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  // It may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.write(`P5\n${width} ${height}\n${white}\n`)
  child.stdin.end(pixels)
  const [written, code] = await Promise.all([text(child.stdout), ended])
  return code === 0 ? written : undefined
}

/** By a multiple of 90 degrees. */
function turnClockwise(image: GreyImage, degrees: number): GreyImage {
  const { width, height, pixels } = image
  if (degrees < 90) return image
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      turned[x * height + height - 1 - y] = pixels[y * width + x] ?? white
  return turnClockwise({ ...image, width: height, height: width, pixels: turned }, degrees - 90)
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

/** A shorter word may be taller than wide. */
const sideLettersMin = 3

/** Of its words, in percent, by their letters. A word that is taller than wide runs up or down the page. */
function confidenceOf(table: string): number {
  let letters = 0
  let sum = 0
  for (const row of table.split('\n').slice(1)) {
    const cells = row.split('\t')
    const { length } = (cells[11] ?? '').trim()
    if (cells[0] !== wordLevel || length === 0) continue
    letters += length
    const isOnSide = length >= sideLettersMin && Number(cells[9]) > Number(cells[8])
    sum += isOnSide ? 0 : length * Number(cells[10])
  }
  return letters === 0 ? 0 : sum / letters
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
