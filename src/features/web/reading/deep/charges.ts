// What the rows of a deep job cost. The pages that rung 1 read have one price together, which their rows share equally.

import { z } from '#core/action.ts'
import {
  centsToMicros,
  type Micros,
  microsToUsd,
  partsToCents,
  splitMicros,
  sumOf,
} from '#core/money.ts'
import { type CallHop, type PageRow, rowSchema } from '../actions/rows.ts'
import { batchCents, callCents, type RungPrice } from '../ladder/prices.ts'

/** A row before its share is known, which depends on the job's other rows. */
export const pricedRowSchema = z.object({
  row: rowSchema,
  price: z.union([z.number(), z.literal('batch')]).nullable(),
})

export interface PricedRow {
  readonly row: PageRow
  readonly price: RungPrice | null
}

export interface ChargedRows {
  /** Their exact amounts in `charged_usd`. Their `charged_cents` sum to all of it, rounded up. */
  readonly rows: readonly PageRow[]
  readonly micros: Micros
  /** What few pages of rung 1 cost beyond the price of their calls, as a call of its own. */
  readonly minimum?: CallHop
}

export function chargeRows(priced: readonly PricedRow[]): ChargedRows {
  const batched = priced.filter(({ price }) => price === 'batch').length
  const batch = centsToMicros(batchCents(batched))
  const shares = splitMicros(batch, batched).values()
  const parts = priced.map(({ price }) =>
    price === 'batch' ? (shares.next().value ?? 0) : centsToMicros(price ?? 0),
  )
  const cents = partsToCents(parts)
  const rows = priced.map(({ row }, index) => ({
    ...row,
    charged_cents: cents[index] ?? 0,
    charged_usd: microsToUsd(parts[index] ?? 0),
  }))
  const rest = batch - batched * centsToMicros(callCents('batch'))
  return { rows, micros: sumOf(parts), ...(rest === 0 ? {} : { minimum: minimumCall(rest) }) }
}

function minimumCall(rest: Micros): CallHop {
  return {
    provider: 'ladder',
    action: 'minimum',
    ok: true,
    charged_cents: rest / centsToMicros(1),
    latency_ms: 0,
  }
}
