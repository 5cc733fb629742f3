// Keeps the gas wallet's transactions moving. Their numbers are taken before they are stored, so a crash in between leaves
// a number that nobody will ever send, and all later ones wait behind it: a transaction that does nothing takes its place.
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { EvmChain } from '../chains/evm.ts'

const checkIntervalMs = 5_000
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

  async function check() {
    const [lane] = await database.query<{ next: number }>(
      'select next from gas_nonce where chain_id = $1 and address = $2',
      [chainId, gasAddress],
    )
    if (lane === undefined) return
    const { mined, pending } = await chain.gasNonces()
    if (mined >= lane.next) {
      waiting = undefined
      return
    }
    if (waiting?.gasNonce !== mined)
      waiting = { gasNonce: mined, sinceMs: clock.now(), alarmed: false }
    const waitedMs = clock.now() - waiting.sinceMs
    // The node has it: it waits for a block, or pays too little for one.
    if (pending > mined) {
      if (waitedMs < stuckAfterMs || waiting.alarmed) return
      waiting.alarmed = true
      log.error(
        { gasNonce: mined, waitedMs },
        'Operator alert: a transaction of the gas wallet is in no block for long. Gas may have become dear.',
      )
      return
    }
    if (waitedMs < lostAfterMs || (await isKnown(mined))) return
    const filler = await chain.fillGap(mined)
    await chain.broadcast(filler.raw)
    log.warn({ gasNonce: mined }, 'A transaction that was never sent was replaced by an empty one.')
  }

  /** A transaction that is stored is sent again by those who look after it. */
  async function isKnown(gasNonce: number): Promise<boolean> {
    const rows = await database.query(
      `select 1 from payment where rail = 'x402' and state = 'settling' and gas_nonce = $1
       union all select 1 from refund where rail = 'x402' and state = 'signed' and gas_nonce = $1`,
      [gasNonce],
    )
    return rows.length > 0
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
