import { fail } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'

const refuse = async () => {
  throw fail('not_found')
}

/** A caller who has no files and can store none. */
export const noFiles: CallerFiles = { find: refuse, open: refuse, save: refuse, address: refuse }
