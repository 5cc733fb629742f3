// The home folders of sessions that have no box at the moment, as tar files.
import { access, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'

export interface Homes {
  /** Whole or not at all: an earlier one stays until the new one is written. */
  save(sessionId: string, box: StandingBox): Promise<void>
  /** False when nothing was saved. */
  restore(sessionId: string, box: StandingBox): Promise<boolean>
  has(sessionId: string): Promise<boolean>
  remove(sessionId: string): Promise<void>
  /** How many are being written. */
  saving(): number
}

export function createHomes(folder: string): Homes {
  let saving = 0
  const fileOf = (sessionId: string) => path.join(folder, `${sessionId}.tar`)
  const has = (sessionId: string) =>
    access(fileOf(sessionId)).then(
      () => true,
      () => false,
    )

  return {
    has,
    saving: () => saving,
    async save(sessionId, box) {
      const part = `${fileOf(sessionId)}.part`
      saving += 1
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await box.save(part)
        await rename(part, fileOf(sessionId))
      } finally {
        saving -= 1
        await rm(part, { force: true })
      }
    },
    async restore(sessionId, box) {
      if (!(await has(sessionId))) return false
      await box.restore(fileOf(sessionId))
      return true
    },
    async remove(sessionId) {
      await rm(fileOf(sessionId), { force: true })
      await rm(`${fileOf(sessionId)}.part`, { force: true })
    },
  }
}
