// The caller's file behind imported media. The caller may delete it at any time.
import { CallError } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'

export const fileDeleted = 'Its file was deleted. Import it again.'

export const isFileThere = (files: Pick<CallerFiles, 'find'>, fileId: string): Promise<boolean> =>
  files.find(fileId).then(
    () => true,
    (thrown) => {
      if (thrown instanceof CallError && thrown.code === 'not_found') return false
      throw thrown
    },
  )
