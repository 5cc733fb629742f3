// One call paid for by a wallet, from top to bottom: challenge, check the payment, accept it once and for ever, run the
// order, answer with a receipt. Whoever presents the same payment again gets the same answer.
import type { WalletCaller } from '#core/caller.ts'
import { type CatalogEntry, defaultTimeoutMs, exampleBodyOf, inputSchemaOf } from '#core/catalog.ts'
import { fail, ofTransaction } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { needsCeiling, priceRange, type Quote, quotePrice, type RailTerms } from '#core/price.ts'
import type { Payment, Payments } from '#money/payments/payments.ts'
import type { SettlementOutcome, Settlements } from '#money/payments/settlement.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import {
  type Demand,
  PaymentRefusal,
  type Presented,
  type Rail,
  type RailId,
  type Verified,
} from '#money/rails/rail.ts'
import { envelope } from '../envelope.ts'
import { type Executor, openTrail } from '../execute/execute.ts'
import type { Calls } from '../history/calls.ts'
import { digestRequest } from '../idempotency.ts'
import { jobLifetimeMs, jobsAtOnceMax } from '../jobs/jobs.ts'
import { holdRefusal } from '../run/hold-refusal.ts'
import { createChallenges, type Sale } from './challenges.ts'
import { type Orders, settlementMarginMs, settlementWaitMs } from './order.ts'
import { createReplays, type Replayable } from './replay.ts'

export interface PresentedPayment {
  readonly rail: RailId
  /** The header that it came in. */
  readonly header: string
  /** It is no payment but a sign-in. */
  readonly signIn?: true
  /** Where it came from: what it makes the chain be asked for is limited by it. */
  readonly source: string
}

export interface KeylessRequest {
  readonly entry: CatalogEntry
  readonly body: unknown
  /** RFC 9530 digest of the body as it was sent. */
  readonly bodyDigest: string
  readonly idempotencyKey?: string | undefined
  readonly payment?: PresentedPayment | undefined
  /** The Accept-Payment header. */
  readonly acceptPayment?: string | undefined
  /** It has no body: who sends nothing to a priced action asks what it costs. */
  readonly empty?: boolean
  /** Where it was asked for, if not at the runner. */
  readonly path?: string
  /** The account that a top-up is for. */
  readonly topUpAccountId?: string | undefined
}

export interface KeylessResponse {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly replayed: boolean
}

export interface Keyless {
  /** The payment rails that are on: wallets can pay by them without an account. */
  readonly rails: readonly RailTerms[]
  /** Answers a paid call, or throws: a challenge where there is no payment, and what went wrong otherwise. */
  run(request: KeylessRequest): Promise<KeylessResponse>
  /** Which wallet wants something that is free but its own. Throws a challenge that is answered with a proof. */
  identify(request: {
    readonly path: string
    readonly bodyDigest: string
    readonly payment?: PresentedPayment | undefined
  }): Promise<WalletCaller>
}

const holdMarginMs = 120_000

interface Call extends Replayable {
  readonly request: KeylessRequest
  readonly input: unknown
  readonly quote: Quote
}

