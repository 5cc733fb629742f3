// Watches what the chain has until it can never be taken back. A block that was seen and is there no more makes everything
// that is not final be looked for at once; what is gone is sent again, and what can never come back is a loss, or, of a
// refund, owed again. Several gateways may do this at once: each step counts once.
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { ChainVerdict, Rail, RailId, RefundOrder, SeenBlock } from '../rails/rail.ts'
import type { Payment, Payments } from './payments.ts'
import { readSettling } from './settlement.ts'

export interface Finality {
  /** Looks at the chains once. Resolves to the number of payments and refunds that became final, lost or owed again. */
  watch(): Promise<number>
  close(): Promise<void>
}

const watchIntervalMs = 2_000
const checkedPerRound = 50
/** A payment or refund that is taken up is left to this gateway for so long. */
const leaseSeconds = 30
/** Without a reorganisation it is looked for seldom. */
const checkIntervalSeconds = 120
/** Nodes behind one address need not know the same newest block, so once is not enough. */
const timesMissingBeforeSending = 2

/** The chain as one round sees it. */
interface Outlook {
  readonly rail: Rail
  readonly newest: number
  readonly final: number
}

interface WatchedRefund extends RefundOrder {
  readonly rail: RailId
  readonly raw: string | null
  readonly hash: string
  readonly validUntil: Date | null
  readonly timesMissing: number
}

