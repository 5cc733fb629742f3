// What both chains have in common. Amounts are base units of a dollar token (a dollar has a million of them, as many as
// micro-dollars); times are whole seconds of the chain's clock; addresses and hashes are in lower case.

export type Hex = `0x${string}`

/** Why a node or a token said no. Stable words, safe to show. */
export type RefusalReason =
  | 'insufficient_balance'
  | 'nonce_used'
  | 'expired'
  | 'not_yet_valid'
  | 'invalid_signature'
  | 'blocked'
  | 'paused'
  | 'insufficient_gas'
  | 'fee_too_low'
  | 'nonce_too_low'
  | 'reverted'

/** The node could not be asked, or its answer was lost: whatever was asked may have happened or not. */
export class ChainUnavailable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ChainUnavailable'
  }
}

/** The node, or the token, said no. Nothing was sent. */
export class ChainRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(`The chain refuses: ${reason}.`)
    this.name = 'ChainRefusal'
    this.reason = reason
  }
}

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: RefusalReason }

/** A transaction that is signed and not sent: store it, then broadcast it. */
export interface SignedTransaction {
  readonly raw: Hex
  readonly hash: Hex
  /** The head when it was signed; look for its traces from here. */
  readonly signedAtBlock: bigint
}

/**
 * What came of handing a transaction to a node. `known`: it had it before. `refused` says what this node thinks now, and
 * is no proof that the transaction is dead: another node may have it, or a block (`nonce_too_low`, `nonce_used`).
 */
export type Broadcast =
  | { readonly outcome: 'accepted' | 'known' }
  | { readonly outcome: 'refused'; readonly reason: RefusalReason }

export interface Transfer {
  readonly token: Hex
  readonly from: Hex
  readonly to: Hex
  readonly amount: bigint
  /** Of the authorization that this very transfer carried out. */
  readonly authorizationNonce?: Hex
  readonly memo?: Hex
}

export interface Receipt {
  readonly hash: Hex
  readonly status: 'success' | 'reverted'
  readonly blockNumber: bigint
  readonly transfers: readonly Transfer[]
}

export interface SeenBlock {
  readonly number: number
  readonly hash: string
}

export interface Progress {
  readonly newest: SeenBlock
  /** The newest block that can never be taken back. */
  readonly final: number
  /** The block that was seen before is there no more. */
  readonly reorganised: boolean
}

/** A transfer, and where it stands. */
export interface BlockTransfer extends Transfer {
  readonly hash: Hex
  readonly block: number
}

export interface Head {
  readonly number: bigint
  readonly timestampS: number
}

/** What is wrong with a rail, in sentences for the operator. It must not be offered while there are problems. */
export interface SelfCheck {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Nothing could be asked, so nothing is known to be wrong. */
  readonly away?: true
}

/** Counts the transactions of the gas wallet, once for all replicas of a gateway. */
export interface NonceLane {
  /** The greater of the next number and `floor`, which is what the chain has counted; it is given to nobody else. */
  reserve(floor: number): Promise<number>
}

export function createMemoryNonceLane(): NonceLane {
  let next = 0
  return {
    async reserve(floor) {
      const number = Math.max(next, floor)
      next = number + 1
      return number
    },
  }
}

export const lowerCase = (hex: string): Hex => hex.toLowerCase() as Hex
