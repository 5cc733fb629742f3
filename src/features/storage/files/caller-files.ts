// The files of a caller, as actions see them.
import { rightOf } from '#core/access/open-access.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { OpenCallerFiles, StoredFile } from '#core/files.ts'
import { filename } from './actions/fields.ts'
import type { FileAddresses } from './addresses.ts'
import type { FileRow } from './file-rows.ts'
import { type FileStore, fileBytesMax } from './file-store.ts'

export function createCallerFiles({
  store,
  addresses,
}: {
  store: FileStore
  addresses: FileAddresses
}): OpenCallerFiles {
  return (caller, callId, effect) => {
    const { keyId } = rightOf(caller)
    const find = async (fileId: string) => toStored(await store.find(ownerOf(caller), fileId))

    return {
      find,
      async open(fileId, range) {
        await find(fileId)
        return await store.read(fileId, range)
      },
      async reserve({ name, ...file }) {
        if (callId === undefined || (await store.findOutput(callId, name)) !== undefined) return
        await store.reserve(caller, { ...file, output: { callId, name } }, effect)
      },
      async release(name) {
        const room = callId && (await store.findOutput(callId, name))
        if (room && room.state === 'pending') await store.remove(caller, room.fileId)
      },
      async save({ name, ...file }) {
        if (caller.kind === 'anonymous') throw fail('invalid_token')
        const output = callId === undefined ? undefined : { callId, name }
        // An earlier try of the same job has stored the file, or reserved its room.
        const earlier = output && (await store.findOutput(output.callId, name))
        if (earlier?.state === 'stored') return toStored(earlier)
        const arrival = { ...file, source: 'action', output, reserved: earlier?.fileId } as const
        return toStored(await store.add(caller, arrival, effect))
      },
      async expect({ filename: name, mediaType, bytes: announced }) {
        const bytes = announced ?? fileBytesMax
        const named = filename.safeParse(name)
        if (!named.success)
          throw fail('bad_request', {
            message: `The name of the file ${named.error.issues[0]?.message}. Nothing was charged.`,
          })
        if (bytes > fileBytesMax)
          throw fail('payload_too_large', {
            message: `A file has at most ${fileBytesMax} bytes. Nothing was charged.`,
          })
        const room = { filename: named.data, mediaType, bytes }
        const mayBeSmaller = announced === undefined
        const file = await store.reserve(caller, { ...room, mayBeSmaller }, effect)
        const putUrl = await addresses.address('upload', file, keyId)
        const getUrl = await addresses.address('download', file, keyId)
        return { fileId: file.fileId, putUrl, getUrl }
      },
      async discard(fileId) {
        await store.remove(caller, fileId)
      },
      async address(fileId) {
        const file = await store.find(ownerOf(caller), fileId)
        toStored(file)
        return await addresses.address('download', file, keyId)
      },
    }
  }
}

/** Throws `file_pending`. */
function toStored(row: FileRow): StoredFile {
  const { state, createdAt, sha256, accountId: _account, keyId: _key, ...file } = row
  if (state === 'pending' || sha256 === null) throw fail('file_pending')
  return { ...file, sha256, createdAt: createdAt.toISOString() }
}
