// One reader of the values in a sentence, for consult, for searches, and for the command.
import { everywhere, type IdentifierKind, identifierPatterns } from '#core/identifier.ts'
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
import { blank, placeOf, type Said, type SaidValue, type ValueReader } from './said-value.ts'

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

export const quotationPattern =
  /["“”„«»`]([^"“”„«»`]{2,300})["“”«»`]|[「『]([^」』]{2,300})[」』]|(?<![\p{L}\d])'([^'\n]{2,300})'(?!\p{L})/u

/** Their patterns also fit other words: `AB 12`, `symbol OF`. */
export const vagueKinds: ReadonlySet<string> = new Set<IdentifierKind>(['flight number', 'ticker'])

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
  const add = (match: RegExpMatchArray) => places.push(placeOf(match))
  for (const match of text.matchAll(everywhere(quotationPattern))) add(match)
  let rest = blank(text, places)
  for (const [kind, pattern] of Object.entries(identifierPatterns)) {
    if (vagueKinds.has(kind)) continue
    places.length = 0
    for (const match of rest.matchAll(everywhere(pattern))) add(match)
    rest = blank(rest, places)
  }
  return rest
}
