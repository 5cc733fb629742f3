// The rows of refunds. Each step is one statement.
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import type { RailId, SignedRefund } from '../rails/rail.ts'

export interface OpenRefund {
  readonly id: string
  readonly rail: RailId
  readonly callId: string
  readonly payee: string
  readonly micros: Micros
  readonly state: 'due' | 'signed'
  readonly raw: string | null
  readonly hash: string | null
  readonly validUntil: Date | null
  readonly signedAtBlock: number | null
  readonly attempts: number
  readonly error: string | null
  readonly createdAt: Date
}

/** A refund that a worker takes up is left to it for this time. */
const leaseSeconds = 30
const refundsPerRound = 20
const listedMax = 200

const columns = `id, rail, call_id as "callId", payee, micros, state, raw_tx as raw, tx_hash as hash,
  valid_until as "validUntil", signed_at_block as "signedAtBlock", attempts, error, created_at as "createdAt"`

export type RefundRecords = ReturnType<typeof createRefundRecords>

export function createRefundRecords(database: Database) {
  return {
    /** Refunds that are not on the chain yet, oldest first. */
    open: () =>
      database.query<OpenRefund>(
        `select ${columns} from refund where state in ('due', 'signed') order by created_at limit $1`,
        [listedMax],
      ),
    take: () =>
      database.query<OpenRefund>(
        `update refund set attempts = attempts + 1, next_attempt_at = now() + $1 * interval '1 second'
         where id in (select id from refund where state in ('due', 'signed') and next_attempt_at <= now()
           order by next_attempt_at limit $2 for update skip locked)
         returning ${columns}`,
        [leaseSeconds, refundsPerRound],
      ),
    /** False when another worker has taken the refund up. */
    async signed(refundId: string, signed: SignedRefund): Promise<boolean> {
      const stored = await database.query(
        `update refund set state = 'signed', raw_tx = $2, tx_hash = $3, gas_nonce = $4, valid_until = $5,
           signed_at_block = coalesce(signed_at_block, $6)
         where id = $1 and state = 'due' returning 1`,
        [
          refundId,
          signed.raw,
          signed.hash,
          signed.gasNonce ?? null,
          new Date(signed.validUntilMs),
          signed.signedAtBlock ?? null,
        ],
      )
      return stored.length > 0
    },
    /**
     * This signed transaction can never be carried out, so another may be signed. A late verdict on it leaves one alone
     * that another gateway has signed since: a third could be mined beside that.
     */
    async dueAgain(refundId: string, hash: string) {
      await database.query(
        `update refund set state = 'due', next_attempt_at = now() where id = $1 and state = 'signed' and tx_hash = $2`,
        [refundId, hash],
      )
    },
    async confirmed(refundId: string, { hash, block }: { hash: string; block: number }) {
      await database.query('select refund_confirmed($1, $2, $3)', [refundId, hash, block])
    },
    async postpone(
      refundId: string,
      { seconds, reason }: { seconds: number; reason: string | null },
    ) {
      await database.query(
        `update refund set next_attempt_at = now() + $2 * interval '1 second', error = $3 where id = $1`,
        [refundId, seconds, reason],
      )
    },
  }
}
