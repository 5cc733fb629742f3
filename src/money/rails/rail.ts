// A rail is a way in which a wallet pays: a protocol on the wire and a chain behind it. What is said here holds for each;
// what happens to a payment, and that it counts once, is the business of the rooms that use a rail.
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { RailTerms } from '#core/price.ts'
import {
  ChainUnavailable,
  type Progress,
  type RefusalReason,
  type SeenBlock,
} from '../chains/chain.ts'

/** The id of a rail's definition. Stored with each payment. */
export type RailId = string

/** A header of the current request, by its name in lower case. */
export type RequestHeader = (name: string) => string | undefined

/** What a payment must be for. Computed anew for each request, never read from one. */
export interface Demand {
  /** What is paid for: `service/action`, or another name that no action has. */
  readonly action: string
  /** Its path on this gateway. */
  readonly path: string
  /** For a person, in a few words. */
  readonly description: string
  /** 0: nothing is paid; the wallet proves who it is. */
  readonly micros: Micros
  /** RFC 9530 digest of the request's body, as it was sent. */
  readonly bodyDigest: string
  /** How long the call may take. */
  readonly timeoutMs: number
  /** Its answer may be one that was paid for before: a wallet may sign in for it instead of paying. */
  readonly readsBack?: boolean
  /** What the request may look like, for those who look for things to buy. */
  readonly discovery?: { readonly example: unknown; readonly inputSchema: object } | undefined
}

/** Proof that the caller owns a wallet. */
export interface WalletProof {
  /** Each proof counts once. */
  readonly claimKey: string
  readonly wallet: string
  readonly expiresAtMs: number
}

/** What a 402 tells those who can pay on this rail. */
export interface Offer {
  readonly headers: Readonly<Record<string, string>>
  /** Fields that join the JSON body, as text without braces; undefined when there are none. */
  readonly written: Uint8Array | undefined
}

/** A payment as it was presented; nothing of it is checked but its shape. */
export interface Presented {
  readonly rail: RailId
  /** What cannot be spent twice on the chain. */
  readonly claimKey: string
  /** The challenge that it answers, known to whom it was given alone. A payment that names none cannot be told from a copy. */
  readonly challengeId?: string
  /** As it came, for those who settle it. */
  readonly credential: string
  /** The payer's own name for the request, by which a repetition is known. */
  readonly identifier?: string
}

/** A payment that is what was demanded, as far as can be told without the chain. */
export interface Verified extends Presented {
  /** The address that pays, and that refunds go to. */
  readonly payer: string
  /** Who that is on this gateway: see `account.wallet`. */
  readonly wallet: string
  readonly micros: Micros
  /** Chain time after which it cannot be settled. */
  readonly expiresAtMs: number
}

/** A transaction that is ready to be sent, and may be sent again: it counts once on its chain. */
export interface PreparedTransaction {
  readonly raw: string
  readonly hash: string
  readonly gasNonce?: number
  /** The chain's head when it was signed. */
  readonly signedAtBlock?: number
}

/** A payment on its way. */
export interface SettlingPayment {
  readonly credential: string
  readonly raw: string
  readonly hash: string
  readonly signedAtBlock: number | null
  readonly expiresAtMs: number
}

/** What the chain says of a payment. `pending`: nothing certain yet; `dead`: it can never be settled, by its payer’s doing or not. */
export type ChainVerdict =
  | { readonly state: 'settled'; readonly hash: string; readonly block: number }
  | { readonly state: 'pending' }
  | {
      readonly state: 'dead'
      readonly reason: string
      readonly byPayer?: true
      /** The block that shows it: once that is final, so is the verdict. */
      readonly block: number
    }

/** A transfer of the rail's token. */
export interface TokenTransfer {
  readonly hash: string
  readonly block: number
  readonly from: string
  readonly to: string
  readonly micros: Micros
}

/** The chain beneath a rail, as far as the books are compared with it. */
export interface RailChain {
  readonly network: string
  readonly token: string
  readonly payTo: string
  readonly refundWallet: string | undefined
  /** The newest block, the newest that can never be taken back, and whether a block that was seen is there no more. */
  progress(seen?: SeenBlock): Promise<Progress>
  balanceOf(address: string): Promise<Micros>
  /** All transfers from, or to, an address in these blocks, both included. */
  transfers(filter: {
    readonly from?: string
    readonly to?: string
    readonly fromBlock: number
    readonly toBlock: number
  }): Promise<readonly TokenTransfer[]>
}

