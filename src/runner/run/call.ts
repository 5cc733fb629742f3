// A call of an account, and its answer.
import type { AccountCaller } from '#core/caller.ts'
import type { CallListener } from '#core/calls/call-listener.ts'
import type { CatalogEntry } from '#core/catalog.ts'

export interface CallRequest {
  readonly entry: CatalogEntry
  readonly body: unknown
  readonly caller: AccountCaller
  readonly idempotencyKey?: string | undefined
  readonly listener?: CallListener | undefined
}

export interface CallResponse {
  /** The success envelope, as JSON text. */
  readonly body: string
  /** This is the stored answer of an earlier call. */
  readonly replayed: boolean
}
