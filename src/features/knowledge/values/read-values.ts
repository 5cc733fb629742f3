// One reader of the values in a sentence, for consult, for searches, and for the command.
import { type IdentifierKind, identifierPatterns } from '#core/identifier.ts'
import {
  readAssignments,
  readBounds,
  readCounts,
  readDurations,
  readOrders,
  readPageRanges,
  readRatios,
  readSizes,
} from './readers/amounts.ts'
import { readPeriods } from './readers/periods.ts'
import { readCountries, readLanguages, readPlaces } from './readers/places.ts'
import { blank, type Said, type SaidValue, type ValueReader } from './said-value.ts'

export interface ReadText {
  readonly text: string
  /** In the order of the text. */
  readonly values: readonly SaidValue[]
  /** The text without its identifiers and quotations, which may hold any words. Same places. */
  readonly plain: string
}

/** Each reads what those before it have left. Places and languages may share their words with others. */
const inTurn: readonly ValueReader[] = [
  readAssignments,
  readSizes,
  readRatios,
  readPageRanges,
  readOrders,
  readPeriods,
  readBounds,
  readDurations,
  readCountries,
  readCounts,
]
const together: readonly ValueReader[] = [readLanguages, readPlaces]

const quotations =
  /["“”„«»`]([^"“”„«»`]{2,300})["“”«»`]|[「『]([^」』]{2,300})[」』]|(?<![\p{L}\d])'([^'\n]{2,300})'(?!\p{L})/gu

/** Identifiers that are words or numbers of a sentence as often. */
const vague: ReadonlySet<string> = new Set<IdentifierKind>(['ticker', 'flight number', 'domain'])

/** `today`: YYYY-MM-DD, from which `last week` counts. */
export function readValues(text: string, today: string): ReadText {
  const plain = withoutNames(text)
  const values: SaidValue[] = []
  let rest = plain
  for (const read of inTurn) {
    const found = read(rest, today)
    values.push(...found)
    rest = blank(rest, found)
  }
  for (const read of together) values.push(...read(rest, today))
  return {
    text,
    plain,
    values: values.toSorted((one, other) => one.start - other.start),
  }
}

function withoutNames(text: string): string {
  const places: Said[] = []
  const add = (match: RegExpMatchArray) => {
    const start = match.index ?? 0
    places.push({ start, end: start + match[0].length })
  }
  for (const match of text.matchAll(quotations)) add(match)
  let rest = blank(text, places)
  for (const [kind, { source, flags }] of Object.entries(identifierPatterns)) {
    if (vague.has(kind) && kind !== 'domain') continue
    places.length = 0
    for (const match of rest.matchAll(new RegExp(source, `${flags.replace('g', '')}g`))) add(match)
    rest = blank(rest, places)
  }
  return rest
}
