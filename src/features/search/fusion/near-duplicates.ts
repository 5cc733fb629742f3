// Whether two findings on different hosts are copies of one text. Lists are short and snippets are cut at different places, so
// the runs of words are compared themselves: SimHash approximates this for millions of texts, and is blind to a cut.
import type { SourceResult } from '../evidence.ts'

/** A shorter title, such as that of a case, names several documents. */
const titleWordsMin = 5
const runLength = 3
/** Of the runs of the shorter snippet. */
const sharedMin = 0.5
/** A copy appears soon after the original. */
const daysApartMax = 4
const dayMs = 24 * 60 * 60 * 1_000

export interface Wording {
  readonly title: string
  readonly words: number
  readonly runs: ReadonlySet<string>
  readonly publishedAt: number | undefined
}

export function wordingOf({ title, snippet, published_at }: SourceResult): Wording {
  const words = wordsOf(withoutSite(title))
  const published = published_at === undefined ? Number.NaN : Date.parse(published_at)
  return {
    title: words.join(' '),
    words: words.length,
    runs: runsOf(wordsOf(snippet ?? '')),
    publishedAt: Number.isNaN(published) ? undefined : published,
  }
}

export function areCopies(one: Wording, other: Wording): boolean {
  if (one.words < titleWordsMin || one.title !== other.title) return false
  if (one.publishedAt !== undefined && other.publishedAt !== undefined) {
    if (Math.abs(one.publishedAt - other.publishedAt) > daysApartMax * dayMs) return false
  }
  const least = Math.min(one.runs.size, other.runs.size)
  if (least === 0) return true
  const shared = [...one.runs].filter((run) => other.runs.has(run)).length
  return shared >= sharedMin * least
}

/** "Headline - The Daily Example" and "Headline | Example". */
const withoutSite = (title: string) => title.replace(/\s+[|–—·-]\s+[^|–—·]{2,40}$/, '')

const wordsOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\d]+/gu) ?? []

function runsOf(words: readonly string[]): ReadonlySet<string> {
  const starts = words.slice(0, Math.max(0, words.length - runLength + 1))
  return new Set(starts.map((_, at) => words.slice(at, at + runLength).join(' ')))
}
