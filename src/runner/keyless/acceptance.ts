// What a presented payment is: one that was accepted before, another one by a wallet that has paid already, or a new
// one. A new one is claimed for its call, and from then on no other call accepts it.
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Quote } from '#core/price.ts'
import type { Payment, Payments } from '#money/payments/payments.ts'
import { PaymentRefusal, type Presented, type Rail, type Verified } from '#money/rails/rail.ts'
import type { Calls } from '../history/calls.ts'
import { holdRefusal } from '../run/hold-refusal.ts'
import type { Challenges } from './challenges.ts'
import { settlementMarginMs } from './order.ts'
import type { Replayable, Replays } from './replay.ts'
import type { PresentedPayment } from './request.ts'
import type { KeylessResponse } from './response.ts'

/** A hold outlives its call by this much, so that only a lost call ever meets it. */
export const holdMarginMs = 120_000

/** The answer of the call that an earlier payment has paid for. */
export interface EarlierAnswer {
  readonly earlier: Payment
  readonly answer: KeylessResponse
}

interface NewPayment {
  readonly payment: Verified
  readonly idempotencyKey: string | undefined
}

export interface Acceptance {
  /** Checks a payment. Throws a challenge for one that cannot pay. */
  examine(
    rail: Rail,
    presented: PresentedPayment,
    call: Replayable,
  ): Promise<EarlierAnswer | NewPayment>
  /**
   * Claims a payment for its call. Resolves to the id of the payment, or to the answer of the call that has claimed it,
   * or its key, at the same moment. Throws where the wallet may not make this call.
   */
  claim(
    payment: Verified,
    call: Replayable,
    claim: Parameters<Payments['claim']>[1],
    quote: Pick<Quote, 'kind' | 'micros'>,
  ): Promise<EarlierAnswer | { readonly paymentId: string }>
}

export function createAcceptance(dependencies: {
  calls: Pick<Calls, 'find'>
  payments: Pick<Payments, 'find' | 'claim'>
  challenges: Challenges
  replays: Replays
}): Acceptance {
  const { calls, payments, challenges, replays } = dependencies

  const again = async (earlier: Payment, presented: Presented, call: Replayable) => ({
    earlier,
    answer: await replays.present(earlier, presented, call),
  })
  const rejoin = async (earlier: Payment, call: Replayable) => ({
    earlier,
    answer: await replays.rejoin(earlier, call),
  })

  async function findAccepted({ claimKey }: Presented): Promise<Payment | undefined> {
    const known = await payments.find(claimKey)
    return known?.state === 'released' ? undefined : known
  }

  /** Undefined: the same payment was accepted meanwhile. */
  async function check(
    rail: Rail,
    presented: Presented,
    call: Replayable,
    { key, source }: { key: string | undefined; source: string },
  ): Promise<{ readonly payment: Verified; readonly paidBefore?: Payment } | undefined> {
    try {
      const payment = await rail.verify(presented, call.demand, source)
      const { wallet } = payment
      const paidBefore = key === undefined ? undefined : await replays.findByKey(wallet, key, call)
      if (paidBefore !== undefined) return { payment, paidBefore }
      await rail.simulate(payment)
      return { payment }
    } catch (thrown) {
      if (thrown instanceof PaymentRefusal && (await findAccepted(presented))) return undefined
      throw thrown
    }
  }

  return {
    async examine(rail, { header, source }, call) {
      const presented = await challenges.refusable(call, () => rail.parse(header))
      const known = await findAccepted(presented)
      if (known !== undefined) return await again(known, presented, call)
      const key = call.idempotencyKey ?? presented.identifier
      const checked = await challenges.refusable(call, () =>
        check(rail, presented, call, { key, source }),
      )
      if (checked === undefined) {
        const meanwhile = await findAccepted(presented)
        if (meanwhile === undefined) throw fail('unavailable')
        return await again(meanwhile, presented, call)
      }
      const { payment, paidBefore } = checked
      // The wallet has paid before and lost the answer. This payment is not taken.
      if (paidBefore !== undefined) return await rejoin(paidBefore, call)
      return { payment, idempotencyKey: key }
    },
    async claim(payment, call, claim, quote) {
      const claimed = await payments.claim(payment, claim)
      if (claimed.outcome === 'claimed') return { paymentId: claimed.paymentId }
      if (claimed.outcome === 'joined' || claimed.outcome === 'used')
        return await again(await replays.get(claimed.paymentId), payment, call)
      if (claimed.outcome !== 'replay')
        throw holdRefusal({ outcome: claimed.outcome, available: null }, quote)
      // The wallet has paid for this request under the same key at the same moment.
      const { paymentId } = (await calls.find({ accountId: claim.accountId }, claimed.callId)) ?? {}
      return await rejoin(await replays.get(paymentId ?? ''), call)
    },
  }
}

/** Whether a payment is settled before its call runs: it is large, or expires soon. */
export const isSettledFirst = (
  { micros, expiresAtMs }: Pick<Verified, 'micros' | 'expiresAtMs'>,
  { settleFirstMicros, nowMs }: { settleFirstMicros: Micros; nowMs: number },
): boolean => micros >= settleFirstMicros || expiresAtMs - nowMs < settlementMarginMs
