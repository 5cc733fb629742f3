// The imports in the database.
import type { ClientBase } from 'pg'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import {
  createVersionedDocuments,
  type DocumentRevision,
  type StoredDocument,
} from '#platform/database/versioned-documents.ts'
import { readStoredApi, type SoldApi } from '../sold-api.ts'

export interface StoredSoldApi extends DocumentRevision {
  readonly sold: SoldApi
}

export interface SoldApis {
  /** As this gateway sells them. */
  current(): readonly StoredSoldApi[]
  /** Brings `current` up to date. Resolves to whether it differs. */
  follow(): Promise<boolean>
  /** From the database. */
  find(name: string): Promise<StoredSoldApi | undefined>
  revisions(name: string): Promise<readonly DocumentRevision[]>
  findRevision(name: string, revision: number): Promise<SoldApi | undefined>
  /** In the transaction of the caller. Resolves to the new revision. */
  save(sold: SoldApi, client: ClientBase): Promise<number>
  /** Saves it in place of this revision. Resolves to false where another one is sold by now. */
  replace(sold: SoldApi, revision: number, client: ClientBase): Promise<boolean>
  /** Forgets it with its revisions. Resolves to false where there is none. */
  remove(name: string, client: ClientBase): Promise<boolean>
}

export function createSoldApis({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): SoldApis {
  const documents = createVersionedDocuments({
    table: 'sold_api',
    what: 'sold API',
    readDocument: readStoredApi,
    database,
    log,
  })
  const save: SoldApis['save'] = (sold, client) => documents.save(sold.name, sold, client)
  return {
    ...documents,
    current: () => documents.current().map(asSold),
    async find(name) {
      const found = await documents.find(name)
      return found && asSold(found)
    },
    save,
    async replace(sold, revision, client) {
      const found = await documents.find(sold.name, client)
      if (found?.revision !== revision) return false
      await save(sold, client)
      return true
    },
  }
}

const asSold = ({ document, revision, savedAt }: StoredDocument<SoldApi>): StoredSoldApi => ({
  sold: document,
  revision,
  savedAt,
})
