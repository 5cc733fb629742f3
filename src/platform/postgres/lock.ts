import { DatabaseSync } from 'node:sqlite'
import { membersOf } from '#core/input/members.ts'

const sqliteBusy = 5

/**
 * Takes the lock of `file` and returns a function that releases it, or returns undefined if another process holds it.
 * The kernel releases the lock when its holder dies, and it also works between containers that share the folder, where
 * process ids cannot be compared. Node has no such lock of its own, so SQLite's is used.
 */
export function tryLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    return () => database.close()
  } catch (error) {
    database.close()
    if (membersOf(error).errcode === sqliteBusy) return undefined
    throw error
  }
}
