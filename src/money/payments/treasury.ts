// Compares the books of a rail with its chain. Each transfer in a range of blocks is matched with the payment or refund
// that it carried out; what has no match is a difference, and is reported with its likely reason.
import { microsToUsd } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'
import { ChainUnavailable } from '../chains/chain.ts'
import type { Rail, RailId, TokenTransfer } from '../rails/rail.ts'
import {
  type BookedTransfer,
  readLosses,
  readPayments,
  readRefunds,
  readSums,
} from './treasury-records.ts'

export interface Treasury {
  /** Compares from `fromBlock` on, or the newest blocks; at most `blocksMax` of them. */
  report(options?: { readonly fromBlock?: number | undefined }): Promise<object>
}

/** What one report reads of a chain: half a day of two-second blocks. */
const blocksMax = 20_000
const listedMax = 200

const explanations = {
  unknown_deposit:
    'The pay-to address received this, and no payment accounts for it: it is a deposit of your own, or a wallet paid without the gateway.',
  unknown_withdrawal:
    'The refund wallet sent this, and no refund accounts for it: it is a transfer of your own, or the key is used elsewhere.',
  missing_on_chain:
    'The books show this payment as settled, but the chain does not have it. A reorganisation removed its block; it is sent again, or will be listed as a loss.',
  refund_missing_on_chain:
    'The books show this refund as paid, but the chain does not have it. It is sent again.',
  not_recorded_yet: 'The chain has it already; the books will follow in a moment.',
  lost_payment_returned:
    'The payment was booked as lost, but the chain has it after all. Nothing is owed for it.',
} as const

interface Difference {
  readonly kind: keyof typeof explanations
  readonly amount_usd: string
  readonly transaction_hash: string | null
  readonly transaction_id?: string
}

export function createTreasury({
  database,
  rails,
}: {
  database: Database
  rails: ReadonlyMap<RailId, Rail>
}): Treasury {
  return {
    async report({ fromBlock } = {}) {
      const shown = await Promise.all(
        [...rails].map(async ([id, rail]) => {
          const report = compare(database, rail, fromBlock).catch(async (error) => {
            if (!(error instanceof ChainUnavailable)) throw error
            return { agrees: null, books: await readSums(database, id), unavailable: error.message }
          })
          return [id, await report] as const
        }),
      )
      return { rails: Object.fromEntries(shown), losses: await readLosses(database) }
    },
  }
}

/** The books of a rail beside its chain. */
async function compare(database: Database, rail: Rail, fromBlock?: number) {
  const { chain } = rail
  const { newest, final } = await chain.progress()
  const from = Math.max(fromBlock ?? newest.number - blocksMax + 1, 0)
  const to = Math.min(from + blocksMax - 1, newest.number)
  const window = { from, to }
  const blocks = { fromBlock: from, toBlock: to }
  const { payTo, refundWallet } = chain
  const received = await chain.transfers({ to: payTo, ...blocks })
  const sent = refundWallet ? await chain.transfers({ from: refundWallet, ...blocks }) : []
  const paid = await readPayments(database, rail.id, hashesOf(received), window)
  const repaid = await readRefunds(database, rail.id, hashesOf(sent), window)
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
    books: await readSums(database, rail.id),
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

/** Takes each transfer together with the entry that it carried out; what is left of either is a difference. */
function match(
  transfers: readonly TokenTransfer[],
  entries: readonly BookedTransfer[],
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
