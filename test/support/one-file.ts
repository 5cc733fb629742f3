import { type CallerFiles, noFiles } from '#core/files.ts'

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
