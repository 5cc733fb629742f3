export type FetchFailureReason =
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'connection'
  | 'encoding'
  /** The operator's proxies take no further connection. */
  | 'proxies_busy'

/** The host was admitted and yet gave no whole answer. The message is for the caller. */
export class FetchFailure extends Error {
  readonly reason: FetchFailureReason

  constructor(reason: FetchFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'FetchFailure'
    this.reason = reason
  }
}
