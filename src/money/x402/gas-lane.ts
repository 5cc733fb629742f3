// Keeps the gas wallet's transactions moving, for all later ones wait behind the first that is in no block. One that is
// stored is sent again, since whoever looks after it may rest: a refund is not tried every second. A number is taken before
// its transaction is stored, so a crash in between leaves one that nobody will ever send: an empty one takes its place.
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Hex } from '../chains/chain.ts'
import type { EvmChain } from '../chains/evm.ts'

const checkIntervalMs = 1_000
/** Whoever has taken a number stores its transaction at once; a number unknown for so long is lost. */
const lostAfterMs = 10_000
const stuckAfterMs = 120_000

export function keepGasLane(room: {
  chain: EvmChain
  database: Database
  clock: Clock
  log: Log
  chainId: number
  gasAddress: string
}): { close(): Promise<void> } {
  const { chain, database, clock, log, chainId, gasAddress } = room
  let waiting: { readonly gasNonce: number; readonly sinceMs: number; alarmed: boolean } | undefined
  let running: Promise<void> | undefined
  let minedBefore = 0

  async function check() {
    const [lane] = await database.query<{ next: number }>(
      'select next from gas_nonce where chain_id = $1 and address = $2',
      [chainId, gasAddress],
    )
    if (lane === undefined || minedBefore >= lane.next) return
    const { mined, pending } = await chain.gasNonces()
    minedBefore = mined
    if (mined >= lane.next) {
      waiting = undefined
      return
    }
    if (waiting?.gasNonce !== mined)
      waiting = { gasNonce: mined, sinceMs: clock.now(), alarmed: false }
    const waitedMs = clock.now() - waiting.sinceMs
    if (waitedMs >= stuckAfterMs && !waiting.alarmed) {
      waiting.alarmed = true
      log.error(
        { gasNonce: mined, waitedMs },
        'Operator alert: a transaction of the gas wallet is in no block for long. Gas may have become dear.',
      )
    }
    // The node has it: it waits for a block, or pays too little for one.
    if (pending > mined) return
    const stored = await storedAt(mined)
    if (stored !== undefined) {
      await chain.broadcast(stored)
    } else if (waitedMs >= lostAfterMs) {
      const filler = await chain.fillGap(mined)
      await chain.broadcast(filler.raw)
      log.warn(
        { gasNonce: mined },
        'A transaction that was never sent was replaced by an empty one.',
      )
    }
  }

  async function storedAt(gasNonce: number): Promise<Hex | undefined> {
    const [stored] = await database.query<{ raw: Hex }>(
      `select raw_tx as raw from payment where rail = 'x402' and state = 'settling' and gas_nonce = $1
       union all select raw_tx from refund where rail = 'x402' and state = 'signed' and gas_nonce = $1`,
      [gasNonce],
    )
    return stored?.raw
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
