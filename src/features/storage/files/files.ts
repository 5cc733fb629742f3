// The file store of callers.
import type { OpenCallerFiles } from '#core/files.ts'
import type { Clock, Log, UrlSigner } from '#core/ports.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import type { Database } from '#platform/database/database.ts'
import { createEgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { createDelete } from './actions/delete.ts'
import { createGet } from './actions/get.ts'
import { createList } from './actions/list.ts'
import { createUpload } from './actions/upload.ts'
import { createUploadFromUrl } from './actions/upload-from-url.ts'
import { createFileAddresses, type FileAddresses } from './addresses.ts'
import { createCallerFiles } from './caller-files.ts'
import { createFileRows, type FileRows } from './file-rows.ts'
import { createFileStore, type FileStore } from './file-store.ts'

export interface Files {
  /** The namespace `files`. */
  readonly provider: Provider
  readonly store: FileStore
  readonly addresses: FileAddresses
  /** What accounts store, and may store. */
  readonly quotas: Pick<FileRows, 'list' | 'usage' | 'setQuota'>
  readonly list: FileRows['list']
  /** The files of a caller, as actions see them. */
  readonly ofCaller: OpenCallerFiles
  close(): Promise<void>
}

export function createFiles(dependencies: {
  readonly database: Database
  readonly blobs: Blobs
  readonly signer: UrlSigner
  readonly baseUrl: () => string
  readonly guard: EgressGuard
  readonly quotaBytes: number
  readonly clock: Clock
  readonly log: Log
}): Files {
  const { guard } = dependencies
  const rows = createFileRows(dependencies)
  const store = createFileStore({ ...dependencies, rows })
  const fetcher = createEgressFetcher({ guard })
  const addresses = createFileAddresses(dependencies)
  const provider = defineProvider({
    id: 'files',
    title: 'File store',
    actions: [
      createUpload({ store, addresses }),
      createUploadFromUrl({ store, addresses, guard, fetcher }),
      createGet({ store, addresses }),
      createList({ rows }),
      createDelete({ store }),
    ],
  })
  return {
    provider,
    store,
    addresses,
    quotas: rows,
    list: rows.list,
    ofCaller: createCallerFiles({ store, addresses }),
    async close() {
      await Promise.all([store.close(), fetcher.close()])
    },
  }
}
