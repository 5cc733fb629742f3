// Brings payments that are on their way to their end: the chain has them, or never can. Whoever began it need not be
// there any more: what is to be sent was stored before it was sent, and sending it twice moves money once.
import type { ClientBase } from 'pg'
import type { Clock, Log } from '#core/ports.ts'
import { PaymentRefusal, type Rail, type RailId, type Settling } from '../rails/rail.ts'
import type { Payment, PaymentState, Payments } from './payments.ts'

export type SettlementOutcome = 'settled' | 'dead' | 'pending'

export interface Settlements {
  /** Settles a payment that is owed: sends it and waits for the chain, at most so long. `pending` is looked after later. */
  settle(paymentId: string, waitMs: number): Promise<SettlementOutcome>
  /** Looks after payments that nobody is waiting for. Resolves to the number that came to an end. */
  recover(): Promise<number>
  /** Whether this gateway is stopping: others go on with what is open. */
  readonly closed: boolean
  close(): Promise<void>
}

const recoveryIntervalMs = 2_000
/** A payment is looked after again once nobody has for so long. */
const unattendedAfterMs = 5_000
const paymentsPerRound = 50
const pollIntervalsMs = [50, 100, 200, 400, 1_000] as const

export function createSettlements(room: {
  payments: Payments
  rails: ReadonlyMap<RailId, Rail>
  clock: Clock
  log: Log
  /** Runs in the transaction that settles a payment. */
  onSettled: (payment: Payment, client: ClientBase) => Promise<void>
}): Settlements {
  const { payments, rails, clock, log } = room
  const stopping = new AbortController()
  const underway = new Map<string, Promise<SettlementOutcome>>()

  async function settle(paymentId: string, waitMs: number): Promise<SettlementOutcome> {
    const until = clock.now() + waitMs
    const ended = new AbortController()
    // One step alone may take longer than anybody waits: it goes on without them.
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

  /** Everybody who waits for a payment waits for the same step. */
  function advanceOnce(paymentId: string): Promise<SettlementOutcome> {
    const step =
      underway.get(paymentId) ?? advance(paymentId).finally(() => underway.delete(paymentId))
    underway.set(paymentId, step)
    return step
  }

  /** One step nearer to its end, from wherever the payment is. */
  async function advance(paymentId: string): Promise<SettlementOutcome> {
    try {
      const payment = await payments.attend(paymentId)
      const rail = payment && rails.get(payment.rail)
      if (payment === undefined) return 'dead'
      if (payment.state === 'owed' && rail !== undefined) {
        await begin(payment, rail)
        return await advance(paymentId)
      }
      const settling = payment.state === 'settling' ? readSettling(payment) : undefined
      if (settling !== undefined && rail !== undefined) return await follow(payment, settling, rail)
      return payment.state === 'owed' || payment.state === 'settling'
        ? 'pending'
        : endOf(payment.state)
    } catch (error) {
      // Nothing is known, so nothing is told: not that it failed, and never that it may be paid again.
      log.warn({ err: error, paymentId }, 'A payment is not settled yet; it goes on.')
      return 'pending'
    }
  }

  /** What is to be sent is stored before it is sent. */
  async function begin(payment: Payment, rail: Rail): Promise<void> {
    try {
      const signed = await rail.prepare(payment.credential ?? '')
      // Another gateway was first, or the call has come to nothing meanwhile.
      if (!(await payments.settling(payment.id, signed))) await rail.discard?.(signed)
    } catch (error) {
      if (!(error instanceof PaymentRefusal)) throw error
      // It would not succeed, and was not sent: it never will be.
      await payments.dead(payment.id, { reason: error.message, byPayer: !error.blameless })
    }
  }

  async function follow(
    payment: Payment,
    settling: Settling,
    rail: Rail,
  ): Promise<SettlementOutcome> {
    if ((await send(payment, settling, rail)) === 'lost') return 'pending'
    const verdict = await rail.inspect(settling)
    if (verdict.state === 'pending') return 'pending'
    if (verdict.state === 'settled') {
      return endOf(await payments.settled(payment.id, verdict, (c) => room.onSettled(payment, c)))
    }
    // It died by its payer's doing, too, when it was refused for that while there was time.
    const byPayer = verdict.byPayer ?? (await payments.get(payment.id))?.error != null
    return endOf(await payments.dead(payment.id, { reason: verdict.reason, byPayer }))
  }

  /** Sends it, and puts another in its place where it is lost. */
  async function send(payment: Payment, settling: Settling, rail: Rail): Promise<'sent' | 'lost'> {
    try {
      const sent = await rail.send(settling)
      if (sent === 'lost') {
        const signed = await rail.prepare(settling.credential)
        if (!(await payments.replace(payment.id, settling.raw, signed)))
          await rail.discard?.(signed)
      }
      return sent
    } catch (error) {
      // A node that does not take it, in whatever words, may still say what became of it.
      log.warn({ err: error, paymentId: payment.id }, 'A payment could not be sent now.')
      if (error instanceof PaymentRefusal && !error.blameless)
        await payments.refused(payment.id, error.message)
      return 'sent'
    }
  }

  async function recover(): Promise<number> {
    const unattended = await payments.unattended(unattendedAfterMs, paymentsPerRound)
    const outcomes = await Promise.all(unattended.map(({ id }) => advanceOnce(id)))
    return outcomes.filter((outcome) => outcome !== 'pending').length
  }

  const timer = setInterval(() => {
    recover().catch((error) => log.warn({ err: error }, 'Payments will be looked after again.'))
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

/** A payment that came to its end by other hands, or whose call was given up before anything was sent. */
function endOf(state: PaymentState): SettlementOutcome {
  return state === 'settled' ? 'settled' : 'dead'
}

/** What was sent for it, for as long as that is kept. */
export function readSettling(payment: Payment): Settling | undefined {
  if (payment.state !== 'settling' && payment.finality !== 'open') return undefined
  const { credential, raw, hash, signedAtBlock, expiresAt } = payment
  if (credential === null || raw === null || hash === null) return undefined
  return { credential, raw, hash, signedAtBlock, expiresAtMs: expiresAt.getTime() }
}