export function createFinality(room: {
  database: Database
  payments: Payments
  rails: ReadonlyMap<RailId, Rail>
  clock: Clock
  log: Log
}): Finality {
  const { database, payments, rails, log } = room
  const seen = new Map<RailId, SeenBlock>()

  async function watch(): Promise<number> {
    const open = await database.query<{ rail: RailId }>(
      `select distinct rail from payment where finality = 'open' union select distinct rail from refund where finality = 'open'`,
    )
    const ended = await Promise.all(open.map(({ rail: id }) => watchRail(id)))
    return ended.reduce((sum, count) => sum + count, 0)
  }

  async function watchRail(id: RailId): Promise<number> {
    const rail = rails.get(id)
    if (rail === undefined) return 0
    const { newest, final, reorganised } = await rail.chain.progress(seen.get(id))
    if (reorganised || !seen.has(id)) await checkAllNow(id)
    seen.set(id, newest)
    const outlook = { rail, final, newest: newest.number }
    const ended = await Promise.all([
      ...(await duePayments(id)).map((payment) => watchPayment(payment, outlook)),
      ...(await dueRefunds(id)).map((refund) => watchRefund(refund, outlook)),
    ])
    return ended.filter(Boolean).length
  }

  async function checkAllNow(id: RailId) {
    for (const table of ['payment', 'refund'])
      await database.query(
        `update ${table} set next_check_at = now() where finality = 'open' and rail = $1`,
        [id],
      )
  }

  async function duePayments(id: RailId): Promise<Payment[]> {
    const ids = await take('payment', id)
    const found = await Promise.all(ids.map((paymentId) => payments.get(paymentId)))
    return found.filter((payment) => payment?.finality === 'open') as Payment[]
  }

  async function dueRefunds(id: RailId): Promise<WatchedRefund[]> {
    return await database.query<WatchedRefund>(
      `select id, rail, payee, micros, raw_tx as raw, tx_hash as hash, valid_until as "validUntil",
         signed_at_block as "signedAtBlock", times_missing as "timesMissing"
       from refund where finality = 'open' and id = any($1)`,
      [await take('refund', id)],
    )
  }

  /** Those whose time to be looked for has come. */
  async function take(table: 'payment' | 'refund', id: RailId): Promise<string[]> {
    const rows = await database.query<{ id: string }>(
      `update ${table} set next_check_at = now() + $2 * interval '1 second' where id in (
         select id from ${table} where finality = 'open' and rail = $1 and next_check_at <= now()
         order by next_check_at limit $3 for update skip locked)
       returning id`,
      [id, leaseSeconds, checkedPerRound],
    )
    return rows.map((row) => row.id)
  }

  async function watchPayment(payment: Payment, outlook: Outlook): Promise<boolean> {
    const { rail } = outlook
    try {
      const settling = readSettling(payment)
      if (settling === undefined) throw new Error('What was sent for it is not stored.')
      const verdict = await rail.inspect(settling)
      if (verdict.state === 'settled') return await there('payment', payment.id, verdict, outlook)
      if (verdict.state === 'dead') return await gone(payment, verdict, outlook)
      if (await missing('payment', payment)) await resend(payment, rail)
    } catch (err) {
      log.warn({ err, paymentId: payment.id }, 'Whether a payment is final is asked again later.')
    }
    return false
  }

  /** It is on the chain: for good, or to be looked for again. */
  async function there(
    table: 'payment' | 'refund',
    id: string,
    { hash, block }: { hash: string; block: number },
    { newest, final }: Outlook,
  ): Promise<boolean> {
    if (block <= final) {
      await database.query(`select ${table}_final($1, $2, $3)`, [id, hash, block])
      return true
    }
    await database.query(
      `update ${table} set tx_hash = $2, settled_block = $3, times_missing = 0,
         ${table === 'payment' ? 'dead_since_block = null,' : ''} next_check_at = now() + $4 * interval '1 second'
       where id = $1 and finality = 'open'`,
      // A block that came during this round is not among those whose loss would be noticed.
      [id, hash, block, block > newest ? 0 : checkIntervalSeconds],
    )
    return false
  }

  /** Counts that it is not there. Resolves to whether that is certain enough to act. */
  async function missing(
    table: 'payment' | 'refund',
    { id, timesMissing }: { id: string; timesMissing: number },
  ): Promise<boolean> {
    await database.query(
      `update ${table} set times_missing = times_missing + 1, next_check_at = now() where id = $1 and finality = 'open'`,
      [id],
    )
    const times = timesMissing + 1
    if (times === timesMissingBeforeSending)
      log.error(
        { [`${table}Id`]: id },
        `Operator alert: the chain has taken back the block of a ${table}; it is sent again.`,
      )
    return times >= timesMissingBeforeSending
  }

  async function resend(payment: Payment, rail: Rail) {
    const settling = readSettling(payment)
    if (settling === undefined || (await rail.send(settling)) === 'sent') return
    const signed = await rail.prepare(settling.credential)
    if (!(await payments.replace(payment.id, settling.raw, signed))) await rail.discard?.(signed)
  }

  /** It can never be settled any more; certain once the block that shows it is final itself. */
  async function gone(
    payment: Payment,
    { reason, byPayer, block }: ChainVerdict & { state: 'dead' },
    { final }: Outlook,
  ): Promise<boolean> {
    const since = payment.deadSinceBlock ?? block
    if (since > final) {
      await database.query(
        `update payment set dead_since_block = $2, next_check_at = now() + interval '1 second' where id = $1 and finality = 'open'`,
        [payment.id, since],
      )
      return false
    }
    const [row] = await database.query<{ lost: boolean }>(
      'select payment_lost($1, $2, $3) as lost',
      [payment.id, reason, byPayer === true],
    )
    if (row?.lost)
      log.error(
        { paymentId: payment.id, callId: payment.callId, micros: payment.micros, reason },
        'Operator alert: a payment that was settled is lost. GET /api/v1/admin/treasury lists it.',
      )
    return row?.lost === true
  }

  async function watchRefund(refund: WatchedRefund, outlook: Outlook): Promise<boolean> {
    const { rail } = outlook
    const { id, raw, hash, validUntil } = refund
    try {
      const sent = { hash, validUntilMs: validUntil?.getTime() ?? 0 }
      const verdict = await rail.inspectRefund(refund, sent)
      if (verdict.state === 'settled') return await there('refund', id, verdict, outlook)
      if (!(await missing('refund', refund))) return false
      // Its nonce, or its memo, makes it count once, so another may be signed as soon as this one is over.
      const over = verdict.state === 'dead' || raw === null
      if (!over && (await rail.sendRefund({ id, raw })) === 'sent') return false
      await database.query('select refund_reopened($1)', [id])
      return true
    } catch (err) {
      log.warn({ err, refundId: id }, 'Whether a refund is final is asked again later.')
      return false
    }
  }

  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= watch()
      .catch((err) => log.warn({ err }, 'Whether payments are final is asked again later.'))
      .finally(() => {
        running = undefined
      })
  }, watchIntervalMs).unref()

  return {
    watch,
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
