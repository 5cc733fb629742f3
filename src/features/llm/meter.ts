import type { AccountCaller } from '#core/caller.ts'
import type { Micros } from '#core/money.ts'

/** How a call by the token is paid: its worst case is held before anything is sent, and what it came to is charged. */
export interface Meter {
  /** Throws what refuses it: balance, ceiling, limits of the key, the daily cap, calls in flight. */
  open(call: MeteredCall): Promise<OpenedCall>
  /** Ends it. Charges at most what was held; what failed is charged nothing. */
  close(callId: string, end: MeteredEnd): Promise<void>
}

export interface MeteredCall {
  readonly caller: AccountCaller
  readonly action: string
  /** What it may cost at the most: what is held, or the first of the smaller amounts that is not refused. */
  readonly worstMicros: AsyncIterable<Micros>
  readonly maxCostMicros: Micros | undefined
  readonly idempotencyKey: string | undefined
  /** What must be the same for the same idempotency key. */
  readonly body: unknown
  readonly lifetimeMs: number
}

/** `replay`: the answer stored for this idempotency key. */
export type OpenedCall =
  | { readonly callId: string; readonly heldMicros: Micros; readonly replay?: undefined }
  | { readonly callId: string; readonly replay: string }

export interface MeteredEnd {
  readonly caller: AccountCaller
  readonly failed?: { readonly error: string; readonly message: string } | undefined
  readonly chargedMicros: Micros
  readonly costUsd?: number | undefined
  /** JSON text: the answer, kept for an idempotency key. */
  readonly output?: string | undefined
  readonly timeline: object
}
