// Marks: what vendors and platforms leave in a page that stands for another. Every pattern is plain, without nested
// repeats, so that it takes linear time on hostile pages.
import type { VerdictKind } from '../verdict-kind.ts'

export interface Mark {
  readonly vendor: string
  /** What the page is. `bot_wall` unless given. */
  readonly kind?: VerdictKind
  readonly pattern: RegExp
  /** Where the mark is known from: the vendor's documentation, the source of the product, or pages that it sent. */
  readonly source: string
}

export interface MarkupMark extends Mark {
  /** The mark means nothing on a page with more words: pages that were let through hold it too. */
  readonly wordsMax?: number
}
