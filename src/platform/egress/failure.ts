import { errorCodeOf, errorNameOf } from '../thrown.ts'
export type FetchFailureReason =
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'connection'
  /** The host answered, and its certificate or its TLS is not valid. */
  | 'tls'
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

/** Whether a library or a signal gave up after some time. */
export function isTimeout(thrown: unknown): boolean {
  const name = errorNameOf(thrown)
  const code = errorCodeOf(thrown)
  return name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(code ?? '')
}

/** Whether it is Node's or OpenSSL's error about a certificate or a handshake. */
export function isTlsError(thrown: unknown): boolean {
  const code = errorCodeOf(thrown)
  return /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_|EPROTO)/.test(
    code ?? '',
  )
}
