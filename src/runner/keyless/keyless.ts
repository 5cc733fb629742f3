// One call paid for by a wallet, from top to bottom: challenge, check the payment, claim it for this call, run the
// call, answer with a receipt. The same payment presented again gets the same answer.
import type { WalletCaller } from '#core/caller.ts'
import { defaultTimeoutMs } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { RailTerms } from '#core/pricing/describe-price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Channels } from '#money/payments/channels.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Settlements } from '#money/payments/settlement.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { Demand, RequestHeader } from '#money/rails/rail.ts'
import { envelope } from '../envelope.ts'
import type { CallRules } from '../execute/call-rules.ts'
import type { Executor } from '../execute/execute.ts'
import type { Calls } from '../history/calls.ts'
import { digestRequest } from '../idempotency.ts'
import type { RunFree } from '../run/free-call.ts'
import { type Challenges, createChallenges, type Sale } from './challenges.ts'
import { type AnswerChannelMessage, createChannelDesk } from './channel-desk.ts'
import { leastMicros, snapshotForPayer } from './channel-state.ts'
import { createPaidMeters, type MeteredRequest, type PaidMeter } from './metered.ts'
import type { Orders } from './order.ts'
import { createAnswerPaid } from './paid-call.ts'
import { createProofs } from './proofs.ts'
import { createReplays, type Replays, type WalletSessions } from './replay.ts'
import {
  demandOf,
  digestBody,
  exampleSale,
  type KeylessCall,
  type KeylessRequest,
  type PresentedPayment,
  readCall,
} from './request.ts'
import type { KeylessResponse } from './response.ts'
import { channelHeader } from './vouchers.ts'

export interface Keyless {
  /** The payment rails that are on: wallets can pay by them without an account. */
  readonly rails: readonly RailTerms[]
  /** Answers a paid call. Throws a challenge where there is no payment. */
  run(request: KeylessRequest): Promise<KeylessResponse>
  /** The meter of a request outside the catalog that a wallet pays for. */
  meter(request: MeteredRequest): PaidMeter
  /** Answers what a payer says about a payment channel besides calls. Undefined: the payment is not about one. */
  answerChannelMessage: AnswerChannelMessage
  /**
   * Headers that tell a wallet of its open payment channel, so that a client which has lost its memory goes on with it.
   * Throws a challenge that asks for proof of its address.
   */
  recallChannel(request: {
    readonly path: string
    readonly payment?: PresentedPayment | undefined
    readonly requestHeader: RequestHeader
  }): Promise<Readonly<Record<string, string>>>
  /** The wallet that requests its own data, which is free. Throws a challenge that asks for proof of its address. */
  identify(request: {
    readonly path: string
    readonly bodyText: string
    readonly payment?: PresentedPayment | undefined
  }): Promise<WalletCaller>
}

const probeMessage =
  'This is the price of the published example of this action. GET of this address describes all its prices in `price`. To run the action, send its parameters in the body and pay the challenge of that request.'

