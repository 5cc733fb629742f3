// Payment channels of a rail: a deposit on the chain backs many calls, and each call is paid by a voucher, which the
// payer signs without the chain.
import type { Micros } from '#core/money.ts'
import type { Hex } from '../chains/chain.ts'
import type { Demand, PreparedTransaction } from './rail.ts'

/** What the id of a channel is the hash of. Addresses and hashes in lower case. */
export interface ChannelDescriptor {
  readonly payer: Hex
  readonly payee: Hex
  readonly operator: Hex
  readonly token: Hex
  readonly salt: Hex
  /** Signs the vouchers. Zero: the payer does. */
  readonly authorizedSigner: Hex
  readonly expiringNonceHash: Hex
}

/** A signature under all that the gateway may take from a channel so far. */
export interface Voucher {
  readonly cumulativeMicros: Micros
  readonly signature: Hex
}

/** The payer's transaction that opens a channel, or adds to its deposit. */
export interface Funding {
  readonly raw: Hex
  readonly hash: Hex
  readonly micros: Micros
  readonly validUntilMs: number
}

/** A message of a payer about a channel. Everything that can be checked without the chain has been. */
export interface ChannelMessage {
  readonly action: 'open' | 'topUp' | 'voucher' | 'close'
  readonly channelId: string
  readonly descriptor: ChannelDescriptor
  /** The challenge that it answers. */
  readonly challengeId: string
  /** Absent in a top-up. */
  readonly voucher: Voucher | undefined
  /** In an opening and a top-up. */
  readonly funding: Funding | undefined
}

/** What a payer reads about its own channel, so that it can go on without its memory. */
export interface ChannelSnapshot {
  readonly channelId: string
  readonly descriptor: ChannelDescriptor
  readonly depositMicros: Micros
  /** The highest voucher. */
  readonly acceptedMicros: Micros
  readonly spentMicros: Micros
  /** What the next voucher must come to. */
  readonly requiredMicros: Micros
  /** Of the highest voucher. It can pay a call, so only its payer may read it. */
  readonly signature?: Hex | undefined
}

/** What the chain knows of a channel. */
export interface ChannelState {
  /** 0: there is no such channel, or it is closed. */
  readonly deposit: Micros
  /** The payer will take back what is left unless it is closed soon. */
  readonly closeRequested: boolean
}

export interface ChannelClose extends PreparedTransaction {
  readonly validUntilMs: number
}

export interface ChannelRail {
  /** A channel without a call for this time is closed. */
  readonly idleMsMax: number
  /**
   * Undefined: the payment has nothing to do with a channel. Without a demand it may be an answer to any challenge.
   * Throws a PaymentRefusal.
   */
  read(header: string, demand: Demand | undefined): Promise<ChannelMessage | undefined>
  /** Headers of a 402 for a payer who must renew the challenge of such a message. */
  challenge(path: string): Readonly<Record<string, string>>
  /** Headers by which a payer that has lost its memory goes on. */
  recall(snapshot: ChannelSnapshot): Readonly<Record<string, string>>
  /** Throws a PaymentRefusal when the chain would not carry out the transaction now. */
  simulate(funding: Funding): Promise<void>
  /** Sends a transaction; repeating this is safe. */
  send(raw: string): Promise<void>
  /** Undefined: no block holds it. */
  outcomeOf(
    hash: string,
  ): Promise<{ readonly succeeded: boolean; readonly block: number } | undefined>
  /** Whether no block can ever hold a transaction that is valid until then. */
  isPast(validUntilMs: number): Promise<boolean>
  stateOf(channelId: string): Promise<ChannelState>
  /** Signs the close that takes this much and returns the rest. */
  signClose(close: {
    readonly descriptor: ChannelDescriptor
    readonly acceptedMicros: Micros
    readonly capturedMicros: Micros
    readonly signature: Hex | undefined
  }): Promise<ChannelClose>
  /** How a channel was closed that is not there any more. Undefined: the chain does not say. */
  findClose(
    channelId: string,
  ): Promise<
    { readonly capturedMicros: Micros; readonly hash: string; readonly block: number } | undefined
  >
  /** What the payer is told with an answer. */
  receipt(receipt: ChannelReceipt): {
    readonly headers: Readonly<Record<string, string>>
    /** The same as an event at the end of a stream. */
    readonly event: string
  }
}

export interface ChannelReceipt {
  readonly challengeId: string
  readonly channelId: string
  readonly acceptedMicros: Micros
  readonly spentMicros: Micros
  /** The transaction that moved money. */
  readonly hash?: string | undefined
}
