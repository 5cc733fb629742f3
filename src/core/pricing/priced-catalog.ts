// A catalog in which the operator changes flat prices while calls use it.
import { type Catalog, type CatalogEntry, splitId } from '../catalog.ts'
import { centsToMicros, type Micros } from '../money.ts'
import type { AnyPrice, FixedPrice } from '../price.ts'

export interface PricedCatalog extends Catalog {
  /** The same actions at their own prices, which say what calls inside other calls may cost. */
  readonly original: Catalog
  /**
   * Sets the prices of the operator, by `service/action`, in place of all earlier ones. Actions that are not here, or whose own price is
   * not flat, are left as they are. Entries are replaced and never changed, so a call keeps the price of the entry that it began with.
   * Where a price differs, `entries` is another array.
   */
  reprice(overrides: ReadonlyMap<string, Micros>): void
}

export function createPricedCatalog(original: Catalog): PricedCatalog {
  let applied: ReadonlyMap<string, Micros> = new Map()
  let repriced: ReadonlyMap<string, CatalogEntry> = new Map()
  let { entries } = original
  return {
    original,
    services: original.services,
    get entries() {
      return entries
    },
    find: (service, action) =>
      repriced.get(`${service}/${action}`) ?? original.find(service, action),
    reprice(overrides) {
      if (isSame(applied, overrides)) return
      applied = new Map(overrides)
      repriced = new Map(
        [...overrides].flatMap(([id, micros]) => {
          const entry = original.find(...splitId(id))
          const changed = entry && withPrice(entry, micros)
          return changed === undefined ? [] : [[id, changed] as const]
        }),
      )
      entries = original.entries.map((entry) => repriced.get(entry.id) ?? entry)
    },
  }
}

const isSame = (one: ReadonlyMap<string, Micros>, other: ReadonlyMap<string, Micros>) =>
  one.size === other.size && [...one].every(([id, micros]) => other.get(id) === micros)

/** The amount of a price that is the same for every call. Undefined for a price of any other form. */
export function flatPriceOf(price: AnyPrice): Micros | undefined {
  return isFlat(price) ? centsToMicros(price.cents) : undefined
}

// biome-ignore lint/suspicious/noExplicitAny: see AnyPrice.
const isFlat = (price: AnyPrice): price is FixedPrice<any> =>
  price !== 'free' && 'cents' in price && !('per' in price) && (price.variants ?? []).length === 0

function withPrice(entry: CatalogEntry, micros: Micros): CatalogEntry | undefined {
  const { price, example } = entry.action
  if (!isFlat(price)) return undefined
  const cents = micros / centsToMicros(1)
  return {
    ...entry,
    action: { ...entry.action, price: { ...price, cents }, example: { ...example, cents } },
  }
}
