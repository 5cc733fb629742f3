// Answers of a wallet's earlier call, or of one that still runs. Only the wallet that paid gets them: data of the
// payment that its chain shows, with a body that can be guessed, is not enough.
import { type CallError, type ErrorCode, errorTable, fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { Payment, Payments } from '#money/payments/payments.ts'
import type { Settlements } from '#money/payments/settlement.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { Presented } from '#money/rails/rail.ts'
import { envelope, jobEnvelope, sessionEnvelope } from '../envelope.ts'
import type { Calls, StoredCall } from '../history/calls.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Challenges, Sale } from './challenges.ts'
import { settlementWaitMs, withRefund } from './order.ts'
import type { KeylessResponse } from './response.ts'

/** A request that may ask for an earlier answer. */
export interface Replayable extends Sale {
  readonly digest: Buffer
  readonly idempotencyKey: string | undefined
  /** Its stored answer is sent as it is, without an envelope. */
  readonly bare?: true
}

type Rejoining = Sale & Pick<Replayable, 'bare'>

export interface Replays {
  /**
   * Answers a payment that was accepted before: with its call's answer, to the same request only. Never runs it again.
   */
  present(known: Payment, presented: Presented, call: Replayable): Promise<KeylessResponse>
  /** Waits until the call of this payment ends, and gives its answer. */
  rejoin(known: Payment, call: Rejoining): Promise<KeylessResponse>
  /** The stored answer of a call with the receipt of its payment. Throws the failure that the call ended with. */
  answer(payment: Payment, replayed: boolean): Promise<KeylessResponse>
  /** The payment by this wallet, with this key, for the same request. */
  findByKey(wallet: string, key: string, call: Replayable): Promise<Payment | undefined>
  get(paymentId: string): Promise<Payment>
  /** Headers that tell of a settled payment. */
  receipt(payment: Payment): Readonly<Record<string, string>>
  /** The error for a call whose payment is not settled yet. */
  pending(payment: Payment): CallError
}

/** How long a request with a known payment waits for the call that it paid for. */
const joinWaitMs = 20_000
const joinPollIntervalMs = 200
const comeBackAfterSeconds = 2
const strangerMessage =
  'This payment was accepted before. To get its answer again, send the payment header exactly as it was first sent, with the Idempotency-Key of the first request if the payment echoed no challenge. Or sign in with the wallet and read the answer with the result action.'

interface Dependencies {
  calls: Calls
  payments: Payments
  settlements: Settlements
  rails: Pick<Rails, 'known'>
  challenges: Challenges
  clock: Clock
  /** The address at which a wallet polls its job without a payment. */
  statusUrl: (jobId: string) => string
  sessions: WalletSessions
}

/** What wallets need of the sessions. */
export interface WalletSessions {
  /** Whether this action opens sessions. */
  opens(action: string): boolean
  admit: Sessions['admit']
  whenOpen: Sessions['whenOpen']
}

export function createReplays(dependencies: Dependencies): Replays {
  const { payments } = dependencies
  const { challenge } = dependencies.challenges
  const answers = createStoredAnswers(dependencies)

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
    return await answers.rejoin(known, call)
  }

  /**
   * A settled payment can be read from its chain; its challenge cannot. An Idempotency-Key can often be guessed from
   * others, so it identifies the payer only where the payment echoed no challenge.
   */
  async function isItsPayer(known: Payment, presented: Presented, call: Replayable) {
    if (known.challengeId !== null) return known.challengeId === presented.challengeId
    const key = call.idempotencyKey ?? presented.identifier
    return key !== undefined && (await payments.hasKey(known, key))
  }

  const findByKey = (wallet: string, key: string, { demand, digest }: Replayable) =>
    payments.findByKey({
      wallet,
      idempotencyKey: key,
      action: demand.action,
      requestDigest: digest,
    })

  return { present, findByKey, ...answers }
}

