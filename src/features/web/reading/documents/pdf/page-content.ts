// Reads a page of a PDF: its runs of text, its straight lines, and its pictures.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { readFields } from './form-fields.ts'
import type { PageLayout } from './layout.ts'
import { OPS } from './pdfjs.ts'
import type { Rule, TextRun } from './text-run.ts'
import { withUnifiedIdeographs } from './unified-ideographs.ts'

export type Matrix = readonly [number, number, number, number, number, number]

/** Of the six numbers that pdf.js has in an array. */
function matrixOf(values: Iterable<unknown>): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(values, Number)
  return [a, b, c, d, e, f]
}

export interface PlacedImage {
  /** The name under which the page has it, or the picture itself if it is drawn inline. */
  readonly source: unknown
  /** From the unit square to the page in points, downwards. */
  readonly matrix: Matrix
}

export interface PageContentParts extends PageLayout {
  readonly images: readonly PlacedImage[]
}

/** No honest page has more text runs. */
const runsMax = 200_000

export async function readPageContent(page: PDFPageProxy): Promise<PageContentParts> {
  // Fonts are known once the operators have been read.
  const operators = await page.getOperatorList()
  const { runs, view } = await readText(page)
  const { width, height } = view
  return { width, height, runs, ...readDrawings(operators, matrixOf(view.transform)) }
}

export async function readRuns(page: PDFPageProxy): Promise<TextRun[]> {
  return (await readText(page)).runs
}

/** The view is turned so that most of the text is upright. */
async function readText(page: PDFPageProxy) {
  const { items, styles } = await page.getTextContent()
  const fonts = new Map(Object.keys(styles).map((name) => [name, fontOf(page, name)]))
  const written = items
    .slice(0, runsMax)
    .flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []))
  const plainView = page.getViewport({ scale: 1 })
  const turn = turnOf(
    written.map(({ str, transform }) => ({
      letters: str.length,
      matrix: multiply(matrixOf(plainView.transform), matrixOf(transform)),
    })),
  )
  const view =
    turn === 0 ? plainView : page.getViewport({ scale: 1, rotation: (page.rotate + turn) % 360 })
  const toView = matrixOf(view.transform)
  const runs = written.map((item) =>
    toRun(item, multiply(toView, matrixOf(item.transform)), fonts.get(item.fontName)),
  )
  for (const { text, left, baseline, width, size } of await readFields(page))
    runs.push(
      toRun(
        { str: text, width, dir: 'ltr' },
        multiply(toView, [size, 0, 0, size, left, baseline]),
        undefined,
      ),
    )
  return { view, runs: runs.filter((run) => isOnPage(run, view)) }
}

/** How far the page must be turned clockwise, in degrees, for most of its letters to stand upright. */
function turnOf(texts: readonly { readonly letters: number; readonly matrix: Matrix }[]): number {
  const letters = new Map<number, number>()
  for (const { letters: count, matrix } of texts) {
    const [a, b] = matrix
    const upright = Math.abs(b) < Math.abs(a) ? 0 : b < 0 ? 90 : 270
    letters.set(upright, (letters.get(upright) ?? 0) + count)
  }
  const all = [...letters.values()].reduce((sum, count) => sum + count, 0)
  const found = [...letters].find(([, count]) => count > all / 2)
  return found?.[0] ?? 0
}

/** What the crop box cuts off is not seen. */
function isOnPage({ left, right, top, bottom }: TextRun, view: { width: number; height: number }) {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x >= 0 && x <= view.width && y >= 0 && y <= view.height
}

interface FontLook {
  readonly isBold: boolean
  readonly isMonospace: boolean
}

function fontOf(page: PDFPageProxy, name: string): FontLook {
  const font = page.commonObjs.has(name) ? page.commonObjs.get(name) : undefined
  const fontName = String(font?.name ?? '')
  return {
    isBold:
      font?.bold === true ||
      font?.black === true ||
      /bold|black|heavy|semibold|cmbx/i.test(fontName),
    isMonospace: font?.isMonospace === true || /mono|courier|consol|cmtt/i.test(fontName),
  }
}

function toRun(
  { str, width, dir }: { str: string; width: number; dir: string },
  [a, b, c, d, x, y]: Matrix,
  font: FontLook | undefined,
): TextRun {
  const size = Math.hypot(c, d) || Math.hypot(a, b)
  // Text that stands on its side takes little of the page's width.
  const isUpright = Math.abs(b) < Math.abs(a)
  const [left, right] = isUpright ? [x, x + width] : [x - size, x]
  return {
    text: withoutLetterSpacing(withUnifiedIdeographs(withLigatures(str))),
    left,
    right,
    baseline: y,
    size,
    top: y - size * 0.8,
    bottom: y + size * 0.2,
    isBold: font?.isBold ?? false,
    isMonospace: font?.isMonospace ?? false,
    isRightToLeft: dir === 'rtl',
  }
}

/** Where the bitmap fonts of TeX have their ligatures, without saying so: in T1 and, for those before 16, in OT1. */
const ligatures: Readonly<Record<string, string>> = {
  '\u001b': 'ff',
  '\u001c': 'fi',
  '\u001d': 'fl',
  '\u001e': 'ffi',
  '\u001f': 'ffl',
  '\u000b': 'ff',
  '\u000c': 'fi',
  '\u000d': 'fl',
  '\u000e': 'ffi',
  '\u000f': 'ffl',
}

