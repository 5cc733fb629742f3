// What a plugin may add to calls. The definition of a plugin, in the room plugins, says what else it may add.
import type { ErrorCode } from '../errors.ts'
import type { Micros } from '../money.ts'

/** A call whose price is about to be held. */
export interface ProposedCall {
  /** An account that pays from its balance, or the account of a wallet. */
  readonly payer: 'account' | 'wallet'
  readonly accountId: string
  /** The API key of the call. A wallet has none. */
  readonly keyId: string | undefined
  /** `service/action`. */
  readonly action: string
  /** `exact`: charged on success, or less if less is delivered. `cap`: the most that can be charged. */
  readonly quote: { readonly kind: 'exact' | 'cap'; readonly micros: Micros }
  /** The actions that run inside it, as in a plan or a batch. */
  readonly orders: readonly string[]
}

/** Why a rule refuses a call: a code of the table of errors, and a sentence for the caller. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

export interface ReportedCall {
  readonly transactionId: string
  readonly accountId: string
  readonly keyId: string | undefined
  readonly action: string
  /** `voided`: it failed, and nothing was charged. */
  readonly state: 'settled' | 'voided'
  readonly chargedMicros: Micros
}

export interface CallHooks {
  /**
   * Asked before anything is held, and for a quote too. What it throws refuses the call, and is logged, and so is a
   * rule that takes longer than ten seconds: a rule that cannot be checked lets nothing through. A call that repeats a
   * paid one gets its answer even if the rule refuses.
   */
  beforeCall?(call: ProposedCall): Refusal | undefined | Promise<Refusal | undefined>
  /**
   * Told at least once of each call that has ended, by one of the gateways of the database, usually within a second.
   * A call is told again only if a gateway or the database stops meanwhile. What the hook throws is logged, and
   * changes nothing. It is given up after ten seconds.
   */
  afterCall?(call: ReportedCall): void | Promise<void>
}
