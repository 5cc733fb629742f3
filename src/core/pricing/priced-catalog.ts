// A catalog in which the operator changes prices while calls use it.
import type { Action } from '../action.ts'
import {
  type Catalog,
  type CatalogEntry,
  noUnlisted,
  type ResellingAction,
  splitId,
  type UnlistedEntries,
} from '../catalog.ts'
import { centsToMicros } from '../money.ts'
import { quotePrice } from '../price.ts'
import { type Override, replacePrice } from './override.ts'

export interface PricedCatalog extends Catalog {
  /** The same actions at their own prices, which say what calls inside other calls may cost. */
  readonly original: Catalog
  /**
   * Sets the prices of the operator, by `service/action`, in place of all earlier ones. Actions that are not here, or
   * whose own price has another form, are left as they are. Entries are replaced and never changed, so a call keeps the
   * price of the entry that it began with. Where a price differs, `entries` is another array. What a group does not
   * override costs it what everyone pays.
   */
  reprice(overrides: Overrides, groups?: GroupOverrides): void
  /** Another array once a price of the group has changed, as for everyone. Actions that sell others follow them. */
  seenBy(priceGroup: string | undefined): Catalog
  /** What is in force for this action. Undefined: the price of the catalog. */
  overrideOf(id: string): Override | undefined
  /** Sells these actions from now on, at the prices of the operator. `services` and `entries` are other arrays then. */
  replace(next: Catalog): void
  /** Replaces the actions that are not listed. `services` and `entries` stay the same arrays. */
  replaceUnlisted(next: UnlistedEntries): void
}

/** By `service/action`. */
export type Overrides = ReadonlyMap<string, Override>

/** By the id of the group. */
export type GroupOverrides = ReadonlyMap<string, Overrides>

export function createPricedCatalog(first: Catalog): PricedCatalog {
  let own = first
  let unlisted = noUnlisted
  let applied: Overrides = new Map()
  let appliedToGroups: GroupOverrides = new Map()
  let repriced: ReadonlyMap<string, CatalogEntry> = new Map()
  /** Those that a group has asked for. */
  let views = new Map<string, Catalog>()
  let { entries } = own
  const original: Catalog = {
    get services() {
      return own.services
    },
    get entries() {
      return own.entries
    },
    find: (service, action) => own.find(service, action),
    get unlisted() {
      return unlisted
    },
  }

  function apply() {
    repriced = repricedBy(own, applied)
    views = new Map()
    entries = own.entries.map((entry) => repriced.get(entry.id) ?? entry)
  }

  function viewOf(overrides: Overrides): Catalog {
    const ofGroup = repricedBy(own, overrides)
    const known = new WeakMap<CatalogEntry, CatalogEntry>()
    const follow = (entry: CatalogEntry): CatalogEntry => {
      if (!isReselling(entry.action)) return entry
      const followed = known.get(entry) ?? { ...entry, action: entry.action.seenIn(view) }
      known.set(entry, followed)
      return followed
    }
    const view: Catalog = {
      get services() {
        return own.services
      },
      get entries() {
        return seen
      },
      find(service, action) {
        const entry = ofGroup.get(`${service}/${action}`) ?? find(service, action)
        return entry && follow(entry)
      },
      unlisted: {
        find(id) {
          const entry = unlisted.find(id)
          return entry && follow(entry)
        },
        of: (accountId) => unlisted.of(accountId).map(follow),
      },
    }
    const seen = entries.map((entry) => follow(ofGroup.get(entry.id) ?? entry))
    return view
  }

  const find: Catalog['find'] = (service, action) =>
    repriced.get(`${service}/${action}`) ?? own.find(service, action)

  const catalog: PricedCatalog = {
    original,
    get services() {
      return own.services
    },
    get entries() {
      return entries
    },
    find,
    get unlisted() {
      return unlisted
    },
    reprice(overrides, groups = new Map()) {
      if (isSame(applied, overrides) && isSameForGroups(appliedToGroups, groups)) return
      applied = new Map(overrides)
      appliedToGroups = groups
      apply()
    },
    seenBy(priceGroup) {
      const overrides = priceGroup === undefined ? undefined : appliedToGroups.get(priceGroup)
      if (priceGroup === undefined || overrides === undefined) return catalog
      const view = views.get(priceGroup) ?? viewOf(overrides)
      views.set(priceGroup, view)
      return view
    },
    replace(next) {
      own = next
      apply()
    },
    replaceUnlisted(next) {
      unlisted = next
    },
    overrideOf: (id) => (repriced.has(id) ? applied.get(id) : undefined),
  }
  return catalog
}

const isReselling = (action: Action): action is ResellingAction => 'seenIn' in action

const repricedBy = (own: Catalog, overrides: Overrides): ReadonlyMap<string, CatalogEntry> =>
  new Map(
    [...overrides].flatMap(([id, override]) => {
      const entry = own.find(...splitId(id))
      const changed = entry && withPrice(entry, override)
      return changed === undefined ? [] : [[id, changed] as const]
    }),
  )

const isSameForGroups = (one: GroupOverrides, other: GroupOverrides) =>
  one.size === other.size &&
  [...one].every(([id, overrides]) => isSame(overrides, other.get(id) ?? new Map()))

const isSame = (one: Overrides, other: Overrides) =>
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
