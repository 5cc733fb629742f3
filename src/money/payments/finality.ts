// Watches the chain until a payment or refund is final. After a reorganisation everything that is not final is looked
// for at once; what is missing is sent again, a payment that can never return is booked as a loss, and a refund is owed
// again. Several gateways may watch at once: each step counts once.
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import type { SeenBlock } from '../chains/chain.ts'
import type { Rail, RailId, SettlingPayment } from '../rails/rail.ts'
import {
  createFinalityRecords,
  type FinalityRecords,
  type Watched,
  type WatchedRefund,
} from './finality-records.ts'
import { judgePayment, judgeRefund, type Outlook, type PaymentStep } from './finality-rules.ts'
import type { Payment, Payments } from './payments.ts'
import { readSettling } from './settlement.ts'

export interface Finality {
  /** Looks at the chains once. Resolves to the number of payments and refunds that became final, lost or owed again. */
  watch(): Promise<number>
  close(): Promise<void>
}

const watchIntervalMs = 2_000

interface Dependencies {
  readonly records: FinalityRecords
  readonly payments: Payments
  readonly log: Log
}

export function createFinality({
  database,
  payments,
  rails,
  log,
}: {
  readonly database: Database
  readonly payments: Payments
  readonly rails: ReadonlyMap<RailId, Rail>
  readonly log: Log
}): Finality {
  const records = createFinalityRecords(database)
  const dependencies: Dependencies = { records, payments, log }
  const seen = new Map<RailId, SeenBlock>()

  async function watchRail(id: RailId): Promise<number> {
    const rail = rails.get(id)
    if (rail === undefined) return 0
    const { newest, final, reorganised } = await rail.chain.progress(seen.get(id))
    if (reorganised || !seen.has(id)) await records.checkAllNow(id)
    seen.set(id, newest)
    const outlook = { final, newest: newest.number }
    const taken = await records.takePayments(id)
    const found = await Promise.all(taken.map((paymentId) => payments.get(paymentId)))
    const open = found.filter((payment) => payment?.finality === 'open') as Payment[]
    const ended = await Promise.all([
      ...open.map((payment) => watchPayment(dependencies, payment, rail, outlook)),
      ...(await records.takeRefunds(id)).map((refund) =>
        watchRefund(dependencies, refund, rail, outlook),
      ),
    ])
    return ended.filter(Boolean).length
  }

  async function watch(): Promise<number> {
    const ended = await Promise.all((await records.rails()).map(watchRail))
    return ended.reduce((sum, count) => sum + count, 0)
  }

  const recurring = runEvery(watchIntervalMs, watch, (err) =>
    log.warn({ err }, 'Could not check whether payments are final; the next check will.'),
  )
  return { watch, close: recurring.close }
}

/** Resolves to whether it came to an end: final or lost. */
async function watchPayment(
  dependencies: Dependencies,
  payment: Payment,
  rail: Rail,
  outlook: Outlook,
): Promise<boolean> {
  try {
    const settling = readSettling(payment)
    if (settling === undefined) throw new Error('The transaction of the payment is not stored.')
    const step = judgePayment(payment, await rail.inspect(settling), outlook)
    return await takePaymentStep(dependencies, { payment, settling, rail }, step)
  } catch (err) {
    dependencies.log.warn(
      { err, paymentId: payment.id },
      'Could not check a payment; it is checked later.',
    )
    return false
  }
}

async function takePaymentStep(
  { records, payments, log }: Dependencies,
  { payment, settling, rail }: { payment: Payment; settling: SettlingPayment; rail: Rail },
  step: PaymentStep,
): Promise<boolean> {
  const { id, callId, micros } = payment
  switch (step.step) {
    case 'final':
      await records.final('payment', id, step)
      return true
    case 'recheck':
      await records.recheck('payment', id, step)
      return false
    case 'missing':
      await records.missing('payment', id)
      if (step.alert) alertRemoved(log, 'payment', id)
      if (step.action === 'send') await resend(payments, id, settling, rail)
      return false
    case 'dead':
      await records.dead(id, step.sinceBlock)
      return false
    case 'lost': {
      const lost = await records.lost(id, step)
      if (lost)
        log.error(
          { paymentId: id, callId, micros, reason: step.reason },
          'Operator alert: a settled payment is lost. GET /api/v1/admin/treasury lists it.',
        )
      return lost
    }
  }
}

/** Sends a payment again, by another transaction where the first can never be carried out. */
async function resend(
  payments: Payments,
  paymentId: string,
  settling: SettlingPayment,
  rail: Rail,
) {
  if ((await rail.send(settling)) === 'sent') return
  const signed = await rail.prepare(settling.credential, settling.micros)
  if (!(await payments.replace(paymentId, settling.raw, signed))) await rail.discard?.(signed)
}

/** Resolves to whether it came to an end: final, or owed again. */
async function watchRefund(
  { records, log }: Dependencies,
  refund: WatchedRefund,
  rail: Rail,
  outlook: Outlook,
): Promise<boolean> {
  const { id, raw, hash, validUntil } = refund
  try {
    const sent = { hash, validUntilMs: validUntil?.getTime() ?? 0 }
    const step = judgeRefund(refund, await rail.inspectRefund(refund, sent), outlook)
    if (step.step === 'final') {
      await records.final('refund', id, step)
      return true
    }
    if (step.step === 'recheck') {
      await records.recheck('refund', id, step)
      return false
    }
    await records.missing('refund', id)
    if (step.alert) alertRemoved(log, 'refund', id)
    if (step.action === 'wait') return false
    if (step.action === 'send' && (await rail.sendRefund({ id, raw: raw ?? '' })) === 'sent')
      return false
    return await records.reopenRefund(id, hash)
  } catch (err) {
    log.warn({ err, refundId: id }, 'Could not check a refund; it is checked later.')
    return false
  }
}

function alertRemoved(log: Log, table: Watched, id: string) {
  log.error(
    { [`${table}Id`]: id },
    `Operator alert: a reorganisation removed the block of a ${table}; the ${table} is sent again.`,
  )
}
