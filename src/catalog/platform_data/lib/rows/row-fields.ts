// A field of a row that is alike for all platforms: what it means, and where actors keep it.
import { z } from '#core/action.ts'

type Raw = Readonly<Record<string, unknown>>

export interface RowField {
  readonly schema: z.ZodType
  /** Paths into an actor's row, most telling first: `author.name`. The first readable value counts. */
  readonly paths: readonly string[]
  readonly read: (value: unknown) => unknown
}

const field =
  (schema: z.ZodType, read: RowField['read']) =>
  (meaning: string, ...paths: readonly string[]): RowField => ({
    schema: schema.nullable().describe(meaning),
    paths,
    read,
  })

export const textField = field(z.string(), readText)
export const numberField = field(z.number(), readNumber)
/** ISO 8601, UTC. */
export const timeField = field(z.string(), readTime)
export const urlField = field(z.string(), (value) => {
  const text = readText(value)
  return text !== undefined && URL.canParse(text) ? text : undefined
})
export const flagField = field(z.boolean(), (value) =>
  typeof value === 'boolean' ? value : undefined,
)

function readText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return undefined
  return value.trim() || undefined
}

const multiples: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000, b: 1_000_000_000 }

/** Also of a text as people read it: 1,234 or 1.2K. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const [, digits, multiple = ''] =
    /^\D{0,3}(\d[\d,]*(?:\.\d+)?)\s?([kmb]?)$/i.exec(readText(value) ?? '') ?? []
  if (digits === undefined) return undefined
  return (
    Math.round(
      Number(digits.replaceAll(',', '')) * (multiples[multiple.toLowerCase()] ?? 1) * 100,
    ) / 100
  )
}

/** Larger numbers count milliseconds since 1970, smaller ones seconds. */
const secondsMost = 100_000_000_000
const msPerSecond = 1_000

function readTime(value: unknown): string | undefined {
  const isNumber = typeof value === 'number' || /^\d{9,13}$/.test(String(value))
  const counted = isNumber ? Number(value) : Number.NaN
  // A text without a year, such as "2 days ago", is not a time.
  const text = typeof value === 'string' && /\d{4}/.test(value) ? value : ''
  const ms = isNumber
    ? counted * (counted < secondsMost ? msPerSecond : 1)
    : Date.parse(/[zZ]$|[+-]\d{2}:?\d{2}\b|GMT/.test(text) ? text : `${text} UTC`)
  const date = new Date(Number.isNaN(ms) ? Date.parse(text) : ms)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

export function readField(raw: Raw, { paths, read }: RowField): unknown {
  for (const path of paths) {
    const found = read(valueAt(raw, path))
    if (found !== undefined) return found
  }
  return null
}

function valueAt(raw: Raw, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    return (at as Raw)[name]
  }, raw)
}
