// Whether two findings on different hosts are copies of one text. Lists are short and snippets are cut at different
// places, so the runs of words are compared themselves: SimHash approximates this for millions of texts, and is blind
// to a cut.
import type { SourceResult } from '../evidence.ts'
import { wordsOf } from './words.ts'

/** A shorter title, such as that of a case, names several documents. */
const titleWordsMin = 5
const runLength = 3
/** Of a long text, the beginning. */
const textCharactersRead = 6_000
/** A page that quotes another one whole is longer. */
const sizeSharedMin = 0.7
/** Of the runs of the shorter snippet, under one title. */
const sharedMin = 0.5
/** A copy under the same title appears soon after the original. */
const daysApartMax = 4
const dayMs = 24 * 60 * 60 * 1_000
/**
 * Sites give one text different titles. A banner that several sites share stands under titles without a common word.
 */
const sameTextRunsMin = 10
const sameTextSharedMin = 0.9
/** A text of this many runs is not a banner. If nearly all of it is the same, its title does not matter. */
const longTextRunsMin = 40
/** Of the words of the shorter title. */
const sameTextTitleSharedMin = 1 / 3

export interface Wording {
  readonly title: string
  readonly titleWords: ReadonlySet<string>
  readonly words: number
  readonly runs: ReadonlySet<string>
  readonly snippetWords: ReadonlySet<string>
  /** Of the whole text, where a source gave it. */
  readonly textRuns: ReadonlySet<string>
  readonly publishedAt: number | undefined
}

export function wordingOf({ title, snippet, content, published_at }: SourceResult): Wording {
  const words = wordsOf(withoutSite(title))
  const said = wordsOf(snippet ?? '')
  const published = published_at === undefined ? Number.NaN : Date.parse(published_at)
  return {
    title: words.join(' '),
    titleWords: new Set(words),
    words: words.length,
    runs: runsOf(said),
    snippetWords: new Set(said),
    textRuns: runsOf(wordsOf((content ?? '').slice(0, textCharactersRead))),
    publishedAt: Number.isNaN(published) ? undefined : published,
  }
}

export const areCopies = (one: Wording, other: Wording): boolean =>
  haveOneTitle(one, other) || haveOneText(one, other) || haveOneLongText(one, other)

function haveOneTitle(one: Wording, other: Wording): boolean {
  if (one.words < titleWordsMin || one.title !== other.title) return false
  if (one.publishedAt !== undefined && other.publishedAt !== undefined) {
    if (Math.abs(one.publishedAt - other.publishedAt) > daysApartMax * dayMs) return false
  }
  return Math.min(one.runs.size, other.runs.size) === 0 || shared(one.runs, other.runs) >= sharedMin
}

/** The reports of two years differ in their numbers only. */
const haveOneText = (one: Wording, other: Wording): boolean =>
  Math.min(one.runs.size, other.runs.size) >= sameTextRunsMin &&
  shared(one.titleWords, other.titleWords) >= sameTextTitleSharedMin &&
  !haveOtherNumbers(one.titleWords, other.titleWords) &&
  !haveOtherNumbers(one.snippetWords, other.snippetWords) &&
  shared(one.runs, other.runs) >= sameTextSharedMin

/** The text of one page under another title. Each site has its own beginning and end. */
const haveOneLongText = ({ textRuns: one }: Wording, { textRuns: other }: Wording): boolean =>
  Math.min(one.size, other.size) >= longTextRunsMin &&
  Math.min(one.size, other.size) >= sizeSharedMin * Math.max(one.size, other.size) &&
  shared(one, other) >= sameTextSharedMin

/** What both have, as a part of the smaller one. */
function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one]
  return [...small].filter((each) => large.has(each)).length / Math.max(1, small.size)
}

/** Each has a number that is not in the other. */
const haveOtherNumbers = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  hasNumberBeside(one, other) && hasNumberBeside(other, one)

const hasNumberBeside = (words: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...words].some((word) => /\d/.test(word) && !other.has(word))

/** "Headline - The Daily Example", "Headline | Example" and, in Japanese and Chinese, "Headline（Example）". */
const withoutSite = (title: string) =>
  title.replace(/\s+[|–—·-]\s+[^|–—·]{2,40}$/, '').replace(/（[^（）\d]{2,40}）\s*$/, '')

function runsOf(words: readonly string[]): ReadonlySet<string> {
  const starts = words.slice(0, Math.max(0, words.length - runLength + 1))
  return new Set(starts.map((_, at) => words.slice(at, at + runLength).join(' ')))
}
