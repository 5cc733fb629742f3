// Watches for actions whose calls cost more than they bring, and tells the operator once of each that begins to.
import type { Micros } from '#core/money.ts'
import { microsToUsd } from '#core/money.ts'
import type { Log } from '#core/ports.ts'
import { runEvery } from '#platform/recurring.ts'
import type { Margins } from './margins.ts'

export interface BelowCostWatch {
  /** The loss of each such action at the last look. */
  losses(): ReadonlyMap<string, Micros>
  look(): Promise<void>
  close(): Promise<void>
}

/** A look reads the calls of a month. */
const lookIntervalMs = 3_600_000
const firstLookAfterMs = 60_000

export function watchSalesBelowCost({
  margins,
  log,
}: {
  margins: Pick<Margins, 'belowCost'>
  log: Log
}): BelowCostWatch {
  let losses: ReadonlyMap<string, Micros> = new Map()

  async function look() {
    const { rows } = await margins.belowCost()
    const found = new Map(
      rows.map(({ action = '', cost, chargedWithKnownCost }) => [
        action,
        cost - chargedWithKnownCost,
      ]),
    )
    for (const [action, loss] of found)
      if (!losses.has(action))
        log.warn(
          { action, lossUsd: microsToUsd(loss) },
          'Operator alert: an action is sold below its cost. GET /api/v1/admin/sales-below-cost says what to do.',
        )
    losses = found
  }

  const looking = runEvery(
    lookIntervalMs,
    look,
    (error) => log.warn({ err: error }, 'Sales below cost are looked for again later.'),
    firstLookAfterMs,
  )
  return { losses: () => losses, look, close: looking.close }
}