export interface RefundOrder {
  readonly id: string
  readonly payee: string
  readonly micros: Micros
  /** The chain's head when it was first signed. */
  readonly signedAtBlock: number | null
}

export interface SignedRefund extends PreparedTransaction {
  /** Chain time after which it cannot be mined, so that another may be signed. */
  readonly validUntilMs: number
}

export interface Rail {
  readonly id: RailId
  /** How the catalog and OpenAPI say that wallets can pay by it. */
  readonly terms: RailTerms
  readonly chain: RailChain
  /** Another way to prove who a wallet is, beside paying nothing. */
  readonly signIn?: { prove(header: string, demand: Demand, source: string): Promise<WalletProof> }
  /** Whether the client of this request wants a challenge of this rail. Absent: every client does. */
  isWanted?(header: RequestHeader): boolean
  /** Writes a challenge. It stores nothing: anyone may ask for any number. */
  offer(demand: Demand): Offer
  /** Headers of a 402 that cannot be paid on this rail, by which the protocol's clients can still read the reason. */
  decline?(demand: Demand, reason: string): Readonly<Record<string, string>>
  /** Throws a PaymentRefusal when the header does not hold a payment. */
  parse(header: string): Promise<Presented>
  /**
   * Throws a PaymentRefusal when it does not pay for what is demanded. What the chain must be asked for is limited by
   * `source`, which is where the request came from; beyond the limit it throws `rate_limited`.
   */
  verify(presented: Presented, demand: Demand, source: string): Promise<Verified>
  /** Asks the chain whether the payment would succeed now. Throws a PaymentRefusal, or `unavailable` when it cannot tell. */
  simulate(payment: Verified): Promise<void>
  /** Makes what will be sent. Nothing has moved when it resolves. Throws a PaymentRefusal when it would not succeed. */
  prepare(credential: string): Promise<PreparedTransaction>
  /**
   * Sends it, once more if need be; what the chain thinks of it, `inspect` tells. `lost`: this transaction can never be
   * carried out, although the payment can, so another is to be prepared. Throws a PaymentRefusal when it would not succeed
   * now; it may later.
   */
  send(payment: SettlingPayment): Promise<'sent' | 'lost'>
  /** What was prepared, and will never be sent, holds nothing up. */
  discard?(prepared: PreparedTransaction): Promise<void>
  inspect(payment: SettlingPayment): Promise<ChainVerdict>
  /** Headers of the answer to a call that was paid. */
  receipt(payment: {
    readonly hash: string
    readonly payer: string
    readonly micros: Micros
  }): Readonly<Record<string, string>>
  /** Headers of an answer while the payment is not known to be settled. */
  pendingReceipt?(payment: {
    readonly hash: string
    readonly payer: string
  }): Readonly<Record<string, string>>
  signRefund(order: RefundOrder): Promise<SignedRefund>
  /** `lost`: as with `send`, another is to be signed. */
  sendRefund(refund: { readonly id: string; readonly raw: string }): Promise<'sent' | 'lost'>
  /** Without `sent`, whether this refund is on the chain at all: it may have been sent before. */
  inspectRefund(
    order: RefundOrder,
    sent?: { readonly hash: string; readonly validUntilMs: number },
  ): Promise<ChainVerdict>
}

/** A payment that was refused. Nothing was taken; the caller learns the reason and gets a new challenge. */
export class PaymentRefusal extends Error {
  /** The payer did not cause the refusal. */
  readonly blameless: boolean
  constructor(reason: string, options: { cause?: unknown; blameless?: boolean } = {}) {
    super(reason, options)
    this.name = 'PaymentRefusal'
    this.blameless = options.blameless ?? false
  }
}

/** Refusals that the payer did not cause: a validity that ended, and a token that is paused. */
export const blameless: ReadonlySet<RefusalReason> = new Set(['expired', 'paused'])

/** For `.catch(...)`: when the chain cannot be asked, the payment may still be good, so the caller may repeat it. */
export function chainAway(error: unknown): never {
  if (!(error instanceof ChainUnavailable)) throw error
  throw fail('unavailable', {
    message:
      'The chain cannot be asked at this moment. Nothing was taken; repeat the request with the same payment.',
    retryAfterSeconds: 2,
    cause: error,
  })
}
