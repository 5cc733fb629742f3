// Challenges for wallets that have not paid for a request: one for each rail that can express the price.
import { CallError, type ErrorCode, errorTable, fail, failWithoutStack } from '#core/errors.ts'
import { microsToUsd } from '#core/money.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import {
  type Demand,
  PaymentRefusal,
  type Rail,
  type RailId,
  type RequestHeader,
} from '#money/rails/rail.ts'

/** The facts about a request that its challenge states. */
export interface Sale {
  readonly demand: Demand
  /** The price is known before the call, not only its cap. */
  readonly exact: boolean
  /** The rails that it is sold by. Default: all that can express the price. */
  readonly only?: readonly RailId[] | undefined
  /** A header of the request. */
  readonly requestHeader?: RequestHeader | undefined
}

export interface Challenges {
  /** The rail that a payment came by. Throws a challenge where the sale cannot be paid by it. */
  railOf(id: RailId, sale: Sale): Rail
  /** The error with this code, and a way to pay. */
  challenge(code: ErrorCode, sale: Sale, message?: string): CallError
  /** The refusal of a call that has no price yet, in a form that a paying client can read. */
  refusal(thrown: unknown, demand: () => Demand): unknown
  /** Runs `read`. A payment that it refuses becomes a new challenge. */
  refusable<Result>(sale: Sale, read: () => Promise<Result>): Promise<Result>
}

const comeBackAfterSeconds = 5

export function createChallenges({
  definitions,
  open,
  closed,
}: Pick<Rails, 'definitions' | 'open' | 'closed'>): Challenges {
  const notSellableCode = (id: RailId): ErrorCode =>
    definitions.get(id)?.notSellableCode ?? 'payment_invalid'

  function challenge(code: ErrorCode, sale: Sale, message?: string): CallError {
    const payable = railsFor(open, sale)
    const { requestHeader = () => undefined } = sale
    const wanted = payable.filter((rail) => rail.isWanted?.(requestHeader) ?? true)
    // A client that accepts none of them still receives all challenges.
    const offers = (wanted.length > 0 ? wanted : payable).map((rail) => rail.offer(sale.demand))
    if (offers.length === 0) return fail('invalid_token')
    const declines = [...open.values()]
      .filter((rail) => !payable.includes(rail))
      .map((rail) => rail.decline?.(sale.demand, errorTable[notSellableCode(rail.id)].message))
    const headers = [...declines, ...offers.map((offer) => offer.headers)]
    const written = offers.flatMap((offer) => offer.written ?? [])
    return failWithoutStack(code, {
      message,
      challenge: {
        headers: Object.assign({ 'cache-control': 'no-store' }, ...headers),
        body: { price_usd: microsToUsd(sale.demand.micros) },
        written,
      },
    })
  }

  return {
    railOf(id, sale) {
      const rail = railsFor(open, sale).find((other) => other.id === id)
      if (rail !== undefined) return rail
      // The payment may be on its way, and a challenged wallet would pay again.
      if (closed.has(id)) {
        throw fail('unavailable', {
          message: `The chain of ${id} is unavailable at the moment. Repeat the same request with the same payment. Do not pay again.`,
          retryAfterSeconds: comeBackAfterSeconds,
        })
      }
      throw challenge(notSellableCode(id), sale)
    },
    challenge,
    refusal(thrown, demandOf) {
      if (!(thrown instanceof CallError) || thrown.status !== 402) return thrown
      const { code, message, data } = thrown
      // Clients treat any 402 as a request to pay, but a ceiling is set by the caller.
      if (code === 'max_cost_exceeded') return fail(code, { message, data, status: 400 })
      const demand = demandOf()
      const declines = [...open.values()].map((rail) => rail.decline?.(demand, message))
      const headers = Object.assign({ 'cache-control': 'no-store' }, ...declines)
      return fail(code, { message, data, challenge: { headers, body: {} } })
    },
    async refusable(sale, read) {
      try {
        return await read()
      } catch (thrown) {
        if (!(thrown instanceof PaymentRefusal)) throw thrown
        const message = `${thrown.message} Nothing was charged. Answer one of the new challenges.`
        throw challenge('payment_invalid', sale, message)
      }
    },
  }
}

/** The open rails that can express the price of a sale. A proof that costs nothing may come by any of them. */
function railsFor(open: Rails['open'], { demand, exact, only }: Sale): Rail[] {
  return [...open.values()].filter(
    ({ id, terms }) =>
      (only === undefined || demand.micros === 0 || only.includes(id)) &&
      (exact || !terms.exactOnly),
  )
}
