// What the ledger says of a rail beside what its chain says: sums of the books, and each transfer of some blocks matched
// with the payment or the refund that it carried out. What is left on either side is a difference, with its likely reason.
import { microsToUsd } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import { ChainUnavailable } from '../chains/chain.ts'
import type { Rail, RailId, TokenTransfer } from '../rails/rail.ts'

export interface Treasury {
  /** Compares from `fromBlock` on, or the newest blocks; at most `blocksMax` of them. */
  report(options?: { readonly fromBlock?: number | undefined }): Promise<object>
}

/** What one report reads of a chain: half a day of two-second blocks. */
const blocksMax = 20_000
const listedMax = 200

const explanations = {
  unknown_deposit:
    'The pay-to address received this, and no payment accounts for it: a deposit of your own, or a wallet that paid past the gateway.',
  unknown_withdrawal:
    'The refund wallet sent this, and no refund accounts for it: a transfer of your own, or its key is used elsewhere.',
  missing_on_chain:
    'The books have this payment as settled, and the chain does not show it. Its block was taken back; it is sent again, or will be listed as a loss.',
  refund_missing_on_chain:
    'The books have this refund as paid, and the chain does not show it. It is sent again.',
  not_recorded_yet: 'The chain has it already; the books will in a moment.',
  lost_payment_returned:
    'The payment was given up as lost, and the chain has it after all. Nothing is owed for it.',
} as const

interface Difference {
  readonly kind: keyof typeof explanations
  readonly amount_usd: string
  readonly transaction_hash: string | null
  readonly transaction_id?: string
}

interface Entry {
  readonly callId: string
  readonly micros: number
  readonly hash: string
  readonly recorded: boolean
  readonly lost: boolean
  readonly inWindow: boolean
}

