// Calls of the catalog that a purse pays for.
import type { RunContext } from '#core/action.ts'
import { type Catalog, splitId } from '#core/catalog.ts'
import type { Micros } from '#core/money.ts'
import { quotePrice } from '#core/price.ts'
import { abortable } from '#platform/egress/abortable.ts'
import type { SourceCall } from '../sources/source.ts'
import { OverShareError, type Purse } from './purse.ts'

/** The most that a call can cost by the catalog. */
export type PriceOf = (id: string, input: unknown) => Micros

export const createPriceOf =
  (catalog: () => Catalog): PriceOf =>
  (id, input) => {
    const entry = catalog().find(...splitId(id))
    const read = entry?.action.input.safeParse(input)
    // The runner refuses such a call, which is free.
    if (entry === undefined || !read?.success) return 0
    return quotePrice(entry.action.price, read.data).micros
  }

/** A call that fails costs nothing, so its price returns to the purse. */
export function createPaidCall(
  { call }: Pick<RunContext<unknown>, 'call'>,
  paying: { readonly purse: Purse; readonly priceOf: PriceOf; readonly signal: AbortSignal },
): SourceCall {
  const { purse, priceOf, signal } = paying
  return async (id, input) => {
    signal.throwIfAborted()
    const micros = priceOf(id, input)
    if (!purse.take(micros)) throw new OverShareError(`${id} costs more than is left.`)
    try {
      return await abortable(call(id, input, undefined, signal), signal)
    } catch (thrown) {
      purse.giveBack(micros)
      throw thrown
    }
  }
}
