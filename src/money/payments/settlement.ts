// Settles payments that are owed: sends them, and waits until the chain has them or never can. Any gateway can continue
// what another began: each transaction is stored before it is sent, and sending it twice moves money once.
import { LRUCache } from 'lru-cache'
import type { ClientBase } from 'pg'
import type { Clock, Log } from '#core/ports.ts'
import {
  type ChainVerdict,
  PaymentRefusal,
  type Rail,
  type RailId,
  type SettlingPayment,
} from '../rails/rail.ts'
import type { Payment, PaymentState, Payments } from './payments.ts'

export type SettlementOutcome = 'settled' | 'dead' | 'pending'

export interface Settlements {
  /**
   * Settles a payment that is owed, and waits at most this long. A payment that is `pending` then is continued later.
   */
  settle(paymentId: string, waitMs: number): Promise<SettlementOutcome>
  /** Continues payments that no gateway is working on. Resolves to the number that came to an end. */
  recover(): Promise<number>
  /** Whether this gateway is stopping. Other gateways continue what is open. */
  readonly closed: boolean
  close(): Promise<void>
}

const recoveryIntervalMs = 2_000
/** A payment that no gateway has worked on for this time is taken up again. */
const unattendedAfterMs = 5_000
const paymentsPerRound = 50
/** What was sent is sent again after this time, for as long as the chain does not show it. */
const resendAfterMs = 1_000
const sendsRememberedMax = 10_000
const pollIntervalsMs = [10, 20, 50, 100, 200, 400, 1_000] as const

interface Dependencies {
  readonly payments: Payments
  readonly rails: ReadonlyMap<RailId, Rail>
  readonly clock: Clock
  readonly log: Log
  /** What is to be done in the transaction that settles a payment, if anything. */
  readonly onSettled: (payment: Payment) => ((client: ClientBase) => Promise<void>) | undefined
}

/** What goes with them: when this gateway has last sent which payment. */
interface Following extends Dependencies {
  readonly sentAtMs: LRUCache<string, number>
}

export function createSettlements(given: Dependencies): Settlements {
  const { payments, clock, log } = given
  const dependencies = {
    ...given,
    sentAtMs: new LRUCache<string, number>({ max: sendsRememberedMax }),
  }
  const stopping = new AbortController()
  const underway = new Map<string, Promise<SettlementOutcome>>()

  /** All who wait for a payment wait for the same step. */
  function advanceOnce(paymentId: string): Promise<SettlementOutcome> {
    const step =
      underway.get(paymentId) ??
      advance(dependencies, paymentId).finally(() => underway.delete(paymentId))
    underway.set(paymentId, step)
    return step
  }

  async function settle(paymentId: string, waitMs: number): Promise<SettlementOutcome> {
    const until = clock.now() + waitMs
    const ended = new AbortController()
    // A single step may take longer than the caller waits. It then goes on without the caller.
    const late = clock.sleep(waitMs, ended.signal).catch(() => {})
    try {
      for (let attempt = 0; ; attempt += 1) {
        const outcome = (await Promise.race([advanceOnce(paymentId), late])) ?? 'pending'
        if (outcome !== 'pending') return outcome
        if (clock.now() >= until || stopping.signal.aborted) return 'pending'
        const delayMs = pollIntervalsMs[Math.min(attempt, pollIntervalsMs.length - 1)] ?? 0
        await clock.sleep(delayMs, stopping.signal).catch(() => {})
      }
    } finally {
      ended.abort()
    }
  }

  async function recover(): Promise<number> {
    const unattended = await payments.unattended(unattendedAfterMs, paymentsPerRound)
    const outcomes = await Promise.all(unattended.map(({ id }) => advanceOnce(id)))
    return outcomes.filter((outcome) => outcome !== 'pending').length
  }

  const timer = setInterval(() => {
    recover().catch((err) => log.warn({ err }, 'Could not continue payments; the next round will.'))
  }, recoveryIntervalMs).unref()

  return {
    settle,
    recover,
    get closed() {
      return stopping.signal.aborted
    },
    async close() {
      clearInterval(timer)
      stopping.abort()
    },
  }
}

/** What is to be done for a payment, by what is stored of it. */
type Step =
  | { readonly step: 'end'; readonly outcome: SettlementOutcome }
  /** Sign what will be sent, and store it. */
  | { readonly step: 'begin'; readonly rail: Rail }
  /** Send it, and ask the chain. */
  | { readonly step: 'follow'; readonly rail: Rail; readonly settling: SettlingPayment }

function nextStep(payment: Payment, rails: ReadonlyMap<RailId, Rail>): Step {
  const { state } = payment
  if (state !== 'owed' && state !== 'settling') return { step: 'end', outcome: endOf(state) }
  const rail = rails.get(payment.rail)
  if (rail !== undefined && state === 'owed') return { step: 'begin', rail }
  const settling = state === 'settling' ? readSettling(payment) : undefined
  return rail === undefined || settling === undefined
    ? { step: 'end', outcome: 'pending' }
    : { step: 'follow', rail, settling }
}