export function createTreasury(room: {
  database: Database
  rails: ReadonlyMap<RailId, Rail>
}): Treasury {
  const { database, rails } = room

  async function sums(rail: RailId) {
    const [row] = await database.query<Record<string, number>>(
      `select coalesce(sum(micros) filter (where state = 'settled' and finality is distinct from 'lost'), 0)::bigint as received,
         coalesce(sum(micros) filter (where state in ('owed', 'settling')), 0)::bigint as on_the_way,
         coalesce(sum(micros) filter (where finality = 'open'), 0)::bigint as not_final,
         coalesce(sum(micros) filter (where finality = 'lost'), 0)::bigint as lost,
         (select coalesce(sum(micros), 0) from refund where rail = $1 and state = 'confirmed')::bigint as refunded,
         (select coalesce(sum(micros), 0) from refund where rail = $1 and state in ('due', 'signed'))::bigint as owed_refunds
       from payment where rail = $1`,
      [rail],
    )
    return Object.fromEntries(
      Object.entries(row ?? {}).map(([name, micros]) => [
        `${name}_usd`,
        microsToUsd(Number(micros)),
      ]),
    )
  }

  const payments = (rail: RailId, hashes: readonly string[], from: number, to: number) =>
    database.query<Entry>(
      `select call_id as "callId", micros, tx_hash as hash, state = 'settled' as recorded, finality is not distinct from 'lost' as lost,
         (state = 'settled' and finality is distinct from 'lost' and settled_block between $3 and $4) is true as "inWindow"
       from payment where rail = $1 and (tx_hash = any($2) or state = 'settled' and settled_block between $3 and $4)`,
      [rail, hashes, from, to],
    )
  const refunds = (rail: RailId, hashes: readonly string[], from: number, to: number) =>
    database.query<Entry>(
      `select call_id as "callId", micros, tx_hash as hash, state = 'confirmed' as recorded, false as lost,
         (state = 'confirmed' and settled_block between $3 and $4) is true as "inWindow"
       from refund where rail = $1 and (tx_hash = any($2) or state = 'confirmed' and settled_block between $3 and $4)`,
      [rail, hashes, from, to],
    )

  async function compare(rail: Rail, fromBlock?: number) {
    const { chain } = rail
    const { newest, final } = await chain.progress()
    const from = Math.max(fromBlock ?? newest.number - blocksMax + 1, 0)
    const to = Math.min(from + blocksMax - 1, newest.number)
    const blocks = { fromBlock: from, toBlock: to }
    const { payTo, refundWallet } = chain
    const received = await chain.transfers({ to: payTo, ...blocks })
    const sent = refundWallet ? await chain.transfers({ from: refundWallet, ...blocks }) : []
    const paid = await payments(rail.id, hashesOf(received), from, to)
    const repaid = await refunds(rail.id, hashesOf(sent), from, to)
    const incoming = match(received, paid, 'unknown_deposit', 'missing_on_chain')
    // What a refund's own transaction sends besides is its fee.
    const refundOf = new Map(repaid.map((refund) => [refund.hash, refund]))
    const isFee = ({ hash, micros }: TokenTransfer) =>
      refundOf.has(hash) && refundOf.get(hash)?.micros !== micros
    const outgoing = match(
      sent.filter((transfer) => !isFee(transfer)),
      repaid,
      'unknown_withdrawal',
      'refund_missing_on_chain',
    )
    const differences = [...incoming.differences, ...outgoing.differences]
    const balance = async (address: string) => ({
      address,
      balance_usd: microsToUsd(await chain.balanceOf(address)),
    })
    return {
      network: chain.network,
      token: chain.token,
      agrees: differences.length === 0,
      books: await sums(rail.id),
      chain: {
        from_block: from,
        to_block: to,
        final_block: Math.max(final, 0),
        received_usd: microsToUsd(sumOf(received)),
        refunded_usd: microsToUsd(outgoing.matched),
        pay_to: await balance(payTo),
        refund_wallet: refundWallet ? await balance(refundWallet) : null,
      },
      differences: differences
        .slice(0, listedMax)
        .map((difference) => ({ ...difference, explanation: explanations[difference.kind] })),
    }
  }

  async function losses() {
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

  return {
    async report({ fromBlock } = {}) {
      const shown = await Promise.all(
        [...rails].map(async ([id, rail]) => {
          const report = compare(rail, fromBlock).catch(async (error) => {
            if (!(error instanceof ChainUnavailable)) throw error
            return { agrees: null, books: await sums(id), unavailable: error.message }
          })
          return [id, await report] as const
        }),
      )
      return { rails: Object.fromEntries(shown), losses: await losses() }
    },
  }
}

/** Takes each transfer together with the entry that it carried out; what is left of either is a difference. */
function match(
  transfers: readonly TokenTransfer[],
  entries: readonly Entry[],
  unknown: Difference['kind'],
  missing: Difference['kind'],
) {
  const nameOf = ({ hash, micros }: { hash: string; micros: number }) => `${hash} ${micros}`
  const waiting = Map.groupBy(entries, nameOf)
  const differences: Difference[] = []
  let matched = 0
  for (const { hash, micros } of transfers) {
    const entry = waiting.get(nameOf({ hash, micros }))?.pop()
    const amount_usd = microsToUsd(micros)
    if (entry === undefined) {
      differences.push({ kind: unknown, amount_usd, transaction_hash: hash })
      continue
    }
    matched += micros
    const { callId, lost, recorded } = entry
    const told = { amount_usd, transaction_hash: hash, transaction_id: callId }
    if (lost) differences.push({ kind: 'lost_payment_returned', ...told })
    else if (!recorded) differences.push({ kind: 'not_recorded_yet', ...told })
  }
  for (const { inWindow, micros, hash, callId } of [...waiting.values()].flat()) {
    if (!inWindow) continue
    const amount_usd = microsToUsd(micros)
    differences.push({ kind: missing, amount_usd, transaction_hash: hash, transaction_id: callId })
  }
  return { matched, differences }
}

const hashesOf = (transfers: readonly TokenTransfer[]) => transfers.map(({ hash }) => hash)
const sumOf = (transfers: readonly TokenTransfer[]) =>
  transfers.reduce((sum, { micros }) => sum + micros, 0)
