// The types that both chains share. Amounts are base units of a dollar token, which are micro-dollars. Times are whole
// seconds of the chain's clock. Addresses and hashes are in lower case.

export type Hex = `0x${string}`

/** Why a node or a token refused. The words are stable and safe to show. */
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

/** The node could not be asked, or its answer was lost. A transaction that was sent may or may not be on the chain. */
export class ChainUnavailable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ChainUnavailable'
  }
}

/** The node or the token refused. Nothing was sent. */
export class ChainRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(`The chain refuses: ${reason}.`)
    this.name = 'ChainRefusal'
    this.reason = reason
  }
}

export type SimulationResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: RefusalReason }

/** A transaction that is signed but not sent. Store it before you broadcast it. */
export interface SignedTransaction {
  readonly raw: Hex
  readonly hash: Hex
  /** The newest block at the time of signing. Search for its logs from here. */
  readonly signedAtBlock: bigint
}

/**
 * What a node did with a transaction. `known`: the node had it before. `refused` does not prove that the transaction is
 * dead: another node or a block may hold it (`nonce_too_low`, `nonce_used`).
 */
export type Broadcast =
  | { readonly outcome: 'accepted' | 'known' }
  | { readonly outcome: 'refused'; readonly reason: RefusalReason }

export interface Transfer {
  readonly token: Hex
  readonly from: Hex
  readonly to: Hex
  readonly amount: bigint
  /** The nonce of the authorization that this transfer carried out. */
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
  /** The newest final block. */
  readonly final: number
  /** The chain no longer holds the block that was seen before. */
  readonly reorganised: boolean
}

/** A transfer and its place on the chain. */
export interface BlockTransfer extends Transfer {
  readonly hash: Hex
  readonly block: number
}

export interface Head {
  readonly number: bigint
  readonly timestampS: number
}

/** What is wrong with a rail, in sentences for the operator. A rail with problems must not be offered. */
export interface SelfCheck {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** The node could not be asked, so the check found out nothing. */
  readonly away?: true
}

/** Numbers the transactions of the gas wallet. All replicas of a gateway share one lane. */
export interface NonceLane {
  /** The greater of the next number and `floor`, the chain's own count. No other caller gets the same number. */
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

const isHex = (text: string): text is Hex => text.startsWith('0x')

/** What is stored or sent as hexadecimal digits, for the libraries of chains. Throws for any other text. */
export function hexOf(text: string): Hex {
  if (!isHex(text)) throw new Error('The text is not hexadecimal: it does not begin with 0x.')
  return text
}

export const lowerCase = (hex: string): Hex => hex.toLowerCase() as Hex
