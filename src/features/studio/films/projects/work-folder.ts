// Copies of the caller's files for one piece of work, in a folder that is removed with it.
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CallerFiles } from '#core/files.ts'
import { createProcessFolder, sweepProcessFolders } from '#platform/process-folder.ts'

const purpose = 'film'
let swept: Promise<void> | undefined

/** `copy` answers with the path of a copy of the file. It throws `not_found`, and the reason of the signal. */
export async function withCopies<Result>(
  { files, signal }: { readonly files: Pick<CallerFiles, 'open'>; readonly signal: AbortSignal },
  work: (copy: (fileId: string, name: string) => Promise<string>) => Promise<Result>,
): Promise<Result> {
  // What killed gateways left.
  swept ??= sweepProcessFolders(purpose).catch(() => {})
  await swept
  const folder = await createProcessFolder(purpose)
  try {
    return await work(async (fileId, name) => {
      const target = path.join(folder.path, name)
      // The renderer is another user, who reads it without a further copy.
      const copy = createWriteStream(target, { mode: 0o644 })
      await pipeline(await files.open(fileId), copy, { signal })
      return target
    })
  } finally {
    await folder.remove()
  }
}
