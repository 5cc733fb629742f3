// The files of callers, and where their bytes are kept.
import path from 'node:path'
import type { Clock } from '#core/ports.ts'
import { createFiles, type Files } from '#features/storage/files/files.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import { openLocalBlobs } from '#platform/blobs/local.ts'
import type { Config } from '../config.ts'
import type { AppContext } from './context.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

const bytesPerMegabyte = 1_000_000

export async function openFiles(
  { config, clock, log, baseUrl, onClose }: AppContext,
  { database, signer }: Store,
  { guard }: Pick<ReadingRoom, 'guard'>,
): Promise<Files> {
  const blobs = await openBlobs(config, clock)
  const files = createFiles({
    database,
    blobs,
    signer,
    baseUrl,
    guard,
    clock,
    log,
    quotaBytes: config.FILES_QUOTA_MB * bytesPerMegabyte,
  })
  onClose(files.close)
  return files
}

const endpointOf = ({ S3_ENDPOINT, S3_REGION }: Config) =>
  S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`

/** The address below which callers send and read files, if it is not the gateway's own. */
export const fileStoreOf = (config: Config): string | undefined =>
  config.S3_BUCKET && new URL(`/${config.S3_BUCKET}/`, endpointOf(config)).href

async function openBlobs(config: Config, clock: Clock): Promise<Blobs> {
  const directory = path.join(config.DATA_DIR, 'files')
  const { S3_BUCKET: bucket, S3_REGION: region } = config
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (bucket === undefined) return await openLocalBlobs({ directory, clock })
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(
      'The configuration is invalid. S3_BUCKET is set without S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    )
  const settings = {
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    endpoint: endpointOf(config),
  }
  // Only gateways with a bucket need its code.
  const { openS3Blobs } = await import('#platform/blobs/s3.ts')
  return await openS3Blobs(settings, { directory, clock })
}
