import { fail } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'

const refuse = async () => {
  throw fail('not_found')
}

/** A caller who has no files and can store none. */
export const noFiles: CallerFiles = {
  find: refuse,
  open: refuse,
  save: refuse,
  address: refuse,
  reserve: refuse,
  release: refuse,
  expect: refuse,
  discard: refuse,
}

/** A caller who has one file, under any id, without content. */
export function oneFile(file: {
  readonly filename: string
  readonly mediaType: string
  readonly address: string
}): CallerFiles {
  const { address, ...named } = file
  const stored = { bytes: 0, sha256: '', source: 'upload', tags: [], note: null } as const
  const createdAt = new Date(0).toISOString()
  return {
    ...noFiles,
    find: async (fileId) => ({ fileId, ...named, ...stored, createdAt }),
    address: async () => address,
  }
}
