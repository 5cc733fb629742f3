// Keeps the gas wallet's transactions moving: every transaction waits for the one before it. A stored transaction is
// sent again. An empty transaction replaces one that was never stored because of a crash, one whose gas has become too
// expensive, and one that the node accepts again and again without mining it; the payment or refund then signs another.
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import type { Hex } from '../../chains/chain.ts'
import type { EvmChain } from '../../chains/evm.ts'
import { planLane, stuckAfterMs } from './gas-lane-rules.ts'

const checkIntervalMs = 1_000
const quietMs = 30_000

interface Dependencies {
  readonly chain: EvmChain
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly gasAddress: string
}

/** The first transaction that is not mined. */
interface Waiting {
  readonly gasNonce: number
  readonly next: number
  readonly sinceMs: number
  alerted: boolean
  sends: number
}

export function keepGasLane(dependencies: Dependencies): { close(): Promise<void> } {
  const { chain, database, clock, log, gasAddress } = dependencies
  let waiting: Waiting | undefined
  /** Every number is mined. A reorganisation may change that, so the chain is asked again after a while. */
  let quiet = { next: 0, untilMs: 0 }

  async function check() {
    const [lane] = await database.query<{ next: number }>(
      'select next from gas_nonce where chain_id = $1 and address = $2',
      [chain.chainId, gasAddress],
    )
    if (lane === undefined) return
    const { next } = lane
    if (quiet.next === next && clock.now() < quiet.untilMs) return
    const { mined, pending } = await chain.gasNonces()
    if (mined >= next) {
      waiting = undefined
      quiet = { next, untilMs: clock.now() + quietMs }
      return
    }
    if (waiting?.gasNonce !== mined)
      waiting = { gasNonce: mined, next, sinceMs: clock.now(), alerted: false, sends: 0 }
    await move(dependencies, waiting, pending)
  }

  return runEvery(checkIntervalMs, check, (err) =>
    log.warn({ err }, 'Could not check the gas wallet; the next check will.'),
  )
}

async function move(
  { chain, database, clock, log }: Dependencies,
  waiting: Waiting,
  pending: number,
) {
  const { gasNonce: mined, next } = waiting
  const waitedMs = clock.now() - waiting.sinceMs
  alertWhenStuck(log, waiting, waitedMs)
  const stored = await readStored(database, mined)
  const baseFee = await chain.baseFee()
  const { sends } = waiting
  const work = planLane({ mined, pending, next, waitedMs, baseFee, stored, sends })
  for (const gasNonce of work.replace) {
    // A refusal of one transaction must not keep the others from being sent.
    await replaceByEmpty(chain, log, gasNonce).catch((err) =>
      log.warn({ err, gasNonce }, 'A transaction could not be replaced; it is tried again.'),
    )
  }
  if (work.first === 'wait') return
  waiting.sends += 1
  if (work.first === 'replace') await replaceByEmpty(chain, log, mined)
  else await chain.broadcast(work.first.send)
}

function alertWhenStuck(log: Log, waiting: Waiting, waitedMs: number) {
  if (waitedMs < stuckAfterMs || waiting.alerted) return
  waiting.alerted = true
  log.error(
    { gasNonce: waiting.gasNonce, waitedMs },
    `Operator alert: a transaction of the gas wallet has been unmined for ${waitedMs} ms. Gas prices may have risen.`,
  )
}

async function replaceByEmpty(chain: EvmChain, log: Log, gasNonce: number) {
  const { raw } = await chain.fillGap(gasNonce)
  const { outcome } = await chain.broadcast(raw)
  if (outcome === 'accepted')
    log.warn({ gasNonce }, 'An empty transaction replaced one that no block will take.')
}

async function readStored(database: Database, from: number): Promise<ReadonlyMap<number, Hex>> {
  const rows = await database.query<{ gasNonce: number; raw: Hex }>(
    `select gas_nonce as "gasNonce", raw_tx as raw from payment
       where rail = 'x402' and (state = 'settling' or finality = 'open') and raw_tx <> '' and gas_nonce >= $1
     union all select gas_nonce, raw_tx from refund
       where rail = 'x402' and (state = 'signed' or finality = 'open') and raw_tx <> '' and gas_nonce >= $1`,
    [from],
  )
  return new Map(rows.map((row) => [row.gasNonce, row.raw]))
}
