export type FetchFailureReason =
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'connection'
  | 'encoding'
  /** The operator's proxies accept no more connections. */
  | 'proxies_busy'

/** The host was admitted but gave no complete answer. The message is for the caller. */
export class FetchFailure extends Error {
  readonly reason: FetchFailureReason

  constructor(reason: FetchFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'FetchFailure'
    this.reason = reason
  }
}