export function createKeyless(room: {
  executor: Executor
  orders: Orders
  calls: Calls
  payments: Payments
  settlements: Settlements
  rails: Pick<Rails, 'open' | 'known' | 'closed'>
  clock: Clock
  callsAtOnceMax: number
  /** From this price on a payment is settled before the action runs. */
  settleFirstMicros: Micros
  /** Where a job of a wallet is polled without a payment. */
  statusUrl: (jobId: string) => string
}): Keyless {
  const { executor, orders, calls, payments, settlements, clock } = room
  const { open } = room.rails
  const challenges = createChallenges(room.rails)
  const { railOf, challenge, refusable } = challenges
  const { present, rejoin, answer, findByKey, get, pending } = createReplays({
    ...room,
    challenges,
  })

  async function run(request: KeylessRequest): Promise<KeylessResponse> {
    const call = read(request)
    const { payment } = request
    // Whose answer it would be is not known, so none is given: the wallet that has paid shows who it is.
    if (payment === undefined) throw challenge('payment_required', call)
    if (payment.signIn && call.demand.micros > 0) return await readBack(payment, call)
    const rail = railOf(payment.rail, call)
    if (call.demand.micros > 0) return await runPaid(rail, payment, call)
    const caller = await prove(rail, payment, call)
    await executor.admit(request.entry, call.input, caller)
    const { output } = await executor.execute(request.entry, call.input, openTrail(caller))
    return { body: envelope({ output, charged: 0 }), headers: {}, replayed: false }
  }

  /** Reads a request; a client that pays can read a refusal, and one that sent nothing is told a price. Nothing is run. */
  function read(request: KeylessRequest): Call {
    try {
      return readCall(executor, request)
    } catch (thrown) {
      if (!request.empty || request.payment !== undefined) {
        throw challenges.refusal(thrown, () => demandOf(request, 0))
      }
      throw challenge('payment_required', exampleSale(executor, request), probeMessage)
    }
  }

  /** The answer of a call that was paid for, for its wallet, which signs in. Nothing is run. */
  async function readBack(
    { rail, header, source }: PresentedPayment,
    call: Call,
  ): Promise<KeylessResponse> {
    const { idempotencyKey: key } = call
    const signIn = open.get(rail)?.signIn
    if (signIn === undefined || key === undefined) throw challenge('payment_required', call)
    const proof = await refusable(call, () => signIn.prove(header, call.demand, source))
    if (!(await payments.useProof(proof.claimKey, proof.expiresAtMs))) {
      throw challenge('payment_already_used', call)
    }
    const earlier = await findByKey(proof.wallet, key, call)
    if (earlier === undefined) throw challenge('payment_required', call)
    return await rejoin(earlier, call)
  }

  /** A wallet may have what is its own for nothing, once it has proved that it is that wallet. Each proof counts once. */
  async function prove(
    rail: Rail,
    { header, signIn, source }: PresentedPayment,
    sale: Sale,
  ): Promise<WalletCaller> {
    const proof = await refusable(sale, async () =>
      signIn && rail.signIn !== undefined
        ? rail.signIn.prove(header, sale.demand, source)
        : rail.verify(await rail.parse(header), sale.demand, source),
    )
    if (!(await payments.useProof(proof.claimKey, proof.expiresAtMs))) {
      throw challenge('payment_already_used', sale)
    }
    return { kind: 'wallet', accountId: await payments.accountOf(proof.wallet) }
  }

  async function runPaid(
    rail: Rail,
    { header, source }: PresentedPayment,
    call: Call,
  ): Promise<KeylessResponse> {
    const presented = await refusable(call, () => rail.parse(header))
    const known = await findAccepted(presented)
    if (known !== undefined) return await present(known, presented, call)
    const idempotencyKey = call.idempotencyKey ?? presented.identifier
    const checked = await refusable(call, () =>
      check(rail, presented, call, { key: idempotencyKey, source }),
    )
    if (checked === undefined) {
      const meanwhile = await findAccepted(presented)
      if (meanwhile === undefined) throw fail('unavailable')
      return await present(meanwhile, presented, call)
    }
    // Its answer was lost on the way: this payment is not taken.
    if (checked.answered !== undefined) return await rejoin(checked.answered, call)
    return await accept(checked.payment, call, idempotencyKey)
  }

  /** Undefined: the very same payment was accepted meanwhile. */
  async function check(
    rail: Rail,
    presented: Presented,
    call: Call,
    { key, source }: { key: string | undefined; source: string },
  ): Promise<{ readonly payment: Verified; readonly answered?: Payment } | undefined> {
    try {
      const payment = await rail.verify(presented, call.demand, source)
      const answered = key === undefined ? undefined : await findByKey(payment.wallet, key, call)
      if (answered !== undefined) return { payment, answered }
      await rail.simulate(payment)
      return { payment }
    } catch (thrown) {
      if (thrown instanceof PaymentRefusal && (await findAccepted(presented))) return undefined
      throw thrown
    }
  }

  async function findAccepted({ claimKey }: Presented): Promise<Payment | undefined> {
    const known = await payments.find(claimKey)
    return known?.state === 'released' ? undefined : known
  }

  /** Claims the payment for this call. From here on it is never accepted for another. */
  async function accept(
    payment: Verified,
    call: Call,
    idempotencyKey: string | undefined,
  ): Promise<KeylessResponse> {
    const { request, input, quote, demand } = call
    const { entry } = request
    const isJob = entry.action.mode === 'job'
    const callId = uuidv7(clock.now())
    const accountId = await payments.accountOf(payment.wallet)
    const caller: WalletCaller = { kind: 'wallet', accountId }
    await executor.admit(entry, input, caller)
    if (isJob) await executor.ownJob(entry, caller, callId)
    const claim = await payments.claim(payment, {
      callId,
      accountId,
      action: entry.id,
      requestDigest: call.digest,
      idempotencyKey,
      lifetimeMs: isJob ? jobLifetimeMs(entry) : demand.timeoutMs + holdMarginMs,
      atOnceMax: isJob ? jobsAtOnceMax(entry) : room.callsAtOnceMax,
      jobInput: isJob ? JSON.stringify(input) : undefined,
      topUpAccountId: request.topUpAccountId,
    })
    if (claim.outcome === 'joined' || claim.outcome === 'used') {
      return await present(await get(claim.paymentId), payment, call)
    }
    if (claim.outcome === 'replay') {
      const { paymentId } = (await calls.find({ accountId }, claim.callId)) ?? {}
      return await rejoin(await get(paymentId ?? ''), call)
    }
    if (claim.outcome !== 'claimed')
      throw holdRefusal({ outcome: claim.outcome, available: null }, quote)

    const { paymentId } = claim
    const outcome = isJob
      ? await settleJob(paymentId)
      : await orders
          .run(
            {
              entry,
              input,
              quote,
              callId,
              accountId,
              paymentId,
              payableUntilMs: payment.expiresAtMs,
            },
            {
              settleFirst:
                request.topUpAccountId !== undefined ||
                (await settlesFirst(entry, payment, accountId)),
            },
          )
          .catch(ofTransaction(callId))
    return await respond(outcome, paymentId, call)
  }

  /** A job runs for longer than anybody waits: it is paid first, and queued by whoever sees its payment settled. */
  async function settleJob(paymentId: string): Promise<SettlementOutcome> {
    await payments.owed(paymentId)
    return await settlements.settle(paymentId, settlementWaitMs)
  }

  async function settlesFirst(
    { action, service }: CatalogEntry,
    payment: Verified,
    accountId: string,
  ): Promise<boolean> {
    // What is bought from a seller cannot be given back either.
    if (action.irrevocable || service.buys || payment.micros >= room.settleFirstMicros) return true
    if (payment.expiresAtMs - clock.now() < settlementMarginMs) return true
    return await payments.hasStrike(accountId)
  }

  async function respond(
    outcome: SettlementOutcome | 'free',
    paymentId: string,
    call: Call,
  ): Promise<KeylessResponse> {
    if (outcome === 'dead') throw challenge('settlement_failed', call)
    const payment = await get(paymentId)
    // Never a challenge while it is not certain that the payment is dead: who is challenged pays again.
    if (outcome === 'pending') throw pending(payment)
    return await answer(payment, false)
  }

  return {
    get rails() {
      return [...open.values()].map(({ terms }) => terms)
    },
    run,
    async identify({ path, bodyDigest, payment }) {
      const description = 'Prove which wallet this is. Nothing is paid.'
      const timeoutMs = defaultTimeoutMs
      const demand: Demand = { action: path, path, description, micros: 0, bodyDigest, timeoutMs }
      const sale: Sale = { demand, exact: true }
      if (payment === undefined) throw challenge('payment_required', sale)
      return await prove(railOf(payment.rail, sale), payment, sale)
    },
  }
}

