// The files of a caller, as actions see them.
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { OpenCallerFiles, StoredFile } from '#core/files.ts'
import type { FileAddresses } from './addresses.ts'
import type { FileRow } from './file-rows.ts'
import type { FileStore } from './file-store.ts'

export function createCallerFiles({
  store,
  addresses,
}: {
  store: FileStore
  addresses: FileAddresses
}): OpenCallerFiles {
  return (caller, callId) => {
    const find = async (fileId: string) => toStored(await store.find(ownerOf(caller), fileId))

    /** What an earlier try of the same job has stored. */
    async function earlier(name: string): Promise<StoredFile | undefined> {
      if (callId === undefined) return undefined
      const file = await store.findOutput(callId, name)
      if (file === undefined) return undefined
      if (file.state === 'stored') return toStored(file)
      await store.remove(caller, file.fileId)
      return undefined
    }

    return {
      find,
      async open(fileId, range) {
        await find(fileId)
        return await store.read(fileId, range)
      },
      async reserve({ name, ...file }) {
        if (callId === undefined || (await store.findOutput(callId, name)) !== undefined) return
        await store.reserve(caller, { ...file, output: { callId, name } })
      },
      async save({ name, ...file }) {
        if (caller.kind === 'anonymous') throw fail('invalid_token')
        const output = callId === undefined ? undefined : { callId, name }
        return (
          (await earlier(name)) ??
          toStored(await store.add(caller, { ...file, source: 'action', output }))
        )
      },
      async discard(fileId) {
        await store.remove(caller, fileId)
      },
      async address(fileId) {
        const file = await store.find(ownerOf(caller), fileId)
        toStored(file)
        return await addresses.address('download', file)
      },
    }
  }
}

/** Throws `file_pending`. */
function toStored({ state, createdAt, sha256, ...file }: FileRow): StoredFile {
  if (state === 'pending' || sha256 === null) throw fail('file_pending')
  return { ...file, sha256, createdAt: createdAt.toISOString() }
}
