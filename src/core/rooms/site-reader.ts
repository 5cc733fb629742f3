// The port by which a feature reads the pages of a whole site. Page reading implements it.
import type { JobContext } from '../action.ts'
import type { Micros } from '../money.ts'

/** A page that was tried, for its reader to keep or to forget. */
export interface SitePage {
  /** Normalised; of a page that has moved, where it is now. */
  readonly url: string
  readonly title: string | null
  /** In `format`. Null if it was not read. */
  readonly content: string | null
  /** `markdown` and `text` are pages that are not HTML. */
  readonly format: 'html' | 'markdown' | 'text'
  /** What the server of the page answered with, if it did. */
  readonly statusCode: number | undefined
  /** Why the page was not read: a stable code. */
  readonly error: string | undefined
}

/** What becomes of a page: a word for the answer, and whether its price is charged. */
export interface PageOutcome {
  readonly outcome: string
  readonly isPaid: boolean
}

/** Which pages of which site. */
export interface SiteWish {
  /** Where it begins, normalised. */
  readonly seed: string
  readonly maxPages: number
  /** Globs. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

export interface SiteOrder extends SiteWish {
  /** Pages that are read again, whether or not the map of the site has them. */
  readonly knownUrls: readonly string[]
  readonly budgetCents: number
  /** Pages that are not begun by then are not read. */
  readonly readingTimeoutMs: number
}

export interface SiteReading {
  /** Each page that was tried, with what became of it. */
  readonly pages: readonly { readonly url: string; readonly outcome: string }[]
  /** The price of the map and of the pages that are paid for. */
  readonly micros: Micros
}

export interface SiteReader {
  /** The normalised address. Throws CallError `bad_url`, and `bad_request` for globs that cannot be read. */
  check(wish: Pick<SiteWish, 'include' | 'exclude'> & { readonly url: string }): string
  /**
   * Reads the pages within the rules of robots.txt and hands each over. `keep` may be called again for a page if the
   * gateway stops in between; a page is charged once.
   */
  read(
    context: JobContext<unknown>,
    order: SiteOrder,
    keep: (page: SitePage) => Promise<PageOutcome>,
  ): Promise<SiteReading>
}
