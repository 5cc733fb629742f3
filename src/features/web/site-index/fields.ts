// What the words of a page count, by the field that they stand in and how often. The figures were chosen on questions
// to manuals (`npm run bench site-index`).
import type { Token } from './words.ts'

/** The fields of a passage, by the weight that PostgreSQL gives them. */
export interface PassageFields {
  /** The title of the page. */
  readonly A: readonly Token[]
  /** The headings above the passage. */
  readonly B: readonly Token[]
  /** The path of the page's address. */
  readonly C: readonly Token[]
  /** The text. */
  readonly D: readonly Token[]
}
type Field = keyof PassageFields

/** BM25F of a page: what one occurrence in a field counts. */
const pageWeights: Readonly<Record<Field, number>> = { A: 3, B: 1, C: 1.5, D: 1 }
/** So many occurrences make half of the greatest impact. */
const saturation = 2
/** How much the length of a page counts, from 0 to 1, and the words of a page of middle length. */
const lengthShare = 0.7
const middleWords = 1_300
/** The impact that no number of occurrences reaches. */
const impactMax = 1_000

/** How much a page is about each of its stems, in thousandths. */
export function impactsOf(
  passages: readonly PassageFields[],
  stems: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const bodyWords = passages.reduce((sum, { D }) => sum + D.length, 0)
  const length = 1 - lengthShare + (lengthShare * bodyWords) / middleWords
  const counts = new Map<string, Partial<Record<Field, number>>>()
  const note = (stem: string, field: Field, most = Number.POSITIVE_INFINITY) => {
    const own = counts.get(stem) ?? {}
    own[field] = Math.min(most, (own[field] ?? 0) + 1)
    counts.set(stem, own)
  }
  const stemsIn = (tokens: readonly Token[]) => tokens.flatMap(({ word }) => stems.get(word) ?? [])
  // Title and path are those of the page. A heading stands above many passages, and counts once.
  for (const field of ['A', 'C'] as const)
    for (const stem of stemsIn(passages[0]?.[field] ?? [])) note(stem, field)
  for (const { B, D } of passages) {
    for (const stem of stemsIn(B)) note(stem, 'B', 1)
    for (const stem of stemsIn(D)) note(stem, 'D')
  }
  return new Map(
    [...counts].map(([stem, { A = 0, B = 0, C = 0, D = 0 }]) => {
      const above = pageWeights.A * A + pageWeights.B * B + pageWeights.C * C
      const frequency = above + (pageWeights.D * D) / length
      return [stem, Math.round((impactMax * frequency) / (saturation + frequency))]
    }),
  )
}

/** Between two fields, so that no words are neighbours that stand in different ones. */
const fieldGap = 10
/** PostgreSQL counts no further. */
const placeMax = 16_383

/** The search vector of a passage, in PostgreSQL's own notation. */
export function vectorOf(fields: PassageFields, stems: ReadonlyMap<string, string>): string {
  const places = new Map<string, string[]>()
  let before = 0
  for (const [weight, tokens] of Object.entries(fields) as [Field, readonly Token[]][]) {
    for (const { word, place } of tokens) {
      const stem = stems.get(word)
      if (stem === undefined) continue
      const noted = places.get(stem) ?? []
      noted.push(`${Math.min(placeMax, before + place)}${weight}`)
      places.set(stem, noted)
    }
    before += (tokens.at(-1)?.place ?? 0) + fieldGap
  }
  return [...places].map(([stem, noted]) => `${quoteWord(stem)}:${noted.join(',')}`).join(' ')
}

/** A word as search vectors and queries write it. */
export const quoteWord = (word: string): string =>
  `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