/** Brings a payment one step nearer to its end, wherever it is. */
async function advance(dependencies: Following, paymentId: string): Promise<SettlementOutcome> {
  const { payments, rails, log } = dependencies
  try {
    const payment = await payments.attend(paymentId)
    if (payment === undefined) return 'dead'
    const next = nextStep(payment, rails)
    if (next.step === 'end') return next.outcome
    if (next.step === 'follow') return await follow(dependencies, payment, next)
    const begun = await begin(payments, payment, next.rail)
    return begun === undefined
      ? await advance(dependencies, paymentId)
      : await follow(dependencies, payment, { rail: next.rail, settling: begun })
  } catch (error) {
    // Nothing is known, so the caller is told neither that it failed nor that it may be paid again.
    log.warn({ err: error, paymentId }, 'A payment is not settled yet; it is continued later.')
    return 'pending'
  }
}

/** A transaction is stored before it is sent. Undefined: nothing is to be sent here. */
async function begin(
  payments: Payments,
  payment: Payment,
  rail: Rail,
): Promise<SettlingPayment | undefined> {
  const { credential, expiresAt } = payment
  const terms = { credential: credential ?? '', micros: amountOf(payment) }
  try {
    const signed = await rail.prepare(terms.credential, terms.micros)
    if (await payments.settling(payment.id, signed)) {
      const { raw, hash, signedAtBlock = null } = signed
      return { ...terms, raw, hash, signedAtBlock, expiresAtMs: expiresAt.getTime(), isNew: true }
    }
    // Another gateway was first, or the call was given up meanwhile.
    await rail.discard?.(signed)
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error
    // It was not sent, and never will be.
    await payments.dead(payment.id, { reason: error.message, byPayer: !error.blameless })
  }
  return undefined
}

async function follow(
  dependencies: Following,
  payment: Payment,
  { rail, settling }: { rail: Rail; settling: SettlingPayment },
): Promise<SettlementOutcome> {
  const { clock, sentAtMs } = dependencies
  const sentBefore = sentAtMs.get(payment.id)
  if (sentBefore === undefined || clock.now() - sentBefore >= resendAfterMs) {
    sentAtMs.delete(payment.id)
    const sent = await send(dependencies, payment, settling, rail)
    if (sent === 'lost') return 'pending'
    if (sent === 'sent') sentAtMs.set(payment.id, clock.now())
  }
  return await conclude(dependencies, payment, await rail.inspect(settling))
}

/** Books what the chain says. */
async function conclude(
  { payments, onSettled }: Dependencies,
  payment: Payment,
  verdict: ChainVerdict,
): Promise<SettlementOutcome> {
  if (verdict.state === 'pending') return 'pending'
  if (verdict.state === 'settled') {
    return endOf(await payments.settled(payment.id, verdict, onSettled(payment)))
  }
  // The payer is to blame, too, if the chain refused the payment on their account while there was time.
  const byPayer = verdict.byPayer ?? (await payments.get(payment.id))?.error != null
  return endOf(await payments.dead(payment.id, { reason: verdict.reason, byPayer }))
}

/** Sends a payment. One that is lost is replaced by another transaction. */
async function send(
  { payments, log }: Dependencies,
  payment: Payment,
  settling: SettlingPayment,
  rail: Rail,
): Promise<'sent' | 'lost' | 'failed'> {
  try {
    const sent = await rail.send(settling)
    if (sent === 'lost') {
      const signed = await rail.prepare(settling.credential, settling.micros)
      if (!(await payments.replace(payment.id, settling.raw, signed))) await rail.discard?.(signed)
    }
    return sent
  } catch (error) {
    // A node that refuses the transaction may still know what became of the payment.
    log.warn({ err: error, paymentId: payment.id }, 'A payment could not be sent now.')
    if (error instanceof PaymentRefusal && !error.blameless)
      await payments.refused(payment.id, error.message)
    return 'failed'
  }
}

/** The outcome of a payment that has ended, here or in another gateway. */
function endOf(state: PaymentState): SettlementOutcome {
  return state === 'settled' ? 'settled' : 'dead'
}

/** What was sent for a payment, as long as it is stored. */
export function readSettling(payment: Payment): SettlingPayment | undefined {
  if (payment.state !== 'settling' && payment.finality !== 'open') return undefined
  const { credential, raw, hash, signedAtBlock, expiresAt } = payment
  if (credential === null || raw === null || hash === null) return undefined
  const micros = amountOf(payment)
  return { credential, raw, hash, signedAtBlock, expiresAtMs: expiresAt.getTime(), micros }
}

/** A rail may settle less than the payment allows. */
const amountOf = ({ settles, micros }: Payment) => settles ?? micros
