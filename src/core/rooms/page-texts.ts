// The port by which rooms read pages without knowing how: the room of page reading implements it.
import type { RunContext } from '../action.ts'

export interface PageText {
  readonly url: string
  /** Markdown. Null where the page was not read. */
  readonly content: string | null
  readonly title: string | null
  /** ISO 8601. */
  readonly publishedAt: string | null
  /** What has read it: the provider, or the way of this machine. */
  readonly source: string | null
  /** Why it was not read. */
  readonly trouble: string | null
}

export interface PageTexts {
  /** The addresses, normalised and each once. Throws CallError for one that does not lead to a public web page. */
  admit(urls: readonly string[]): readonly string[]
  /** One row per address. `call` bounds what vendors cost, by refusing what is too dear. */
  read(
    urls: readonly string[],
    request: Pick<RunContext<unknown>, 'call' | 'available' | 'signal' | 'record' | 'caller'> & {
      /** The pages are known to have walls: they are read by the ways that pass them. */
      readonly isHard: boolean
      readonly timeoutMs: number
    },
  ): Promise<readonly PageText[]>
  /** The text of a page that is in memory already. */
  textOf(html: string, url: string): Promise<Pick<PageText, 'title'> & { readonly content: string }>
}
