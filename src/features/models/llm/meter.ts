import type { AccountCaller } from '#core/caller.ts'
import type { Micros } from '#core/money.ts'

/**
 * Pays calls that are priced by the token: holds the worst case before the call is sent, then charges the actual cost.
 */
export interface Meter {
  /** Throws if the call is refused: balance, ceiling, limits of the key, daily cap, calls in flight. */
  open(call: MeteredCall): Promise<OpenedCall>
  /** Ends a call. Charges at most the held amount, and nothing for a failed call. */
  close(callId: string, end: MeteredEnd): Promise<void>
}

export interface MeteredCall {
  readonly caller: AccountCaller
  readonly action: string
  /** Worst cases, the largest first. The first one that is not refused is held. */
  readonly worstMicros: AsyncIterable<Micros>
  readonly maxCostMicros: Micros | undefined
  readonly idempotencyKey: string | undefined
  /** Must be the same for the same idempotency key. */
  readonly body: unknown
  readonly lifetimeMs: number
}

/** `replay`: the answer stored for the idempotency key. */
export type OpenedCall =
  | { readonly callId: string; readonly heldMicros: Micros; readonly replay?: undefined }
  | { readonly callId: string; readonly replay: string }

export interface MeteredEnd {
  readonly caller: AccountCaller
  readonly failed?: { readonly error: string; readonly message: string } | undefined
  readonly chargedMicros: Micros
  readonly costMicros?: Micros | undefined
  /** The answer as JSON, stored for an idempotency key. */
  readonly output?: string | undefined
  readonly timeline: object
}