function withLigatures(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these codes are what the fonts use.
  return text.replace(/[\u000b-\u000f\u001b-\u001f]/g, (code) => ligatures[code] ?? code)
}

/** Letters that are set apart for emphasis. The letters of an alphabet in their order are a list. */
function withoutLetterSpacing(text: string): string {
  return text.replace(/(?<!\S)(?:\p{L} ){3,}\p{L}(?=\s|[.,;:!?]|$)/gu, (apart) => {
    const letters = apart.split(' ')
    const isList = letters.every(
      (letter, index) =>
        index === 0 || letter.charCodeAt(0) === (letters[index - 1] as string).charCodeAt(0) + 1,
    )
    return isList ? apart : letters.join('')
  })
}

export const multiply = (one: Matrix, other: Matrix): Matrix => [
  one[0] * other[0] + one[2] * other[1],
  one[1] * other[0] + one[3] * other[1],
  one[0] * other[2] + one[2] * other[3],
  one[1] * other[2] + one[3] * other[3],
  one[0] * other[4] + one[2] * other[5] + one[4],
  one[1] * other[4] + one[3] * other[5] + one[5],
]

const apply = (matrix: Matrix, x: number, y: number) =>
  [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]] as const

interface Operators {
  readonly fnArray: readonly number[]
  /** The arguments of each operator have their own shape. */
  readonly argsArray: readonly (readonly unknown[] | null)[]
}

function readDrawings({ fnArray, argsArray }: Operators, toView: Matrix) {
  const rules: Rule[] = []
  const images: PlacedImage[] = []
  const saved: Matrix[] = []
  let matrix = toView
  for (const [index, operator] of fnArray.entries()) {
    const values = argsArray[index] ?? []
    if (operator === OPS.save) saved.push(matrix)
    else if (operator === OPS.restore) matrix = saved.pop() ?? toView
    else if (operator === OPS.transform) matrix = multiply(matrix, matrixOf(values))
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix)
      if (values[0]) matrix = multiply(matrix, matrixOf(values[0] as Iterable<unknown>))
    } else if (operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? toView
    else if (operator === OPS.constructPath) rules.push(...rulesOf(values, matrix))
    else if (operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject)
      images.push({ source: values[0], matrix })
    else if (operator === OPS.paintImageMaskXObject) images.push({ source: values[0], matrix })
  }
  return { rules, images }
}

/** A filled rectangle that is thinner is a line. */
const thicknessMax = 2.5
const lengthMin = 6
const pointsOfStep = [2, 2, 6, 4, 0] as const
const curves: ReadonlySet<number> = new Set([2, 3])

/** The straight lines of a path that is stroked, or filled and thin. */
function rulesOf([paint, paths]: readonly unknown[], matrix: Matrix): Rule[] {
  const [path] = paths as readonly (ArrayLike<number> | null)[]
  const isStroked = strokes.has(paint)
  if (path === null || path === undefined || (!isStroked && !fills.has(paint))) return []
  const points: (readonly [number, number])[] = []
  const rules: Rule[] = []
  let start: readonly [number, number] = [0, 0]
  let last = start
  const addLine = (to: readonly [number, number]) => {
    if (isStroked) rules.push(...ruleBetween(last, to))
    last = to
  }
  for (let index = 0; index < path.length; ) {
    const step = path[index] ?? 0
    const count = pointsOfStep[step] ?? 0
    if (curves.has(step)) return []
    if (count === 2) {
      const point = apply(matrix, path[index + 1] ?? 0, path[index + 2] ?? 0)
      points.push(point)
      if (step === 0) {
        start = point
        last = point
      } else addLine(point)
    } else addLine(start)
    index += 1 + count
  }
  return isStroked ? rules : ruleOfShape(points)
}

const strokes: ReadonlySet<unknown> = new Set([
  ...[OPS.stroke, OPS.closeStroke, OPS.fillStroke, OPS.eoFillStroke],
  ...[OPS.closeFillStroke, OPS.closeEOFillStroke],
])
const fills: ReadonlySet<unknown> = new Set([OPS.fill, OPS.eoFill])

function ruleBetween(from: readonly [number, number], to: readonly [number, number]): Rule[] {
  const width = Math.abs(from[0] - to[0])
  const height = Math.abs(from[1] - to[1])
  if (Math.min(width, height) > 0.5 || Math.max(width, height) < lengthMin) return []
  return [boundsOf([from, to])]
}

function ruleOfShape(points: readonly (readonly [number, number])[]): Rule[] {
  if (points.length < 4 || points.length > 8) return []
  const rule = boundsOf(points)
  const width = rule.right - rule.left
  const height = rule.bottom - rule.top
  const isLine = Math.min(width, height) <= thicknessMax && Math.max(width, height) >= lengthMin
  return isLine ? [rule] : []
}

function boundsOf(points: readonly (readonly [number, number])[]): Rule {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const box = {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  }
  return { ...box, isHorizontal: box.right - box.left >= box.bottom - box.top }
}
