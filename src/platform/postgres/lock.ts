import { DatabaseSync } from 'node:sqlite'

const sqliteBusy = 5

/**
 * Takes the lock that `file` stands for, or returns undefined when another process has it. Returns the function that
 * gives it back. It is a lock of the kernel's, so it ends with its holder, however that dies, and it holds between
 * containers that share the folder, where process ids mean nothing. Node has no such lock of its own, but SQLite does.
 */
export function tryLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    return () => database.close()
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined
    throw error
  }
}