/** Refuses what would be refused however it was paid: nobody is asked to pay for a call that cannot run. */
function readCall(executor: Executor, request: KeylessRequest): Call {
  const { entry, body } = request
  const { action } = entry
  const { input, maxCostMicros } = executor.validate(entry, body)
  const quote = quotePrice(action.price, input, maxCostMicros)
  const demand = demandOf(request, quote.micros)
  const exact = quote.kind === 'exact'
  return {
    request,
    input,
    quote,
    demand,
    exact,
    only: action.pay,
    acceptPayment: request.acceptPayment,
    idempotencyKey: request.idempotencyKey,
    digest: digestRequest(body),
  }
}

function demandOf({ entry, path, bodyDigest, idempotencyKey }: KeylessRequest, micros: Micros) {
  const { action, id } = entry
  return {
    action: id,
    path: path ?? `/api/run/${id}`,
    description: action.summary,
    micros,
    bodyDigest,
    timeoutMs: action.timeoutMs ?? defaultTimeoutMs,
    // Read when an offer is written, which is once for many calls.
    get discovery() {
      return { example: exampleBodyOf(action), inputSchema: inputSchemaOf(action) }
    },
    readsBack: idempotencyKey !== undefined,
  } satisfies Demand
}

const probeMessage =
  'This is what the published example of the action costs; `price` in GET of this address tells the rest. Send the parameters of your call in the body, and pay the challenge of that.'

/** What the action's published example costs: the price that is told where there is no call to price. */
function exampleSale(executor: Executor, request: KeylessRequest): Sale {
  const { entry, acceptPayment } = request
  const { input } = executor.validate(entry, exampleBodyOf(entry.action))
  const { price } = entry.action
  const { max } = priceRange(price, input)
  const demand = demandOf(request, max)
  const exact = !needsCeiling(price) && quotePrice(price, input).kind === 'exact'
  return { demand, exact, only: entry.action.pay, acceptPayment }
}
