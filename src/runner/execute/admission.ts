// The right of a caller to what a call names: ids, files, and the calls that it orders.
import type { Keys } from '#accounts/keys/keys.ts'
import type { OrderedCall } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import type { FileNeed } from '#core/calls/file-need.ts'
import { type CatalogEntry, isFor, noAction, splitId } from '#core/catalog.ts'
import { fail, toCallError } from '#core/errors.ts'
import type { CallerFiles, OpenCallerFiles, StoredFile } from '#core/files.ts'
import { validateCall } from '#core/input/validate.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Handles } from './handles.ts'

/** Where the rights of callers are looked up. */
export interface Rights {
  readonly handles: Pick<Handles, 'isOwner'>
  readonly payments: Pick<Payments, 'hasPaidTopUp'>
  readonly filesOf: OpenCallerFiles
  readonly keys: Pick<Keys, 'findForbidden'>
}

/**
 * Throws `not_found` for an id of another caller, `file_pending`, `bad_request` for a file that the call cannot read,
 * `paid_topup_required`, `forbidden` for an action that the caller's key may not order.
 */
export type Admit = (entry: CatalogEntry, input: unknown, caller: Caller) => Promise<void>

export function createAdmit(
  resolve: (service: string, action: string) => CatalogEntry,
  { handles, payments, filesOf, keys }: Rights,
): Admit {
  /** Throws what the ordered call by itself would be refused for. */
  async function admitOrder({ id, name, body }: OrderedCall, caller: Caller) {
    try {
      const entry = resolve(...splitId(id))
      requireOwner(entry, caller)
      if (body === undefined) return await admitTopUp(entry, caller)
      await admit(entry, validateCall(entry.action, body).input, caller)
    } catch (thrown) {
      const { code, message, data } = toCallError(thrown)
      throw fail(code, { message: `${name}: ${message}`, data, cause: thrown })
    }
  }

  async function admitTopUp({ action }: CatalogEntry, caller: Caller) {
    if (!action.paidTopUpRequired || caller.kind !== 'account') return
    if (!(await payments.hasPaidTopUp(caller.accountId))) throw fail('paid_topup_required')
  }

  async function admit(entry: CatalogEntry, input: unknown, caller: Caller): Promise<void> {
    const { action, service } = entry
    requireOwner(entry, caller)
    await admitTopUp(entry, caller)
    const ordered = action.orders?.(input) ?? []
    const chosen = ordered.filter(({ included }) => !included)
    if (caller.kind === 'account' && caller.isLimited && chosen.length > 0) {
      // Free actions stay open.
      const priced = chosen.filter(({ id }) => resolve(...splitId(id)).action.price !== 'free')
      const forbidden = await keys.findForbidden(
        caller.keyId,
        priced.map(({ id }) => id),
      )
      if (forbidden !== undefined)
        throw fail('forbidden', {
          message: `This API key may not call ${forbidden}. Use another key.`,
        })
    }
    for (const order of ordered) await admitOrder(order, caller)
    const files = filesOf(caller, undefined)
    await action.admits?.(input, caller, files)
    for (const need of action.reads?.(input) ?? []) await findNeeded(files, need)
    const handle = action.owned?.(input)
    if (handle === undefined) return
    if (await handles.isOwner(ownerOf(caller), service.provider.id, handle)) return
    throw fail('not_found', {
      message: `Your account has no ${handle.kind} with this id. Send the id from the answer of the call that started it. Nothing was charged.`,
    })
  }

  return admit
}

function requireOwner(entry: CatalogEntry, { accountId }: Caller) {
  if (!isFor(entry, accountId)) throw noAction(entry.id)
}

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
