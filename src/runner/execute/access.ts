// What a call needs before it runs: an action that this gateway offers, a valid body, and a right to the ids in it.

import type { Action } from '#core/action.ts'
import { type Catalog, type CatalogEntry, findAny, noAction, splitId } from '#core/catalog.ts'
import { errorTable, fail, toCallError } from '#core/errors.ts'
import { type ValidCall, validateCall } from '#core/input/validate.ts'
import { centsToMicros } from '#core/money.ts'
import { type PriceRange, priceRange } from '#core/price.ts'
import type { ProviderBudgets } from '../providers/budgets.ts'
import { type Admit, createAdmit, type Rights } from './admission.ts'

export interface CallCost {
  /** It runs a language model, or orders an action that does. */
  readonly inference: boolean
  /** It asks no model and no vendor, and takes little processor time, so that it costs nothing, however it ends. */
  readonly costless: boolean
}

export interface Access {
  /** Throws `not_found`, `provider_not_configured`. */
  /** `isBegun`: for a job that may have begun before its provider’s budget of the day was used up. */
  resolve(service: string, action: string, terms?: { isBegun?: boolean }): CatalogEntry
  /** Whether `resolve` would find the action; with `vendor`, provided by a vendor and not by this machine. */
  isAvailable(id: string, by?: 'vendor'): boolean
  readonly admit: Admit
  /** Whether it runs a language model, or orders an action that does. */
  isInference(entry: CatalogEntry, input: unknown): boolean
  /** What it may cost the operator. */
  costOf(entry: CatalogEntry, input: unknown): CallCost
  /** The input as its caller sees it later. */
  shown(action: string, input: unknown): unknown
  /** Throws `bad_request` for an invalid body, and as `resolve` does for an action that the call needs. */
  validate(entry: CatalogEntry, body: unknown): ValidCall
}

export function createAccess({
  catalog,
  budgets,
  ...rights
}: { catalog: Catalog; budgets: Pick<ProviderBudgets, 'reasonOf'> } & Rights): Access {
  const admit = createAdmit(resolve, rights)

  function resolve(service: string, action: string, { isBegun = false } = {}): CatalogEntry {
    const id = `${service}/${action}`
    const entry = findAny(catalog, id)
    if (entry === undefined) throw noAction(id)
    const goesOn = isBegun && budgets.reasonOf(entry.service.provider.id) !== undefined
    if (!isOffered(entry) && !goesOn) throw notConfigured(entry)
    return entry
  }

  const isInference: Access['isInference'] = ({ action }, input) =>
    action.inference === true ||
    action.mayInfer?.(input) === true ||
    ordersOf(action, input).some((id) => mayOrderInference(findAny(catalog, id)))

  return {
    resolve,
    async admit(entry, input, caller) {
      const reason = budgets.reasonOf(entry.service.provider.id)
      if (reason !== undefined) throw notConfigured({ ...entry, reason })
      await admit(entry, input, caller)
    },
    isAvailable(id, by) {
      const entry = catalog.find(...splitId(id))
      return isOffered(entry) && (by === undefined || entry?.mode !== 'embedded')
    },
    isInference,
    shown: (id, input) => findAny(catalog, id)?.action.sentOf?.(input) ?? input,
    costOf(entry, input) {
      const inference = isInference(entry, input)
      return {
        inference,
        costless: isOwnWork(entry) && !entry.action.spendsProcessor && !inference,
      }
    },
    validate({ action }, body) {
      const call = validateCall(action, body)
      const needs = [...(action.needs?.(call.input) ?? []), ...ordersOf(action, call.input)]
      for (const need of needs) {
        const { id, by } = typeof need === 'string' ? { id: need, by: undefined } : need
        const needed = resolve(...splitId(id))
        if (by === 'vendor' && needed.mode === 'embedded') throw notConfigured(needed)
      }
      return call
    },
  }
}

const ordersOf = ({ orders }: Action, input: unknown): readonly string[] =>
  (orders?.(input) ?? []).map(({ id }) => id)

/** Whether this machine or an open registry does it, and needs no one else. */
const isOwnWork = ({ mode, service: { provider, buys } }: CatalogEntry) =>
  mode !== 'live' && buys !== true && provider.runsOthers !== true && provider.through === undefined

/** Without the input of the order. */
const mayOrderInference = (entry: CatalogEntry | undefined): boolean =>
  entry?.action.inference === true || entry?.action.mayInfer !== undefined

/** A quote waits this long for a seller's price. */
const estimateTimeoutMs = 15_000

/**
 * The seller's price for this call, if the action can find it out. Null: the seller did not answer, and the catalog's
 * applies.
 */
export async function estimatePrice(
  { action, service }: CatalogEntry,
  input: unknown,
): Promise<PriceRange | null | undefined> {
  const http = service.http.withSignal(AbortSignal.timeout(estimateTimeoutMs))
  const found = await action.estimate?.({ input, http }).catch((thrown) => {
    const error = toCallError(thrown)
    if (!errorTable[error.code].retryable) throw error
    return null
  })
  if (found === undefined || found === null) return found
  const { min, max } = priceRange(action.price, input)
  return {
    min: Math.max(min, centsToMicros(found.minCents)),
    max: found.maxCents === undefined ? max : Math.min(max, centsToMicros(found.maxCents)),
  }
}

export function notConfigured({ id, service, reason = service.reason ?? '' }: CatalogEntry) {
  const message = `${id} has no provider on this gateway for this call. ${reason}`.trim()
  return fail('provider_not_configured', { message })
}

function isOffered(entry: CatalogEntry | undefined): boolean {
  return entry !== undefined && entry.mode !== 'unavailable'
}
