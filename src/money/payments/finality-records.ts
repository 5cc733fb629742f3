// The rows of payments and refunds that are not final yet. Each step is one statement.
import type { Database } from '#platform/database/database.ts'
import type { RailId, RefundOrder } from '../rails/rail.ts'

export type Watched = 'payment' | 'refund'

export interface WatchedRefund extends RefundOrder {
  readonly rail: RailId
  readonly raw: string | null
  readonly hash: string
  readonly validUntil: Date | null
  readonly timesMissing: number
}

const checkedPerRound = 50
/** A row that a gateway takes up is left to it for this time. */
const leaseSeconds = 30

export type FinalityRecords = ReturnType<typeof createFinalityRecords>

export function createFinalityRecords(database: Database) {
  return {
    ...createQueue(database),
    async final(table: Watched, id: string, { hash, block }: { hash: string; block: number }) {
      await database.query(`select ${table}_final($1, $2, $3)`, [id, hash, block])
    },
    async recheck(
      table: Watched,
      id: string,
      at: { hash: string; block: number; afterSeconds: number },
    ) {
      await database.query(
        `update ${table} set tx_hash = $2, settled_block = $3, times_missing = 0,
           ${table === 'payment' ? 'dead_since_block = null,' : ''} next_check_at = now() + $4 * interval '1 second'
         where id = $1 and finality = 'open'`,
        [id, at.hash, at.block, at.afterSeconds],
      )
    },
    async missing(table: Watched, id: string) {
      await database.query(
        `update ${table} set times_missing = times_missing + 1, next_check_at = now() where id = $1 and finality = 'open'`,
        [id],
      )
    },
    async dead(paymentId: string, sinceBlock: number) {
      await database.query(
        `update payment set dead_since_block = $2, next_check_at = now() + interval '1 second' where id = $1 and finality = 'open'`,
        [paymentId, sinceBlock],
      )
    },
    /** Books the loss. False when another gateway was first. */
    async lost(paymentId: string, { reason, byPayer }: { reason: string; byPayer: boolean }) {
      const [row] = await database.query<{ lost: boolean }>(
        'select payment_lost($1, $2, $3) as lost',
        [paymentId, reason, byPayer],
      )
      return row?.lost === true
    },
    /** False when another gateway has ended or reopened the refund with this transaction. */
    async reopenRefund(refundId: string, hash: string) {
      const [row] = await database.query<{ reopened: boolean }>(
        'select refund_reopened($1, $2) as reopened',
        [refundId, hash],
      )
      return row?.reopened === true
    },
  }
}

/** Which rows are looked at, and when. */
function createQueue(database: Database) {
  /** Takes up rows whose time has come. */
  async function take(table: Watched, rail: RailId): Promise<string[]> {
    const rows = await database.query<{ id: string }>(
      `update ${table} set next_check_at = now() + $2 * interval '1 second' where id in (
         select id from ${table} where finality = 'open' and rail = $1 and next_check_at <= now()
         order by next_check_at limit $3 for update skip locked)
       returning id`,
      [rail, leaseSeconds, checkedPerRound],
    )
    return rows.map((row) => row.id)
  }

  return {
    /** Rails with payments or refunds that are not final. */
    async rails(): Promise<RailId[]> {
      const rows = await database.query<{ rail: RailId }>(
        `select distinct rail from payment where finality = 'open' union select distinct rail from refund where finality = 'open'`,
      )
      return rows.map(({ rail }) => rail)
    },
    async checkAllNow(rail: RailId) {
      for (const table of ['payment', 'refund'])
        await database.query(
          `update ${table} set next_check_at = now() where finality = 'open' and rail = $1`,
          [rail],
        )
    },
    takePayments: (rail: RailId) => take('payment', rail),
    takeRefunds: async (rail: RailId) =>
      await database.query<WatchedRefund>(
        `select id, rail, payee, micros, raw_tx as raw, tx_hash as hash, valid_until as "validUntil",
           signed_at_block as "signedAtBlock", times_missing as "timesMissing"
         from refund where finality = 'open' and id = any($1)`,
        [await take('refund', rail)],
      ),
  }
}
