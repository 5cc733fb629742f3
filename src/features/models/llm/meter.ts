import type { AccountCaller } from '#core/caller.ts'
import type { Micros } from '#core/money.ts'

/**
 * Pays calls that are priced by the token: holds the worst case before the call is sent, then charges the actual cost.
 */
export interface Meter {
  /** Throws if the call is refused: balance, ceiling, limits of the key, daily cap, calls in flight. */
  open(call: MeteredCall): Promise<OpenedCall>
  /**
   * Ends a call. Charges at most the held amount, and nothing for a failed call. Throws if an answered call cannot be
   * charged any more: its answer must not tell a cost.
   */
  close(callId: string, end: MeteredEnd): Promise<void>
}

/** The meter of one call, which knows who pays for it. */
export interface CallMeter {
  open(call: Omit<MeteredCall, 'caller'>): Promise<OpenedCall>
  close(callId: string, end: Omit<MeteredEnd, 'caller'>): Promise<void>
}

/** Pays the call of an account. */
export const meterFor = (meter: Meter, caller: AccountCaller): CallMeter => ({
  open: (call) => meter.open({ ...call, caller }),
  close: (callId, end) => meter.close(callId, { ...end, caller }),
})

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
  /** Tokens that the call may use, for the limit of its key. */
  readonly tokens?: number | undefined
  /** Its row is in the database before it runs. */
  readonly needsRow?: boolean
  /** Present: the call is a job with this input, queued with its hold. */
  readonly job?: unknown
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
  /** Tokens that the call has used. */
  readonly tokens?: number | undefined
}
