// Signed addresses of files on this gateway. They need no credential.
import type { Clock, UrlSigner } from '#core/ports.ts'
import { addressLifetimeMs } from './file-store.ts'

const purposes = { upload: 'file upload', download: 'file download' } as const

type FileAccess = keyof typeof purposes

export interface FileAddresses {
  /** The address that serves a file, or that takes its bytes. Valid for an hour. */
  address(access: FileAccess, fileId: string): string
  accepts(access: FileAccess, fileId: string, query: { exp?: unknown; sig?: unknown }): boolean
}

const filePath = '/api/files/'

export function createFileAddresses(dependencies: {
  readonly signer: UrlSigner
  readonly clock: Clock
  readonly baseUrl: () => string
}): FileAddresses {
  const { signer, clock, baseUrl } = dependencies
  return {
    address: (access, fileId) =>
      `${baseUrl()}${filePath}${fileId}?${signer.sign(purposes[access], fileId, clock.now() + addressLifetimeMs)}`,
    accepts: (access, fileId, query) => signer.accepts(purposes[access], fileId, query),
  }
}
