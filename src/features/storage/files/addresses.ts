// Addresses at which files are sent and fetched without a credential: of this gateway, or of the store of bytes itself.
import type { AccessRight } from '#core/access/open-access.ts'
import { readAddress, type SignedQuery, signAddress } from '#core/access/signed-address.ts'
import type { Clock, UrlSigner } from '#core/ports.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import type { FileRow } from './file-rows.ts'
import { addressLifetimeMs } from './file-store.ts'
import { dispositionOf } from './serving.ts'

const purposes = { upload: 'file upload', download: 'file download' } as const

type FileAccess = keyof typeof purposes
type AddressedFile = Pick<
  FileRow,
  'fileId' | 'state' | 'bytes' | 'mayBeSmaller' | 'filename' | 'mediaType'
>

export interface FileAddresses {
  /**
   * The address that takes the bytes of a file, or serves them. Valid for an hour, and only as long as the right of the
   * one who asked for it. An address of the store itself is valid for the whole hour.
   */
  address(access: FileAccess, file: AddressedFile, keyId: string | null): Promise<string>
  /** The address at the store that serves a stored file. Undefined where this gateway serves it. */
  elsewhere(file: AddressedFile): Promise<string | undefined>
  /** Whose address it is. Undefined for one that is invalid or has expired. */
  read(
    access: FileAccess,
    fileId: string,
    query: SignedQuery,
  ): Pick<AccessRight, 'keyId'> | undefined
}

const filePath = '/api/files/'

export function createFileAddresses(dependencies: {
  readonly signer: UrlSigner
  readonly blobs: Pick<Blobs, 'direct'>
  readonly clock: Clock
  readonly baseUrl: () => string
}): FileAddresses {
  const { signer, blobs, clock, baseUrl } = dependencies
  const expiresInMs = addressLifetimeMs

  const elsewhere: FileAddresses['elsewhere'] = async (file) =>
    await blobs.direct?.getAddress(file.fileId, {
      mediaType: file.mediaType,
      disposition: dispositionOf(file),
      expiresInMs,
    })

  function here(access: FileAccess, fileId: string, keyId: string | null): string {
    const signed = { purpose: purposes[access], subject: fileId, keyId }
    const grant = signAddress(signer, signed, clock.now() + expiresInMs)
    return `${baseUrl()}${filePath}${fileId}?${grant}`
  }

  return {
    elsewhere,
    async address(access, file, keyId) {
      const { fileId, state, bytes, mayBeSmaller } = file
      // The store signs an exact length, so an upload of unknown size comes to this gateway.
      if (access === 'upload' && mayBeSmaller) return here(access, fileId, keyId)
      const direct =
        access === 'upload'
          ? await blobs.direct?.putAddress(fileId, { bytes, expiresInMs })
          : // The store cannot serve a file before this gateway has seen that it has arrived.
            state === 'stored'
            ? await elsewhere(file)
            : undefined
      return direct ?? here(access, fileId, keyId)
    },
    read: (access, fileId, query) =>
      readAddress(signer, { purpose: purposes[access], subject: fileId }, query),
  }
}
