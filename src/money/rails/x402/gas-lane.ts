// Keeps the gas wallet's transactions moving, for all later ones wait behind the first that is in no block. One that is
// stored is sent again, since whoever looks after it may rest: a refund is not tried every second. A number is taken before
// its transaction is stored, so a crash in between leaves one that nobody will ever send: an empty one takes its place. So
// does it where gas has become dearer than a transaction can pay, or where a node says again and again that it knows one and
// brings it into no block: whoever looks after that one signs another.
import { parseTransaction } from 'viem'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Hex } from '../../chains/chain.ts'
import type { EvmChain } from '../../chains/evm.ts'

const checkIntervalMs = 1_000
/** Whoever has taken a number stores its transaction at once; one that is unknown for so long is lost. */
const lostAfterMs = 10_000
const stuckAfterMs = 120_000
const quietMs = 30_000
/** Once a second, and then the node has no use for it. */
const sendsMax = 10

export function keepGasLane(room: {
  chain: EvmChain
  database: Database
  clock: Clock
  log: Log
  gasAddress: string
}): { close(): Promise<void> } {
  const { chain, database, clock, log, gasAddress } = room
  const { chainId } = chain
  let waiting:
    | {
        readonly gasNonce: number
        readonly next: number
        readonly sinceMs: number
        alarmed: boolean
        sends: number
      }
    | undefined
  let running: Promise<void> | undefined
  /** All that was taken is in blocks, which may be taken back: asked again after a while. */
  let quiet = { next: 0, untilMs: 0 }

  async function check() {
    const [lane] = await database.query<{ next: number }>(
      'select next from gas_nonce where chain_id = $1 and address = $2',
      [chainId, gasAddress],
    )
    if (lane === undefined) return
    if (quiet.next === lane.next && clock.now() < quiet.untilMs) return
    const { mined, pending } = await chain.gasNonces()
    if (mined >= lane.next) {
      waiting = undefined
      quiet = { next: lane.next, untilMs: clock.now() + quietMs }
      return
    }
    if (waiting?.gasNonce !== mined)
      waiting = {
        gasNonce: mined,
        next: lane.next,
        sinceMs: clock.now(),
        alarmed: false,
        sends: 0,
      }
    const waitedMs = clock.now() - waiting.sinceMs
    if (waitedMs >= stuckAfterMs && !waiting.alarmed) {
      waiting.alarmed = true
      log.error(
        { gasNonce: mined, waitedMs },
        'Operator alert: a transaction of the gas wallet is in no block for long. Gas may have become dear.',
      )
    }
    const stored = await storedFrom(mined)
    const baseFee = await chain.baseFee()
    // All that were taken before this began have waited for as long.
    for (let gasNonce = mined; gasNonce < waiting.next; gasNonce += 1) {
      const raw = stored.get(gasNonce)
      const patienceMs = pending > gasNonce ? stuckAfterMs : lostAfterMs
      if (raw === undefined ? waitedMs >= patienceMs : isTooCheap(raw, baseFee))
        await unlessRefused(replaceByEmpty(gasNonce), gasNonce)
    }
    const first = stored.get(mined)
    if (first === undefined || pending > mined) return
    waiting.sends += 1
    if (waiting.sends <= sendsMax) await chain.broadcast(first)
    else await replaceByEmpty(mined)
  }

  /** What a node says of one transaction keeps no other from being sent. */
  async function unlessRefused(work: Promise<void>, gasNonce: number) {
    await work.catch((err) => log.warn({ err, gasNonce }, 'A number will be looked after again.'))
  }

  async function replaceByEmpty(gasNonce: number) {
    const { raw } = await chain.fillGap(gasNonce)
    const { outcome } = await chain.broadcast(raw)
    if (outcome === 'accepted')
      log.warn({ gasNonce }, 'A transaction that no block will take was replaced by an empty one.')
  }

  async function storedFrom(gasNonce: number): Promise<ReadonlyMap<number, Hex>> {
    const rows = await database.query<{ gasNonce: number; raw: Hex }>(
      `select gas_nonce as "gasNonce", raw_tx as raw from payment
         where rail = 'x402' and (state = 'settling' or finality = 'open') and raw_tx <> '' and gas_nonce >= $1
       union all select gas_nonce, raw_tx from refund
         where rail = 'x402' and (state = 'signed' or finality = 'open') and raw_tx <> '' and gas_nonce >= $1`,
      [gasNonce],
    )
    return new Map(rows.map((row) => [row.gasNonce, row.raw]))
  }

  const timer = setInterval(() => {
    running ??= check()
      .catch((error) => log.warn({ err: error }, 'The gas wallet will be looked after again.'))
      .finally(() => {
        running = undefined
      })
  }, checkIntervalMs).unref()

  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

function isTooCheap(raw: Hex, baseFee: bigint): boolean {
  return (parseTransaction(raw).maxFeePerGas ?? 0n) < baseFee
}
