// What the words of a page count, by the field that they stand in and how often. The figures were chosen on questions
// to manuals (`npm run bench site-index`, `npm run bench site-trees`).
import type { Token } from './words.ts'

/** The fields of a passage, by the weight that PostgreSQL gives them. */
export interface PassageFields {
  /** The title of the page. */
  readonly A: readonly Token[]
  /** The headings above the passage. */
  readonly B: readonly Token[]
  /** What the passage says of other pages, where it lists them. */
  readonly C: readonly Token[]
  /** The other text. It shares its places with C. */
  readonly D: readonly Token[]
}

export interface PageFields {
  /** The path of the page's address. */
  readonly path: readonly Token[]
  readonly passages: readonly PassageFields[]
}
type PageField = keyof PassageFields | 'path'

/** What one list says of another page. */
export interface Mention {
  readonly url: string
  readonly words: readonly Token[]
}

/** BM25F of a page: what one occurrence in a field counts. */
const pageWeights: Readonly<Record<PageField, number>> = { A: 3, B: 1, C: 0.2, D: 1, path: 1.5 }
/** What a word in a list of links counts for the page that is linked to. */
const mentionWeight = 5
/** So many occurrences make half of the greatest impact. */
const saturation = 2
/** How much the length of a field counts, from 0 to 1, and the words of one of middle length. */
const textLength = { share: 0.7, middle: 1_300 }
const mentionLength = { share: 0.5, middle: 8 }
/** The impact that no number of occurrences reaches. */
const impactMax = 1_000

type StemOf = ReadonlyMap<string, string>

/** How much a page is about each of its stems, in thousandths. */
export function impactsOf({ path, passages }: PageFields, stems: StemOf) {
  const counts = new Map<string, Partial<Record<PageField, number>>>()
  const note = (tokens: readonly Token[], field: PageField, most = Number.POSITIVE_INFINITY) => {
    for (const stem of stemsIn(tokens, stems)) {
      const own = counts.get(stem) ?? {}
      own[field] = Math.min(most, (own[field] ?? 0) + 1)
      counts.set(stem, own)
    }
  }
  // Title and path are those of the page. A heading stands above many passages, and counts once.
  note(passages[0]?.A ?? [], 'A')
  note(path, 'path')
  for (const { B, C, D } of passages) {
    note(B, 'B', 1)
    note(C, 'C')
    note(D, 'D')
  }
  const words = passages.reduce((sum, { C, D }) => sum + C.length + D.length, 0)
  const inText = lengthOf(words, textLength)
  return new Map(
    [...counts].map(([stem, { A = 0, B = 0, C = 0, D = 0, path: inPath = 0 }]) => {
      const above = pageWeights.A * A + pageWeights.B * B + pageWeights.path * inPath
      const text = (pageWeights.C * C + pageWeights.D * D) / inText
      return [stem, impactOf(above + text)]
    }),
  )
}

/** How much a page is about the stems of what another page says of it, in thousandths. */
export function mentionImpactsOf(words: readonly Token[], stems: StemOf) {
  const impact = impactOf(mentionWeight / lengthOf(words.length, mentionLength))
  return new Map(stemsIn(words, stems).map((stem) => [stem, impact]))
}

const stemsIn = (tokens: readonly Token[], stems: StemOf) =>
  tokens.flatMap(({ word }) => stems.get(word) ?? [])

/** 1 for a field of middle length, more for a longer one. */
const lengthOf = (words: number, { share, middle }: typeof textLength) =>
  1 - share + (share * words) / middle

const impactOf = (frequency: number) =>
  Math.round((impactMax * frequency) / (saturation + frequency))

/** Between two fields, so that no words are neighbours that stand in different ones. */
const fieldGap = 10
/** PostgreSQL counts no further. */
const placeMax = 16_383

/** The search vector of a passage, in PostgreSQL's own notation. */
export function vectorOf({ A, B, C, D }: PassageFields, stems: StemOf): string {
  const places = new Map<string, string[]>()
  let before = 0
  const note = (tokens: readonly Token[], weight: keyof PassageFields) => {
    for (const { word, place } of tokens) {
      const stem = stems.get(word)
      if (stem === undefined) continue
      const noted = places.get(stem) ?? []
      noted.push(`${Math.min(placeMax, before + place)}${weight}`)
      places.set(stem, noted)
    }
  }
  for (const [tokens, weight] of [[A, 'A'] as const, [B, 'B'] as const]) {
    note(tokens, weight)
    before += (tokens.at(-1)?.place ?? 0) + fieldGap
  }
  note(C, 'C')
  note(D, 'D')
  return [...places].map(([stem, noted]) => `${quoteWord(stem)}:${noted.join(',')}`).join(' ')
}

/** A word as search vectors and queries write it. */
export const quoteWord = (word: string): string =>
  `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
