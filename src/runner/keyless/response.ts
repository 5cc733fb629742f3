export interface KeylessResponse {
  /** The success envelope, as JSON text. */
  readonly body: string
  /** The receipt of the payment. */
  readonly headers: Readonly<Record<string, string>>
  readonly replayed: boolean
}
