// What the ledger is asked to do with one call, and its answers.
import type { Micros } from '#core/money.ts'

export interface Hold {
  /** The call's id, made by the gateway: a hold sent twice is one hold. */
  readonly callId: string
  readonly accountId: string
  readonly keyId: string
  readonly action: string
  /** Whether it counts against the account's daily inference cap. */
  readonly inference?: boolean | undefined
  /** It asks no model and no vendor, so it costs the operator nothing, however it ends. */
  readonly costless?: boolean | undefined
  readonly micros: Micros
  /**
   * It is one of so many calls of the action that its account has free on a day of UTC, and holds nothing. Its row is
   * kept like that of a paid call.
   */
  readonly freePerDay?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly requestDigest?: Buffer | undefined
  /** After this time an unsettled hold is voided. */
  readonly lifetimeMs: number
  /** Whether it may run on a spend lease, so that it has no row before it has ended. */
  readonly mayUseLease?: boolean | undefined
  /**
   * Whether its caller is answered only when the disk of the books has it. Otherwise it is on file by then. A call with
   * an idempotency key always waits.
   */
  readonly waitsForBooks?: boolean | undefined
  /** Its amount is reserved on a spend lease: only its idempotency key is claimed. */
  readonly onLease?: boolean | undefined
  /** The limits of its key, as a text that changes when they do. Absent where the key has none. */
  readonly limits?: string | undefined
}

export interface Settlement {
  readonly callId: string
  readonly accountId: string
  readonly state: 'settled' | 'voided'
  readonly charged: Micros
  readonly cost?: Micros | undefined
  readonly error?: string | undefined
  readonly message?: string | undefined
  /** The stored answer, as JSON text. */
  readonly output?: string | undefined
  /** The hops, as JSON text. */
  readonly timeline?: string | undefined
}

export type HoldRefusal =
  | 'insufficient'
  | 'too_many_inflight'
  | 'key_invalid'
  | 'key_limit'
  /** The account has spent its inference of the day, or this call alone would. */
  | 'inference_cap'
  /** Its open calls and this one would exceed the inference cap if each cost its maximum. */
  | 'inference_busy'
  /** Its calls that ended without a charge have cost the operator as much today as they may. */
  | 'uncharged_cap'
  /** They have cost nearly as much, and as many calls are open as may be then. */
  | 'uncharged_busy'
  | 'action_not_allowed'
  /** Other calls have taken the last free call of the day. The call can be held at its price. */
  | 'free_calls_used'
  | 'mismatch'
  | 'in_progress'
  | 'expired'

/** A limit of an API key that a call would exceed. */
export interface KeyLimit {
  readonly period: 'call' | 'day' | 'month'
  readonly most: Micros
  /** What the key has spent in the period, and what its open calls hold. */
  readonly used: Micros
  /** When the period ends. Null for the limit of each call. */
  readonly resetsAt: Date | null
}

export type HoldOutcome =
  | { readonly outcome: 'held'; readonly available: Micros }
  | { readonly outcome: 'replay'; readonly available: Micros; readonly earlier: string }
  | {
      readonly outcome: HoldRefusal
      readonly available: Micros | null
      /** The call that has the idempotency key, where that is the reason. */
      readonly earlier?: string | null
      /** The limit that refused it, where that is the reason and is still so. */
      readonly keyLimit?: KeyLimit | undefined
    }

/** `gone`: the hold had been voided before, by its deadline; nothing is charged. */
export type SettleOutcome = { readonly outcome: 'done' | 'gone'; readonly available: Micros }

/** How long a caller waits for the end of a call to be in the books. */
export const settleWaitMsMax = 30_000
