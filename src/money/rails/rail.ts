// A rail is one way for a wallet to pay: a protocol on the wire and a chain behind it. This is the contract of every
// rail. The code that uses a rail follows each payment through its states and makes sure that it counts once.
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { RailTerms } from '#core/pricing/describe-price.ts'
import {
  ChainUnavailable,
  type Progress,
  type RefusalReason,
  type SeenBlock,
} from '../chains/chain.ts'
import type { GasReserve } from '../chains/gas-reserve.ts'
import type { ChannelRail, ChannelSnapshot } from './channel-rail.ts'

/** The id of a rail's definition. Stored with each payment. */
export type RailId = string

/** A header of the current request, by its name in lower case. */
export type RequestHeader = (name: string) => string | undefined

/** What a payment must pay for. Computed for each request, never read from one. */
export interface Demand {
  /** `service/action`, or a name that no action has. */
  readonly action: string
  /** Its path on this gateway. */
  readonly path: string
  /** A few words for people. */
  readonly description: string
  /** 0: the wallet pays nothing and proves its address. */
  readonly micros: Micros
  /** The call may cost less than this. */
  readonly isCap?: boolean
  /** RFC 9530 digest of the request's body as received. */
  readonly bodyDigest: string
  /** The longest duration of the call. */
  readonly timeoutMs: number
  /**
   * By how much a voucher of a payment channel must rise to pay for it. Absent: it is not sold by vouchers.
   */
  readonly voucherMicros?: Micros
  /** The channel that the payer has named. */
  readonly channel?: ChannelSnapshot | undefined
  /** The answer may have been paid for before, so a wallet may sign in instead of paying. */
  readonly readsBack?: boolean
  /** The shape of the request, for agents that search for things to buy. */
  readonly discovery?: { readonly example: unknown; readonly inputSchema: object } | undefined
}

/** Proof that the caller owns a wallet. */
export interface WalletProof {
  /** Identifies the proof, which counts once. */
  readonly claimKey: string
  readonly wallet: string
  readonly expiresAtMs: number
}

/** The part of a 402 that clients of this rail read. */
export interface Offer {
  readonly headers: Readonly<Record<string, string>>
  /** Fields that join the JSON body, as text without braces; undefined when there are none. */
  readonly written: Uint8Array | undefined
}

/** A payment as it was presented. Only its shape is checked. */
export interface Presented {
  readonly rail: RailId
  /** Identifies what the chain lets be spent only once. */
  readonly claimKey: string
  /**
   * The challenge that it answers, known only to its recipient. A payment without one is indistinguishable from a copy.
   */
  readonly challengeId?: string
  /** The header as received; settlement needs it. */
  readonly credential: string
  /** The payer's own id of the request, by which a repetition is recognised. */
  readonly identifier?: string
}

/** A payment that matches the demand, as far as can be checked without the chain. */
export interface Verified extends Presented {
  /** The address that pays and receives refunds. */
  readonly payer: string
  /** The payer's name on this gateway: see `account.wallet`. */
  readonly wallet: string
  readonly micros: Micros
  /** The chain time from which it cannot be settled. */
  readonly expiresAtMs: number
  /** Its rail can settle less than it allows, so that nothing is refunded. */
  readonly settlesActual?: true
}

/** A transaction that is ready to be sent. It may be sent repeatedly, because it counts once on its chain. */
export interface PreparedTransaction {
  readonly raw: string
  readonly hash: string
  readonly gasNonce?: number
  /** The chain's head when it was signed. */
  readonly signedAtBlock?: number
}

/** A payment whose transaction is signed and stored. */
export interface SettlingPayment {
  readonly credential: string
  readonly raw: string
  readonly hash: string
  readonly signedAtBlock: number | null
  readonly expiresAtMs: number
  /** What is settled. */
  readonly micros: Micros
  /** It was prepared just now and never sent, so the chain need not be asked for it first. */
  readonly isNew?: true
}

