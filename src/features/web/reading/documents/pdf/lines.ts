// Runs of text become lines, and lines become segments at gaps too wide for a space.
import { isListMarker } from './list-marker.ts'
import { boxOf, type TextRun, type TextSegment } from './text-run.ts'

/** In font sizes. Justified text has gaps up to about this size; columns are further apart. */
const segmentGap = 0.95
const wordGap = 0.15
/** Superscripts are raised by about 0.35. */
const baselineTolerance = 0.4

/** In font sizes. Where texts of so many lines begin at one place, a smaller gap parts columns. */
const alignedGap = 0.5
const alignedLinesMin = 4
const alignmentPt = 1

export function toSegments(runs: readonly TextRun[]): TextSegment[] {
  const lines = linesOf(runs)
  const starts = alignedStarts(lines)
  return lines.flatMap((line) => splitLine(line, starts))
}

const placeOf = ({ left }: TextRun) => Math.round(left / alignmentPt)

/** Where texts begin that have another text before them, on several lines at the same place. */
function alignedStarts(lines: readonly TextRun[][]): ReadonlySet<number> {
  const counts = new Map<number, number>()
  for (const line of lines)
    for (const [index, run] of line.entries()) {
      const before = line[index - 1]
      if (before === undefined || run.isMonospace) continue
      const isItem = index === 1 && isListMarker(before.text)
      if (isItem || run.left - before.right <= alignedGap * run.size) continue
      counts.set(placeOf(run), (counts.get(placeOf(run)) ?? 0) + 1)
    }
  return new Set([...counts].flatMap(([place, count]) => (count < alignedLinesMin ? [] : [place])))
}

/** The runs of each line, from left to right. */
export function linesOf(runs: readonly TextRun[]): TextRun[][] {
  const lines: { runs: TextRun[]; baseline: number; size: number }[] = []
  const sorted = runs
    .filter(({ text }) => text.trim() !== '')
    .sort((one, other) => one.baseline - other.baseline || one.left - other.left)
  for (const run of sorted) {
    const line = lines.findLast(
      ({ baseline, size }) =>
        Math.abs(run.baseline - baseline) <= baselineTolerance * Math.max(size, run.size) &&
        Math.abs(run.baseline - baseline) <= 0.8 * Math.min(size, run.size),
    )
    if (line === undefined) lines.push({ runs: [run], baseline: run.baseline, size: run.size })
    else {
      line.runs.push(run)
      if (run.size > line.size) {
        line.baseline = run.baseline
        line.size = run.size
      }
    }
  }
  return lines.map((line) => line.runs.sort((one, other) => one.left - other.left))
}

function splitLine(line: readonly TextRun[], starts: ReadonlySet<number>): TextSegment[] {
  const groups: TextRun[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const run of line) {
    const group = groups.at(-1)
    // A heading in one column may stand beside the smaller text of another.
    const size = Math.min(run.size, group?.at(-1)?.size ?? run.size)
    const gap = run.left - end
    const isColumn = gap > alignedGap * size && starts.has(placeOf(run))
    if (group === undefined || gap > segmentGap * size || isColumn) groups.push([run])
    else group.push(run)
    end = Math.max(end, run.right)
  }
  return groups.map(toSegment)
}

export function toSegment(runs: readonly TextRun[]): TextSegment {
  const largest = runs.reduce((one, other) => (other.size > one.size ? other : one))
  return {
    ...boxOf(runs),
    runs,
    baseline: largest.baseline,
    size: largest.size,
    text: joinRuns(runs),
  }
}

export function joinRuns(runs: readonly TextRun[]): string {
  const inOrder = isRightToLeft(runs) ? [...runs].reverse() : runs
  let text = ''
  let before: TextRun | undefined
  for (const run of inOrder) {
    const gap =
      before === undefined ? 0 : Math.max(run.left - before.right, before.left - run.right)
    const needsSpace = gap > wordGap * run.size && !/\s$/.test(text) && !/^\s/.test(run.text)
    text += (needsSpace ? ' ' : '') + run.text
    before = run
  }
  return text.replace(/\s+/g, ' ').trim()
}

function isRightToLeft(runs: readonly TextRun[]): boolean {
  const characters = (wanted: boolean) =>
    runs
      .filter((run) => run.isRightToLeft === wanted)
      .reduce((sum, { text }) => sum + text.length, 0)
  return characters(true) > characters(false)
}

/** Texts of lines as one text. A word that was divided at the end of a line is whole again. */
export function joinLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (/\p{L}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(line))
      text = text.slice(0, -1) + line
    else if (/[-/\u2013\u2014]$/.test(text) && /[^\s][-/\u2013\u2014]$/.test(text)) text += line
    else if (isWithoutSpaces(text.slice(-1)) && isWithoutSpaces(line.slice(0, 1))) text += line
    else text += (text === '' ? '' : ' ') + line
  }
  return text.replaceAll('\u00ad', '')
}

/** Chinese and Japanese have no spaces between words. */
const isWithoutSpaces = (character: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(
    character,
  )
