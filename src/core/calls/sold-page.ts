/** A page in an answer. The runner does not sell a block page in its place. */
export interface SoldPage {
  /** HTML or text. */
  readonly body: string
  /** The status of the page's own server, if known. */
  readonly status?: number | null | undefined
  readonly url: string
}
