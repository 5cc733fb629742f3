// Pays upstreams that sell single requests. The operator's wallet pays at most once and never above a ceiling.
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { type Micros, microsToCents } from '#core/money.ts'
import type { HttpReply, SellerPayment } from '#core/ports.ts'

export type WalletProtocol = SellerPayment['protocol']

/** An offer in a seller's 402 that the wallet can pay. */
export interface SellerOffer {
  readonly micros: Micros
  /** Signs the payment without sending it. */
  sign(): Promise<SellerPayment>
}

/** The operator's wallet on one payment rail. */
export interface PayingWallet {
  readonly protocol: WalletProtocol
  /** The offers of a seller's 402 that it can pay. */
  read(demand: HttpReply): readonly SellerOffer[]
  close(): Promise<void>
}

export interface UpstreamWallet {
  readonly protocols: readonly WalletProtocol[]
  /** Why it does not pay by a protocol: settings of the operator that are not set. */
  readonly unset: ReadonlyMap<WalletProtocol, readonly string[]>
  /**
   * Signs a payment of the cheapest offer of a seller's 402. Throws `max_cost_exceeded` when that is above the ceiling,
   * `upstream_error` when there is none that the wallet can pay.
   */
  pay(demand: HttpReply, ceiling: Micros): Promise<SellerPayment>
  close(): Promise<void>
}

/** Of equally cheap offers, the one of the first wallet is paid. */
export function createUpstreamWallet(
  wallets: readonly PayingWallet[],
  unset: UpstreamWallet['unset'] = new Map(),
): UpstreamWallet {
  return {
    protocols: wallets.map(({ protocol }) => protocol),
    unset,
    async pay(demand, ceiling) {
      const offers = wallets.flatMap((wallet) => wallet.read(demand))
      const [cheapest] = offers.toSorted((one, other) => one.micros - other.micros)
      if (cheapest === undefined) {
        throw fail('upstream_error', {
          message: 'The seller takes no payment that this gateway can make. Nothing was bought.',
          data: { reason: 'provider_unpayable' },
        })
      }
      if (cheapest.micros > ceiling) throw aboveCeiling(cheapest.micros, ceiling)
      return await cheapest.sign()
    },
    close: async () => void (await Promise.all(wallets.map((wallet) => wallet.close()))),
  }
}

function aboveCeiling(micros: Micros, ceiling: Micros): CallError {
  const cents = microsToCents(micros, 'up')
  return fail('max_cost_exceeded', {
    message: `The seller asks for ${cents}¢, and no more than ${microsToCents(ceiling, 'down')}¢ may be paid. Nothing was bought.`,
    data: { price_cents: cents },
  })
}

/** Reasons of errors whose request did not reach the seller. */
const unsentReasons: readonly unknown[] = ['not_sent', 'circuit_open']

/** Whether a request with a payment did not reach its seller, so that nothing was paid. */
export function isUnsent(thrown: unknown): boolean {
  const { code, data } = toCallError(thrown)
  return code === 'upstream_error' && unsentReasons.includes(membersOf(data).reason)
}

/** Whether a request may have been paid for without an answer. */
export function isPaidInVain(thrown: unknown): boolean {
  const { code, data } = toCallError(thrown)
  return code === 'upstream_error' && membersOf(data).reason === 'paid'
}

/** The seller has the payment and gave no answer. Only the operator can find out what was bought. */
export function paidInVain(thrown: unknown): CallError {
  const { message } = toCallError(thrown)
  return fail('upstream_error', {
    message: 'The seller was paid and did not deliver.',
    data: { reason: 'paid' },
    cause: new Error(`A payment was sent. Then: ${message}`),
  })
}
