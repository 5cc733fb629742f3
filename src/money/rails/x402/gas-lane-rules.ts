// Decides what the gas wallet's transactions need. Pure: `gas-lane.ts` carries the decision out.
import { parseTransaction } from 'viem'
import type { Hex } from '../../chains/chain.ts'

/**
 * A number is taken just before its transaction is stored. A number still unused after this time is left from a crash.
 */
const lostAfterMs = 10_000
export const stuckAfterMs = 120_000
/** The first transaction is sent this many times, once a second, before it is replaced. */
const sendsMax = 10

/** The lane as one check sees it. */
export interface Lane {
  /** The next number that is not mined. */
  readonly mined: number
  /** The next number that is not in the node's pool. */
  readonly pending: number
  /** The end of the numbers that had been taken when the wait began. All of them have waited for the whole time. */
  readonly next: number
  readonly waitedMs: number
  readonly baseFee: bigint
  /** Signed transactions by their number. */
  readonly stored: ReadonlyMap<number, Hex>
  /** How often the first transaction was sent. */
  readonly sends: number
}

export interface LaneWork {
  /** Numbers whose transaction will never be mined. An empty transaction replaces each. */
  readonly replace: readonly number[]
  /** What to do about the first transaction, which all others wait for. */
  readonly first: 'wait' | { readonly send: Hex } | 'replace'
}

export function planLane(lane: Lane): LaneWork {
  const { mined, next, pending, stored, sends } = lane
  const waiting = Array.from({ length: Math.max(next - mined, 0) }, (_, place) => mined + place)
  const raw = stored.get(mined)
  const isWaiting = raw === undefined || pending > mined
  return {
    replace: waiting.filter((gasNonce) => isHopeless(lane, gasNonce)),
    first: isWaiting ? 'wait' : sends < sendsMax ? { send: raw } : 'replace',
  }
}

/** Whether a transaction was lost in a crash, or can no longer pay for its gas. */
function isHopeless({ stored, pending, waitedMs, baseFee }: Lane, gasNonce: number): boolean {
  const raw = stored.get(gasNonce)
  if (raw !== undefined) return (parseTransaction(raw).maxFeePerGas ?? 0n) < baseFee
  return waitedMs >= (pending > gasNonce ? stuckAfterMs : lostAfterMs)
}