/** Answers from the rows of a call and its payment. */
function createStoredAnswers(dependencies: Dependencies) {
  const { calls, payments, settlements, clock, rails, sessions, statusUrl } = dependencies
  const { challenge } = dependencies.challenges

  async function rejoin(known: Payment, call: Rejoining): Promise<KeylessResponse> {
    const until = clock.now() + joinWaitMs
    for (;;) {
      const payment = await get(known.id)
      const stored = await calls.find(known, known.callId)
      if (stored === undefined) throw fail('unavailable')
      const next = nextStep(stored, payment)
      if (next === 'answer') return await answer(payment, true, call)
      if (next === 'fail') throw storedFailure(stored)
      if (next === 'challenge') throw challenge('settlement_failed', call)
      if (next === 'settle') {
        const outcome = await settlements.settle(known.id, settlementWaitMs)
        if (outcome === 'pending') throw pending(payment)
        continue
      }
      if (clock.now() >= until)
        throw fail('payment_in_progress', { retryAfterSeconds: comeBackAfterSeconds })
      await clock.sleep(joinPollIntervalMs)
    }
  }

  async function answer(
    payment: Payment,
    replayed: boolean,
    { bare }: Pick<Replayable, 'bare'> = {},
  ): Promise<KeylessResponse> {
    const { callId, accountId } = payment
    const stored = await calls.find({ accountId }, callId)
    if (stored === undefined) throw fail('unavailable')
    const headers = receiptOf(rails, payment)
    if (sessions.opens(payment.action)) return await answerSession(payment, headers, replayed)
    if (stored.job)
      return { body: jobEnvelope(callId, undefined, statusUrl(callId)), headers, replayed }
    // After the call: what ends it without a charge owes the refund in the same transaction.
    const refund = await payments.refundOf(callId)
    if (stored.state === 'voided') throw withRefund(storedFailure(stored), callId, refund)
    if (stored.output === null) throw fail('unavailable')
    const { output, charged } = stored
    if (bare) return { body: output, headers, replayed }
    const body = envelope({ output, charged, transactionId: callId, refund })
    return { body, headers, replayed }
  }

  async function answerSession(
    { callId, accountId }: Payment,
    headers: Readonly<Record<string, string>>,
    replayed: boolean,
  ): Promise<KeylessResponse> {
    await sessions.whenOpen(callId)
    const stored = await calls.find({ accountId }, callId)
    if (stored?.state === 'voided')
      throw withRefund(storedFailure(stored), callId, await payments.refundOf(callId))
    return { body: sessionEnvelope(callId, undefined), headers, replayed }
  }

  async function get(paymentId: string): Promise<Payment> {
    const payment = await payments.get(paymentId)
    if (payment === undefined) throw fail('unavailable')
    return payment
  }

  const pending = (payment: Payment) => pendingError(rails, payment)
  const receipt = (payment: Payment) => receiptOf(rails, payment)
  return { rejoin, answer, get, pending, receipt }
}

function pendingError(
  rails: Pick<Rails, 'known'>,
  { rail, hash, payer, callId }: Payment,
): CallError {
  const headers =
    hash === null ? {} : (rails.known.get(rail)?.pendingReceipt?.({ hash, payer }) ?? {})
  return fail('payment_pending', {
    retryAfterSeconds: comeBackAfterSeconds,
    challenge: { headers, body: {} },
    transactionId: callId,
  })
}

type Step = 'answer' | 'fail' | 'challenge' | 'settle' | 'wait'

/** What a request that rejoins a call must do, given the call's state and its payment's. */
export function nextStep(
  stored: Pick<StoredCall, 'state' | 'error' | 'job'>,
  { state, charged }: Pick<Payment, 'state' | 'charged'>,
): Step {
  const isHeld = stored.state === 'held'
  // The call waits for the operator, so no request waits for it.
  if (isHeld && stored.error !== null) return 'fail'
  const settles = state === 'settling' || state === 'owed'
  if (settles && (charged !== null || stored.job)) return 'settle'
  if (stored.error === 'settlement_failed') return 'challenge'
  return !isHeld || (stored.job && state === 'settled') ? 'answer' : 'wait'
}

function receiptOf(rails: Pick<Rails, 'known'>, { state, rail, hash, payer, micros }: Payment) {
  if (state !== 'settled' || hash === null) return {}
  return rails.known.get(rail)?.receipt({ hash, payer, micros }) ?? {}
}

function storedFailure({ id, state, error, message }: StoredCall): CallError {
  const code =
    error !== null && Object.hasOwn(errorTable, error) ? (error as ErrorCode) : 'upstream_error'
  const data = state === 'held' ? { transaction_id: id } : undefined
  return fail(code, { message: message ?? undefined, data, transactionId: id })
}