export function createKeyless(dependencies: {
  executor: Executor
  ledger: Ledger
  orders: Orders
  calls: Calls
  payments: Payments
  channels: Channels
  settlements: Settlements
  rails: Pick<Rails, 'definitions' | 'open' | 'known' | 'closed'>
  clock: Clock
  callsAtOnceMax: number
  /** From this price on a payment is settled before the action runs. */
  settleFirstMicros: Micros
  /** The address at which a wallet polls its job without a payment. */
  statusUrl: (jobId: string) => string
  sessions: WalletSessions
  runFree: RunFree
  rules: CallRules
}): Keyless {
  const { executor } = dependencies
  const { open } = dependencies.rails
  const challenges = createChallenges(dependencies.rails)
  const { railOf, challenge } = challenges
  const replays = createReplays({ ...dependencies, challenges })
  const proofs = createProofs({ ...dependencies, challenges })
  const answerPaid = createAnswerPaid({ ...dependencies, challenges, replays })
  const meter = createPaidMeters({ ...dependencies, challenges, replays })
  const read = createRead(executor, challenges)
  const answerAgain = createAnswerAgain({ ...dependencies, open, replays })

  /** The answer of a call that the signed-in wallet has paid for. Nothing is run. */
  async function readBack({ rail, header, source }: PresentedPayment, call: KeylessCall) {
    const { idempotencyKey: key } = call
    const signIn = open.get(rail)?.signIn
    if (signIn === undefined || key === undefined) throw challenge('payment_required', call)
    const prove = () => signIn.prove(header, call.demand, source)
    const { wallet } = await proofs.takeProof(call, prove)
    const earlier = await replays.findByKey(wallet, key, call)
    if (earlier === undefined) throw challenge('payment_required', call)
    return await replays.rejoin(earlier, call)
  }

  return {
    get rails() {
      return [...open.values()].map(({ terms }) => terms)
    },
    meter,
    answerChannelMessage: createChannelDesk(dependencies),
    async run(request) {
      let call: KeylessCall
      try {
        call = read(request)
      } catch (refusal) {
        return await answerAgain(request, refusal)
      }
      const { entry, payment } = request
      // An idempotency key alone gives no earlier answer: it does not show which wallet asks.
      if (payment === undefined) throw challenge('payment_required', call)
      const isFree = call.demand.micros === 0
      if (payment.signIn && !isFree) return await readBack(payment, call)
      const rail = railOf(payment.rail, call)
      if (!isFree) return await answerPaid(rail, payment, call)
      const caller = await proofs.prove(rail, payment, call)
      await executor.admit(entry, call.input, caller)
      const output = await dependencies.runFree(entry, call.input, caller)
      return { body: envelope({ output, charged: 0 }), headers: {}, replayed: false }
    },
    async recallChannel({ path, payment, requestHeader }) {
      const { demand, exact } = signInSale(path, '')
      const sale = { demand: { ...demand, voucherMicros: leastMicros }, exact, requestHeader }
      if (payment === undefined) throw challenge('payment_required', sale)
      const { accountId } = await proofs.prove(railOf(payment.rail, sale), payment, sale)
      const named = requestHeader(channelHeader)?.toLowerCase()
      const channel = await dependencies.channels.findOf(accountId, named)
      if (channel === undefined) return {}
      return open.get(channel.rail)?.channels?.recall(snapshotForPayer(channel)) ?? {}
    },
    async identify({ path, bodyText, payment }) {
      const sale = signInSale(path, bodyText)
      if (payment === undefined) throw challenge('payment_required', sale)
      return await proofs.prove(railOf(payment.rail, sale), payment, sale)
    },
  }
}

/** A refusal has a form that a paying client can read. A probe is told a price instead. */
function createRead(executor: Executor, { challenge, refusal }: Challenges) {
  return (request: KeylessRequest): KeylessCall => {
    try {
      return readCall(executor, request)
    } catch (thrown) {
      if (!request.isProbe) throw refusal(thrown, () => demandOf(request, 0))
      throw challenge('payment_required', exampleSale(executor, request), probeMessage)
    }
  }
}

/**
 * A call that is refused by now, because its price has risen above its ceiling, is answered if it was paid for before.
 */
function createAnswerAgain({
  open,
  payments,
  replays,
}: {
  open: Rails['open']
  payments: Payments
  replays: Replays
}) {
  return async (request: KeylessRequest, refusal: unknown): Promise<KeylessResponse> => {
    const { payment, idempotencyKey, requestHeader } = request
    const hasRisen = toCallError(refusal).code === 'max_cost_exceeded'
    if (!hasRisen || payment === undefined || payment.signIn) throw refusal
    const presented = await open
      .get(payment.rail)
      ?.parse(payment.header)
      .catch(() => undefined)
    if (presented === undefined) throw refusal
    const known = await payments.find(presented.claimKey)
    if (known === undefined || known.state === 'released') throw refusal
    const digest = digestRequest(request.body)
    if (!known.requestDigest.equals(digest)) throw refusal
    const demand = demandOf(request, known.micros)
    const call = { demand, exact: true, digest, idempotencyKey, requestHeader }
    return await replays.present(known, presented, call)
  }
}

function signInSale(path: string, bodyText: string): Sale {
  const demand: Demand = {
    action: path,
    path,
    description: 'Prove which wallet this is. Nothing is paid.',
    micros: 0,
    bodyDigest: digestBody(bodyText),
    timeoutMs: defaultTimeoutMs,
  }
  return { demand, exact: true }
}
