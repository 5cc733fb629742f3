// The files of callers, and where their bytes are kept.
import path from 'node:path'
import { createFiles, type Files } from '#features/files/files.ts'
import { openLocalBlobs } from '#platform/blobs/local.ts'
import type { AppContext } from './context.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

const bytesPerMegabyte = 1_000_000

export async function openFiles(
  { config, clock, log, baseUrl, onClose }: AppContext,
  { database, signer }: Store,
  { guard }: Pick<ReadingRoom, 'guard'>,
): Promise<Files> {
  const blobs = await openLocalBlobs({ directory: path.join(config.DATA_DIR, 'files'), clock })
  const files = createFiles({
    ...{ database, blobs, signer, baseUrl, guard, clock, log },
    quotaBytes: config.FILES_QUOTA_MB * bytesPerMegabyte,
  })
  onClose(files.close)
  return files
}
