// Marks: what vendors and platforms leave in a page that stands for another. Every pattern is plain, without nested repeats,
// so that it takes linear time on hostile pages.
import type { VerdictKind } from '../verdict-kind.ts'

export interface Mark {
  readonly vendor: string
  /** What the page is. `bot_wall` unless given. */
  readonly kind?: VerdictKind
  readonly pattern: RegExp
  /** Where the mark is known from: the vendor's documentation, the source of the product, or pages that it sent. */
  readonly source: string
}

export interface BodyMark extends Mark {
  /**
   * `certain`: stands on no page that was let through, and decides by itself. `strong`: stands on other pages too, and needs
   * the words, the title or the status of a wall beside it.
   */
  readonly strength: 'certain' | 'strong'
  /** The mark means nothing on a page with more words. */
  readonly wordsMax?: number
}
