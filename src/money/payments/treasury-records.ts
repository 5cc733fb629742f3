// What the books say of a rail.
import { microsToUsd } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import type { RailId } from '../rails/rail.ts'

const listedMax = 200

/** A payment or a refund that the books connect with a transaction. */
export interface BookedTransfer {
  readonly callId: string
  readonly micros: number
  readonly hash: string
  readonly recorded: boolean
  readonly lost: boolean
  /** Its block is one of those that are compared. */
  readonly inWindow: boolean
}

/** The blocks that are compared, both included. */
interface Window {
  readonly from: number
  readonly to: number
}

export async function readSums(database: Database, rail: RailId) {
  const [row] = await database.query<Record<string, number>>(
    `select coalesce(sum(micros) filter (where state = 'settled' and finality is distinct from 'lost' and channel_id is null), 0)::bigint
         + (select coalesce(sum(captured), 0) from channel where rail = $1)::bigint as received,
       coalesce(sum(coalesce(settles, micros)) filter (where state in ('owed', 'settling')), 0)::bigint as on_the_way,
       coalesce(sum(micros) filter (where finality = 'open'), 0)::bigint as not_final,
       coalesce(sum(micros) filter (where finality = 'lost'), 0)::bigint as lost,
       (select coalesce(sum(micros), 0) from refund where rail = $1 and state = 'confirmed')::bigint as refunded,
       (select coalesce(sum(micros), 0) from refund where rail = $1 and state in ('due', 'signed'))::bigint as owed_refunds
     from payment where rail = $1`,
    [rail],
  )
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, micros]) => [`${name}_usd`, microsToUsd(Number(micros))]),
  )
}

/** Payments of these transactions, and those that the books have in the window. */
export const readPayments = (
  database: Database,
  rail: RailId,
  hashes: readonly string[],
  { from, to }: Window,
) =>
  database.query<BookedTransfer>(
    `select call_id::text as "callId", coalesce(settles, micros) as micros, tx_hash as hash, state = 'settled' as recorded, finality is not distinct from 'lost' as lost,
         (state = 'settled' and finality is distinct from 'lost' and settled_block between $3 and $4) is true as "inWindow"
       from payment where rail = $1 and (tx_hash = any($2) or state = 'settled' and settled_block between $3 and $4)
     union all
     select id, coalesce(captured, spent), tx_hash, state = 'closed', false, (state = 'closed' and settled_block between $3 and $4) is true
       from channel where rail = $1 and state in ('closing', 'closed') and coalesce(captured, spent) > 0
         and (tx_hash = any($2) or state = 'closed' and settled_block between $3 and $4)`,
    [rail, hashes, from, to],
  )

export const readRefunds = (
  database: Database,
  rail: RailId,
  hashes: readonly string[],
  { from, to }: Window,
) =>
  database.query<BookedTransfer>(
    `select call_id as "callId", micros, tx_hash as hash, state = 'confirmed' as recorded, false as lost,
         (state = 'confirmed' and settled_block between $3 and $4) is true as "inWindow"
       from refund where rail = $1 and (tx_hash = any($2) or state = 'confirmed' and settled_block between $3 and $4)`,
    [rail, hashes, from, to],
  )

/** Payments that were settled, and that the chain can never have any more. */
export async function readLosses(database: Database) {
  const rows = await database.query<{
    callId: string
    rail: RailId
    payer: string
    micros: number
    reason: string | null
    topUp: string | null
    at: Date
  }>(
    `select call_id as "callId", rail, payer, micros, error as reason, topup_account_id as "topUp", updated_at as at
     from payment where finality = 'lost' order by updated_at desc limit $1`,
    [listedMax],
  )
  return rows.map(({ callId, rail, payer, micros, reason, topUp, at }) => ({
    transaction_id: callId,
    rail,
    payer,
    amount_usd: microsToUsd(micros),
    reason,
    // The balance that it topped up still has it.
    topped_up_account_id: topUp,
    lost_at: at,
  }))
}
