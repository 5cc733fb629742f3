// What watches the gateway at work: metrics, and traces. Without either there is no telemetry, and the work runs as if
// it did not exist.
import type { Micros } from '../money.ts'

/**
 * A piece of work. Its names come from the gateway itself, so their number is bounded, and no text of a caller is among
 * them except for the id of a request.
 */
export type Work =
  | {
      readonly kind: 'request'
      readonly method: string
      readonly route: string
      readonly requestId: string
      readonly traceparent?: string | undefined
    }
  /** A call as its caller sees it, until it is answered. */
  | { readonly kind: 'call'; readonly action: string }
  /** The action runs: once for each try of a job. */
  | { readonly kind: 'run'; readonly action: string; readonly transactionId?: string | undefined }
  | { readonly kind: 'upstream'; readonly provider: string; readonly method: string }

export interface Observation {
  /** Does a part of the work. What begins inside belongs to it. */
  run<Result>(work: () => Result): Result
  /**
   * `outcome`: `ok`, `replayed`, the code of an error, or the status of a response. The transaction is told here where
   * it was not known before. Only the first end counts.
   */
  end(outcome: string, transactionId?: string): void
}

/** `held`: taken from what can be spent. `charged`: paid in the end. */
export type MoneyEvent = 'held' | 'charged'

export interface Telemetry {
  begin(work: Work): Observation
  countMoney(event: MoneyEvent, micros: Micros): void
}
