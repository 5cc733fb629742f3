// The calls of an action that each account has free on a day of UTC. A wallet has no day.
import type { AccountCaller } from '#core/caller.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { priceRange } from '#core/price.ts'
import { waive } from '#core/pricing/units.ts'
import type { Ledger } from '#money/ledger/ledger.ts'

/** An action as a caller is offered it for one call. */
export interface Offered {
  readonly entry: CatalogEntry
  /** The call is one of so many free ones, and its price is waived. The hold of the call decides whether it is. */
  readonly freePerDay?: number | undefined
}

/** At no price while the account has free calls left today, and the call would cost something. */
export type OfferDayCall = (
  entry: CatalogEntry,
  input: unknown,
  caller: AccountCaller | undefined,
) => Promise<Offered>

export const createDayCalls =
  (ledger: Pick<Ledger, 'freeCallsTaken'>): OfferDayCall =>
  async (entry, input, caller) => {
    const { price, freeCallsPerDay } = entry.action
    if (freeCallsPerDay === undefined || caller === undefined) return { entry }
    if (priceRange(price, input).max === 0) return { entry }
    const taken = await ledger.freeCallsTaken(caller.accountId, entry.id)
    if (taken >= freeCallsPerDay) return { entry }
    const action = { ...entry.action, price: waive(price) }
    return { entry: { ...entry, action }, freePerDay: freeCallsPerDay }
  }