/** The state of a payment on the chain. `pending`: not certain yet. `dead`: it can never be settled. */
export type ChainVerdict =
  | { readonly state: 'settled'; readonly hash: string; readonly block: number }
  | { readonly state: 'pending' }
  | {
      readonly state: 'dead'
      readonly reason: string
      /** The payer caused it. */
      readonly byPayer?: true
      /** The block that shows it. The verdict is final when this block is. */
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

/** The part of a rail's chain with which the books are compared. */
export interface RailChain {
  readonly network: string
  readonly token: string
  readonly payTo: string
  readonly refundWallet: string | undefined
  /** The newest block, the newest final block, and whether a reorganisation removed the block that was seen. */
  progress(seen?: SeenBlock): Promise<Progress>
  balanceOf(address: string): Promise<Micros>
  /**
   * What the wallet can pay for that pays gas in the chain's coin. Absent: payers, refunds or a facilitator pay for it.
   */
  readonly gasReserve?: () => Promise<GasReserve>
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

/** How the payments of a protocol travel in messages of the Model Context Protocol instead of HTTP headers. */
export interface McpBinding {
  /** The member of a request's `_meta` that holds the payment. */
  readonly payment: string
  /** The header in which this payment would arrive over HTTP. Throws where it is not a payment at all. */
  headerOf(payment: unknown): string
  /** How a 402 with these headers is said. Empty where they hold no challenge of this protocol. */
  challenge(headers: Readonly<Record<string, string>>): McpChallenge
  /** Members of the `_meta` of an answer with these headers. */
  receipt(
    headers: Readonly<Record<string, string>>,
    payment: unknown,
  ): Readonly<Record<string, unknown>>
}

export interface McpChallenge {
  /** Members of the structured content. */
  readonly body?: object
  /** Members of the result's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** The JSON-RPC error that says the same, for a gateway that offers no other protocol. */
  readonly error?: { readonly code: number; readonly data: unknown }
}

export interface Rail {
  readonly id: RailId
  /** How the catalog and OpenAPI describe payment by this rail. */
  readonly terms: RailTerms
  readonly chain: RailChain
  /** Absent: the protocol has no binding, and its wallets pay over HTTP. */
  readonly mcp?: McpBinding
  /** Absent: the protocol has no payment channels, or this gateway has not set them up. */
  readonly channels?: ChannelRail
  /** A way to prove a wallet's address other than a payment of nothing. */
  readonly signIn?: { prove(header: string, demand: Demand, source: string): Promise<WalletProof> }
  /** Whether the client of this request wants a challenge of this rail. Absent: every client does. */
  isWanted?(header: RequestHeader): boolean
  /** Writes a challenge and stores nothing, because anyone may request any number of challenges. */
  offer(demand: Demand): Offer
  /** Headers of a 402 that cannot be paid on this rail. They let the protocol's clients read the reason. */
  decline?(demand: Demand, reason: string): Readonly<Record<string, string>>
  /** Throws a PaymentRefusal when the header does not hold a payment. */
  parse(header: string): Promise<Presented>
  /**
   * Throws a PaymentRefusal when the payment does not match the demand. Questions to the chain are limited for each
   * `source`, the origin of the request; beyond the limit it throws `rate_limited`.
   */
  verify(presented: Presented, demand: Demand, source: string): Promise<Verified>
  /**
   * Asks the chain whether the payment would succeed now. Throws a PaymentRefusal, or `unavailable` when it cannot
   * tell.
   */
  simulate(payment: Verified): Promise<void>
  /** Signs the transaction that settles this amount. Throws a PaymentRefusal when it would fail. */
  prepare(credential: string, micros: Micros): Promise<PreparedTransaction>
  /**
   * Sends the transaction; repeating this is safe. `inspect` tells its outcome. `lost`: this transaction can never be
   * carried out, but the payment can, so prepare another one. Throws a PaymentRefusal when the transaction would fail
   * now; it may succeed later.
   */
  send(payment: SettlingPayment): Promise<'sent' | 'lost'>
  /** Releases a transaction that was prepared and will never be sent. */
  discard?(prepared: PreparedTransaction): Promise<void>
  inspect(payment: SettlingPayment): Promise<ChainVerdict>
  /** Headers of the answer to a paid call. */
  receipt(payment: {
    readonly hash: string
    readonly payer: string
    readonly micros: Micros
  }): Readonly<Record<string, string>>
  /** Headers of an answer before the payment is known to be settled. */
  pendingReceipt?(payment: {
    readonly hash: string
    readonly payer: string
  }): Readonly<Record<string, string>>
  signRefund(order: RefundOrder): Promise<SignedRefund>
  /** `lost`: this transaction can never be carried out, so sign another one. */
  sendRefund(refund: { readonly id: string; readonly raw: string }): Promise<'sent' | 'lost'>
  /** Without `sent`, tells whether an earlier transaction of this refund is on the chain. */
  inspectRefund(
    order: RefundOrder,
    sent?: { readonly hash: string; readonly validUntilMs: number },
  ): Promise<ChainVerdict>
}

/** A payment was refused and nothing was taken. The caller receives the reason and a new challenge. */
export class PaymentRefusal extends Error {
  /** The payer did not cause the refusal. */
  readonly blameless: boolean
  constructor(reason: string, options: { cause?: unknown; blameless?: boolean } = {}) {
    super(reason, options)
    this.name = 'PaymentRefusal'
    this.blameless = options.blameless ?? false
  }
}

/** Refusals that the payer did not cause: an expired authorization, a paused token. */
export const blameless: ReadonlySet<RefusalReason> = new Set(['expired', 'paused'])

/** For `.catch(...)`: while the chain is unreachable the payment may still be valid, so the caller may repeat it. */
export function chainAway(error: unknown): never {
  if (!(error instanceof ChainUnavailable)) throw error
  throw fail('unavailable', {
    message:
      'The chain cannot be reached at the moment. Nothing was taken; repeat the request with the same payment.',
    retryAfterSeconds: 2,
    cause: error,
  })
}
