/** One of the sources of an action that has several. */
export interface ActionEndpoint {
  readonly endpoint: string
  readonly summary: string
  readonly price_cents: number
  /** The required parameters besides `endpoint`. */
  readonly required: readonly string[]
  /** At least one of these is required too. */
  readonly one_of?: readonly string[]
  readonly optional?: readonly string[]
  /** A body that works, `endpoint` included. */
  readonly example: object
  /** Why this gateway cannot answer it. */
  readonly unavailable?: string
}
