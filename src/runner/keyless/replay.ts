// Answers to a wallet's call that were given before, or are on their way. They are given again to the wallet that has paid,
// and to nobody else: what a chain shows of a payment, and a body that can be guessed, are not enough.
import { type CallError, type ErrorCode, errorTable, fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { Payment, Payments } from '#money/payments/payments.ts'
import type { Settlements } from '#money/payments/settlement.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { Presented } from '#money/rails/rail.ts'
import { envelope, jobEnvelope } from '../envelope.ts'
import type { Calls, StoredCall } from '../history/calls.ts'
import type { Challenges, Sale } from './challenges.ts'
import type { KeylessResponse } from './keyless.ts'
import { settlementWaitMs, withRefund } from './order.ts'

/** A request by which an earlier answer may be asked for. */
export interface Replayable extends Sale {
  readonly digest: Buffer
  readonly idempotencyKey: string | undefined
}

export interface Replays {
  /** A payment that was accepted before: its call's answer, for the same request; never a second run. */
  present(known: Payment, presented: Presented, call: Replayable): Promise<KeylessResponse>
  /** Waits for the call of this payment to end, and answers as it did. */
  rejoin(known: Payment, call: Sale): Promise<KeylessResponse>
  /** The stored answer of a call with the receipt of its payment, or the failure that it ended with. */
  answer(payment: Payment, replayed: boolean): Promise<KeylessResponse>
  /** The call that this wallet has paid for with this key, for the same request. */
  findByKey(wallet: string, key: string, call: Replayable): Promise<Payment | undefined>
  get(paymentId: string): Promise<Payment>
  /** The error of a call whose payment is not known to be settled. */
  pending(payment: Payment): CallError
}

/** How long a request that presents a payment again waits for the call that it paid for. */
const joinWaitMs = 20_000
const joinPollIntervalMs = 200
const comeBackAfterSeconds = 2
const strangerMessage =
  'This payment was accepted before. Its answer is given again to the header of the payment exactly as it was first sent; where that echoed no challenge, together with the Idempotency-Key of the first request. Or sign in with the wallet and read it back with the result action.'

export function createReplays(room: {
  calls: Calls
  payments: Payments
  settlements: Settlements
  rails: Pick<Rails, 'known'>
  challenges: Challenges
  clock: Clock
  /** Where a job of a wallet is polled without a payment. */
  statusUrl: (jobId: string) => string
}): Replays {
  const { calls, payments, settlements, clock } = room
  const { challenge } = room.challenges

  async function present(
    known: Payment,
    presented: Presented,
    call: Replayable,
  ): Promise<KeylessResponse> {
    const same = known.action === call.demand.action && known.requestDigest.equals(call.digest)
    if (!same) throw challenge('payment_already_used', call)
    if (!(await isItsPayer(known, presented, call))) {
      throw challenge('payment_already_used', call, strangerMessage)
    }
    return await rejoin(known, call)
  }

  /**
   * A settled payment can be read from its chain, its challenge cannot. An Idempotency-Key is often guessed from others: it tells
   * the payer only where the payment echoed no challenge.
   */
  async function isItsPayer(known: Payment, presented: Presented, call: Replayable) {
    if (known.challengeId !== null) return known.challengeId === presented.challengeId
    const key = call.idempotencyKey ?? presented.identifier
    return key !== undefined && (await payments.hasKey(known, key))
  }

  async function rejoin(known: Payment, call: Sale): Promise<KeylessResponse> {
    const until = clock.now() + joinWaitMs
    for (;;) {
      const payment = await get(known.id)
      const stored = await calls.find(known, known.callId)
      if (stored === undefined) throw fail('unavailable')
      // It waits for the operator, not for whoever asks.
      if (stored.state === 'held' && stored.error !== null) throw storedFailure(stored)
      const settles = payment.state === 'settling' || payment.state === 'owed'
      if (settles && (payment.charged !== null || stored.job)) {
        const outcome = await settlements.settle(known.id, settlementWaitMs)
        if (outcome === 'pending') throw pending(payment)
        continue
      }
      if (stored.error === 'settlement_failed') throw challenge('settlement_failed', call)
      if (stored.state !== 'held' || (stored.job && payment.state === 'settled')) {
        return await answer(payment, true)
      }
      if (clock.now() >= until)
        throw fail('payment_in_progress', { retryAfterSeconds: comeBackAfterSeconds })
      await clock.sleep(joinPollIntervalMs)
    }
  }

  async function answer(payment: Payment, replayed: boolean): Promise<KeylessResponse> {
    const { callId, accountId } = payment
    const stored = await calls.find({ accountId }, callId)
    if (stored === undefined) throw fail('unavailable')
    const headers = receiptOf(payment)
    if (stored.job) {
      return { body: jobEnvelope(callId, undefined, room.statusUrl(callId)), headers, replayed }
    }
    const refund = await payments.refundOf(callId)
    if (stored.state === 'voided') throw withRefund(storedFailure(stored), callId, refund)
    if (stored.output === null) throw fail('unavailable')
    const { output, charged } = stored
    const body = envelope({ output, charged, transactionId: callId, refund })
    return { body, headers, replayed }
  }

  const findByKey = (wallet: string, key: string, { demand, digest }: Replayable) =>
    payments.findByKey({
      wallet,
      idempotencyKey: key,
      action: demand.action,
      requestDigest: digest,
    })

  async function get(paymentId: string): Promise<Payment> {
    const payment = await payments.get(paymentId)
    if (payment === undefined) throw fail('unavailable')
    return payment
  }

  function receiptOf({ state, rail, hash, payer, micros }: Payment) {
    if (state !== 'settled' || hash === null) return {}
    return room.rails.known.get(rail)?.receipt({ hash, payer, micros }) ?? {}
  }

  function pending({ rail, hash, payer, callId }: Payment): CallError {
    const headers =
      hash === null ? {} : (room.rails.known.get(rail)?.pendingReceipt?.({ hash, payer }) ?? {})
    return fail('payment_pending', {
      retryAfterSeconds: comeBackAfterSeconds,
      challenge: { headers, body: {} },
      transactionId: callId,
    })
  }

  return { present, rejoin, answer, findByKey, get, pending }
}

function storedFailure({ id, state, error, message }: StoredCall): CallError {
  const code = error !== null && error in errorTable ? (error as ErrorCode) : 'upstream_error'
  const data = state === 'held' ? { transaction_id: id } : undefined
  return fail(code, { message: message ?? undefined, data, transactionId: id })
}
