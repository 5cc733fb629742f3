// The operator's own prices, and what they sell. A gateway reads both again before it quotes or shows a price, unless
// it did within the last quarter of a second. A change is answered after this time: from then on no gateway that shares
// the database quotes an earlier price.
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { trustedMs } from '#accounts/keys/authentication.ts'
import { type CatalogEntry, findAny } from '#core/catalog.ts'
import type { Log } from '#core/ports.ts'
import { amountOf, millionthsPerOne, type Override } from '#core/pricing/override.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import { readGroupOverrides } from './group-prices.ts'
import { type OverrideRow, overrideOf } from './override-row.ts'

export interface PriceOverride {
  /** `service/action` */
  readonly action: string
  readonly override: Override
  readonly setAt: Date
}

export interface PriceOverrides {
  /** Follows the overrides. */
  readonly catalog: PricedCatalog
  /**
   * The entry at the price that holds now, for accounts of this group if one is named. Throws `unavailable` for an
   * action that is not free while the database does not answer: its price may have changed.
   */
  current(entry: CatalogEntry, priceGroup?: string | undefined): Promise<CatalogEntry>
  /** Brings the catalog up to date before it is shown. Keeps the known prices while the database does not answer. */
  follow(): Promise<void>
  /** As `follow`, for work that another gateway has admitted: waits, and throws while the database does not answer. */
  refresh(): Promise<void>
  /** By their actions. The catalog may no longer have an action, or have another form of price for it. */
  list(): Promise<readonly PriceOverride[]>
  /**
   * In the transaction of the caller, who waits for `untilNoLongerTrusted` after the commit. `entry` is that of the
   * catalog.
   */
  set(entry: CatalogEntry, override: Override, client: ClientBase): Promise<void>
  /** As `set`. Resolves to false when the action has no override. */
  remove(action: string, client: ClientBase): Promise<boolean>
  close(): Promise<void>
}

/** Work that goes on without requests, such as the steps of a plan, follows a change within this time. */
const pollIntervalMs = 1_000
/** The longest that a description waits for current prices. */
const followMsMax = 1_000
/** After a failure, descriptions show the known prices for this time without waiting. */
const retryAfterMs = 1_000

const readPrices = {
  name: 'price-overrides',
  text: 'select action, micros, factor from price_override',
}

interface Dependencies {
  readonly database: Database
  readonly catalog: PricedCatalog
  /** Brings what is sold up to date, with the prices. */
  readonly followOffers: () => Promise<void>
}

/** Resolves once the prices were read for the first time. */
export async function openPriceOverrides({
  log,
  ...dependencies
}: Dependencies & { log: Log }): Promise<PriceOverrides> {
  const { database, catalog } = dependencies
  const { refresh, follow } = createRefresh(dependencies)
  await refresh()
  const polling = runEvery(pollIntervalMs, refresh, (error) =>
    log.debug({ err: error }, 'The prices of the operator were not read.'),
  )

  return {
    catalog,
    follow,
    refresh,
    async current(entry, priceGroup) {
      await (entry.action.price === 'free' ? follow() : refresh())
      return findAny(catalog.seenBy(priceGroup), entry.id) ?? entry
    },
    async list() {
      const rows = await database.query<OverrideRow & Pick<PriceOverride, 'setAt'>>(
        'select action, micros, factor, set_at as "setAt" from price_override order by action',
      )
      return rows.map(({ action, setAt, ...row }) => ({
        action,
        setAt,
        override: overrideOf({ action, ...row }),
      }))
    },
    async set({ id, action: { price } }, override, client) {
      const { micros, factor } = { micros: null, factor: null, ...override }
      await client.query(
        `insert into price_override (action, micros, factor) values ($1, $2, $3)
         on conflict (action) do update set micros = excluded.micros, factor = excluded.factor, set_at = now()`,
        [id, micros, factor],
      )
      const [now, then] = [micros ?? factor, amountOf(price) ?? millionthsPerOne]
      await client.query('select note_price_change($1, $2, $3)', [id, now, then])
    },
    async remove(action, client) {
      const { rowCount } = await client.query('delete from price_override where action = $1', [
        action,
      ])
      if (rowCount !== 1) return false
      await client.query('select note_price_change($1, 1, 1)', [action])
      return true
    },
    close: polling.close,
  }
}

/**
 * Reads the prices unless they are trusted. `follow` is for descriptions: it waits for a moment only, and never throws.
 */
function createRefresh({ database, catalog, followOffers }: Dependencies) {
  let trustedUntilMs = 0
  let failedUntilMs = 0
  let reading: Promise<void> | undefined

  async function read() {
    // Trust counts from before the database looks, by a clock that is never set back.
    const askedAtMs = performance.now()
    try {
      const [rows, groups] = await Promise.all([
        database.queryTogether<OverrideRow>(readPrices),
        readGroupOverrides(database),
        followOffers(),
      ])
      catalog.reprice(new Map(rows.map((row) => [row.action, overrideOf(row)])), groups)
      trustedUntilMs = askedAtMs + trustedMs
    } catch (error) {
      failedUntilMs = performance.now() + retryAfterMs
      throw error
    }
  }

  const isTrusted = () => performance.now() < trustedUntilMs

  async function refresh() {
    if (isTrusted()) return
    // A look that began before this request may have missed a change that was answered meanwhile.
    if (reading !== undefined) await reading
    if (isTrusted()) return
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
  }

  async function follow() {
    if (isTrusted() || performance.now() < failedUntilMs) return
    await Promise.race([refresh(), delay(followMsMax, undefined, { ref: false })]).catch(() => {})
  }

  return { refresh, follow }
}
