// A catalog in which the operator changes prices while calls use it.
import type { Action } from '../action.ts'
import { type Catalog, type CatalogEntry, splitId } from '../catalog.ts'
import { centsToMicros } from '../money.ts'
import { quotePrice } from '../price.ts'
import { type Override, replacePrice } from './override.ts'

export interface PricedCatalog extends Catalog {
  /** The same actions at their own prices, which say what calls inside other calls may cost. */
  readonly original: Catalog
  /**
   * Sets the prices of the operator, by `service/action`, in place of all earlier ones. Actions that are not here, or
   * whose own price has another form, are left as they are. Entries are replaced and never changed, so a call keeps the
   * price of the entry that it began with. Where a price differs, `entries` is another array.
   */
  reprice(overrides: ReadonlyMap<string, Override>): void
  /** What is in force for this action. Undefined: the price of the catalog. */
  overrideOf(id: string): Override | undefined
}

export function createPricedCatalog(original: Catalog): PricedCatalog {
  let applied: ReadonlyMap<string, Override> = new Map()
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
        [...overrides].flatMap(([id, override]) => {
          const entry = original.find(...splitId(id))
          const changed = entry && withPrice(entry, override)
          return changed === undefined ? [] : [[id, changed] as const]
        }),
      )
      entries = original.entries.map((entry) => repriced.get(entry.id) ?? entry)
    },
    overrideOf: (id) => (repriced.has(id) ? applied.get(id) : undefined),
  }
}

const isSame = (one: ReadonlyMap<string, Override>, other: ReadonlyMap<string, Override>) =>
  one.size === other.size &&
  [...one].every(([id, override]) => {
    const found = other.get(id)
    return found !== undefined && keyOf(found) === keyOf(override)
  })

const keyOf = (override: Override) =>
  'factor' in override ? `times ${override.factor}` : `${override.micros}`

function withPrice(entry: CatalogEntry, override: Override): CatalogEntry | undefined {
  const price = replacePrice(entry.action.price, override)
  if (price === undefined) return undefined
  const action: Action = { ...entry.action, price }
  return { ...entry, action: { ...action, example: { ...action.example, cents: quoted(action) } } }
}

/** The quote of the action's example, in cents. */
function quoted({ price, input, example }: Action): number {
  return (
    quotePrice(price, input.parse(example.input), Number.MAX_SAFE_INTEGER).micros / centsToMicros(1)
  )
}
