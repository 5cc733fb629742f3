// Numbers of Excel as text: dates and times by their format, percentages, and plain numbers.
import { childOf, elementsOf, type XmlElement } from './xml.ts'

/** `style` is the index of a cell's format. */
export type NumberWriter = (value: string, style: number) => string

type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'date and time'

const dayMs = 86_400_000
/** Day 0 of each calendar. Excel's first calendar has a 29th of February 1900, so its days count from 30 December. */
const epochMs = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) } as const
/** The last day that Excel knows, of the year 9999. */
const daysMax = 2_958_466
/** Excel calculates with this many digits, and shows no more. */
const digitsMax = 15

/** Formats that every file has without declaring them. */
const builtIn: ReadonlyMap<number, NumberKind> = new Map<number, NumberKind>([
  ...[9, 10].map((id) => [id, 'percent'] as const),
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map(
    (id) => [id, 'date'] as const,
  ),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, 'time'] as const),
  [22, 'date and time'],
])

export function createNumberWriter(options: {
  readonly styles: XmlElement | undefined
  readonly isFrom1904: boolean
}): NumberWriter {
  const codes = new Map(
    [...elementsOf(childOf(options.styles, 'numFmts'), 'numFmt')].map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? '',
    ]),
  )
  const kinds = [...elementsOf(childOf(options.styles, 'cellXfs'), 'xf')].map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? 0)
    const code = codes.get(id)
    return code === undefined ? (builtIn.get(id) ?? 'number') : kindOfFormat(code)
  })
  const epoch = options.isFrom1904 ? epochMs.from1904 : epochMs.from1900
  return (value, style) => {
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    const kind = kinds[style] ?? 'number'
    if (kind === 'number') return plain(number)
    if (kind === 'percent') return `${plain(number * 100)}%`
    return number >= 0 && number < daysMax ? writeTime(number, kind, epoch) : plain(number)
  }
}

const plain = (number: number) => String(Number(number.toPrecision(digitsMax)))

/** By the letters of a format code outside of quotes, escapes and colours. */
function kindOfFormat(code: string): NumberKind {
  const [positive = ''] = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  const bare = positive.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').toLowerCase()
  if (bare.includes('general')) return 'number'
  const hasTime = /[hs]|am\/pm|\[m+\]/.test(bare)
  const hasDate = /[yd]|(?:^|[^:hs\]])m{3,}/.test(bare) || (!hasTime && /m/.test(bare))
  if (hasDate) return hasTime ? 'date and time' : 'date'
  if (hasTime) return 'time'
  return bare.includes('%') ? 'percent' : 'number'
}

function writeTime(days: number, kind: NumberKind, epoch: number): string {
  const iso = new Date(epoch + Math.round(days * 86_400) * 1_000).toISOString()
  const [date = '', time = ''] = iso.slice(0, -5).split('T')
  if (kind === 'date' || (kind === 'date and time' && time === '00:00:00')) return date
  if (kind === 'date and time') return `${date} ${time}`
  // A duration may be longer than a day.
  const hours =
    Math.floor((Math.round(days * 86_400) * 1_000) / dayMs) * 24 + Number(time.slice(0, 2))
  return `${String(hours).padStart(2, '0')}${time.slice(2)}`
}
