// The file store of callers.
import type { OpenCallerFiles } from '#core/files.ts'
import type { Clock, Log, UrlSigner } from '#core/ports.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import type { Database } from '#platform/database/database.ts'
import { createFileAddresses, type FileAddresses } from './addresses.ts'
import { createCallerFiles } from './caller-files.ts'
import { createFileRows } from './file-rows.ts'
import { createFileStore, type FileStore } from './file-store.ts'

export interface Files {
  readonly store: FileStore
  readonly addresses: FileAddresses
  /** The files of a caller, as actions see them. */
  readonly ofCaller: OpenCallerFiles
  close(): Promise<void>
}

export function createFiles(dependencies: {
  readonly database: Database
  readonly blobs: Blobs
  readonly signer: UrlSigner
  readonly baseUrl: () => string
  readonly quotaBytes: number
  readonly clock: Clock
  readonly log: Log
}): Files {
  const store = createFileStore({ ...dependencies, rows: createFileRows(dependencies) })
  const addresses = createFileAddresses(dependencies)
  return {
    store,
    addresses,
    ofCaller: createCallerFiles({ store, addresses }),
    close: store.close,
  }
}
