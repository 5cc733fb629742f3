// What a call needs before it runs: an action that this gateway offers, a valid body, and a right to the ids in it.

import type { Keys } from '#accounts/keys/keys.ts'
import type { FileNeed } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import { type Catalog, type CatalogEntry, splitId } from '#core/catalog.ts'
import { errorTable, fail, toCallError } from '#core/errors.ts'
import type { CallerFiles, OpenCallerFiles, StoredFile } from '#core/files.ts'
import { type ValidCall, validateCall } from '#core/input/validate.ts'
import { centsToMicros } from '#core/money.ts'
import { type PriceRange, priceRange } from '#core/price.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Handles } from './handles.ts'

export interface Access {
  /** Throws `not_found`, `provider_not_configured`. */
  resolve(service: string, action: string): CatalogEntry
  /** Whether `resolve` would find the action; with `vendor`, provided by a vendor and not by this machine. */
  isAvailable(id: string, by?: 'vendor'): boolean
  /**
   * Checks what the call needs of its caller. Throws `not_found` for a vendor-issued id of another caller, `bad_request` for a
   * file that it cannot read, `paid_topup_required`, `forbidden` for an action that the caller's key may not order.
   */
  admit(entry: CatalogEntry, input: unknown, caller: Caller): Promise<void>
  /** Whether it runs a language model, or orders an action that does. */
  isInference(entry: CatalogEntry, input: unknown): boolean
  /** Throws `bad_request` for an invalid body, and as `resolve` does for an action that the call needs. */
  validate(entry: CatalogEntry, body: unknown): ValidCall
}

export function createAccess({
  catalog,
  handles,
  payments,
  filesOf,
  keys,
}: {
  catalog: Catalog
  handles: Pick<Handles, 'isOwner'>
  payments: Pick<Payments, 'hasPaidTopUp'>
  filesOf: OpenCallerFiles
  keys: Pick<Keys, 'findForbidden'>
}): Access {
  function resolve(service: string, action: string): CatalogEntry {
    const entry = catalog.find(service, action)
    if (entry === undefined) {
      throw fail('not_found', {
        message: `There is no action ${service}/${action}. GET /api/run lists all actions.`,
      })
    }
    if (!isOffered(entry)) throw notConfigured(entry)
    return entry
  }

  return {
    resolve,
    isAvailable(id, by) {
      const entry = catalog.find(...splitId(id))
      return isOffered(entry) && (by === undefined || entry?.mode !== 'embedded')
    },
    async admit({ action, service }, input, caller) {
      const isAccount = caller.kind === 'account'
      if (action.paidTopUpRequired && isAccount && !(await payments.hasPaidTopUp(caller.accountId)))
        throw fail('paid_topup_required')
      const ordered = action.orders?.(input) ?? []
      if (caller.kind === 'account' && caller.isLimited && ordered.length > 0) {
        const forbidden = await keys.findForbidden(caller.keyId, ordered)
        if (forbidden !== undefined)
          throw fail('forbidden', {
            message: `This API key may not call ${forbidden}. Use another key.`,
          })
      }
      const files = filesOf(caller, undefined)
      for (const need of action.reads?.(input) ?? []) await findNeeded(files, need)
      const handle = action.owned?.(input)
      if (handle === undefined) return
      if (await handles.isOwner(ownerOf(caller), service.provider.id, handle)) return
      throw fail('not_found', {
        message: `Your account has no ${handle.kind} with this id. Send the id from the answer of the call that started it. Nothing was charged.`,
      })
    },
    isInference: ({ action }, input) =>
      action.inference === true ||
      action.mayInfer?.(input) === true ||
      (action.orders?.(input) ?? []).some((id) => mayOrderInference(catalog.find(...splitId(id)))),
    validate({ action }, body) {
      const call = validateCall(action, body)
      const needs = [...(action.needs?.(call.input) ?? []), ...(action.orders?.(call.input) ?? [])]
      for (const need of needs) {
        const { id, by } = typeof need === 'string' ? { id: need, by: undefined } : need
        const needed = resolve(...splitId(id))
        if (by === 'vendor' && needed.mode === 'embedded') throw notConfigured(needed)
      }
      return call
    },
  }
}

/** Without the input of the order. */
const mayOrderInference = (entry: CatalogEntry | undefined): boolean =>
  entry?.action.inference === true || entry?.action.mayInfer !== undefined

async function findNeeded(files: CallerFiles, { fileId, mediaTypes, field }: FileNeed) {
  const refuse = (what: string) =>
    fail('bad_request', { message: `${field} ${what} Nothing was charged.`, data: { field } })
  const file: StoredFile = await files.find(fileId).catch((thrown) => {
    const { code } = toCallError(thrown)
    if (code === 'not_found')
      throw refuse('is not a file of yours. Store it with files/upload and send its file_id.')
    if (code === 'file_pending')
      throw refuse('names a file whose bytes have not arrived. PUT them to its put_url first.')
    throw thrown
  })
  if (!mediaTypes.includes(file.mediaType))
    throw refuse(`is ${file.mediaType}, by its content. Send one of ${mediaTypes.join(', ')}.`)
}

/** A quote waits this long for a seller's price. */
const estimateTimeoutMs = 15_000

/** The seller's price for this call, if the action can find it out. */
export async function estimatePrice(
  { action, service }: CatalogEntry,
  input: unknown,
): Promise<PriceRange | undefined> {
  const http = service.http.withSignal(AbortSignal.timeout(estimateTimeoutMs))
  const found = await action.estimate?.({ input, http }).catch((thrown) => {
    const error = toCallError(thrown)
    // Without an answer from the seller, the price in the catalog applies.
    if (!errorTable[error.code].retryable) throw error
    return undefined
  })
  if (found === undefined) return undefined
  const { min, max } = priceRange(action.price, input)
  return {
    min: Math.max(min, centsToMicros(found.minCents)),
    max: found.maxCents === undefined ? max : Math.min(max, centsToMicros(found.maxCents)),
  }
}

function notConfigured({ id, service, reason = service.reason ?? '' }: CatalogEntry) {
  const message = `${id} has no provider on this gateway for this call. ${reason}`.trim()
  return fail('provider_not_configured', { message })
}

function isOffered(entry: CatalogEntry | undefined): boolean {
  return entry !== undefined && entry.mode !== 'unavailable'
}
