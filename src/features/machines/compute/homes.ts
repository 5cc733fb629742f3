// The home folders of sessions that have no box at the moment, as tar files.
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { fail } from '#core/errors.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'

export interface Homes {
  /** Reserves room for the home of a new session. Throws `unavailable` when the quota of this machine is used up. */
  admit(sessionId: string): Promise<void>
  /** A home in a box may grow to its limit. One that goes on is never refused. */
  reserve(sessionId: string): void
  /** The home has no box now, and takes what it was saved with. */
  release(sessionId: string): void
  /** Whole or not at all: an earlier one stays until the new one is written. */
  save(sessionId: string, box: StandingBox): Promise<void>
  /** False when nothing was saved. */
  restore(sessionId: string, box: StandingBox): Promise<boolean>
  has(sessionId: string): Promise<boolean>
  remove(sessionId: string): Promise<void>
  /** How many are being written. */
  saving(): number
}

export interface HomesQuota {
  /** Of all homes on this machine. */
  readonly bytesMax: number
  /** Of one home. */
  readonly homeBytes: number
}

/** A tar file has the names and modes of files too, and a home of many small files has many. */
const roomForNames = 64e6

export function createHomes(folder: string, { bytesMax, homeBytes }: HomesQuota): Homes {
  let saving = 0
  const reserved = new Set<string>()
  const fileOf = (sessionId: string) => path.join(folder, `${sessionId}.tar`)
  const has = (sessionId: string) =>
    access(fileOf(sessionId)).then(
      () => true,
      () => false,
    )

  /** Without what is being written: its room is reserved. */
  async function bytesAtRest(): Promise<number> {
    const names = await readdir(folder).catch(() => [])
    const atRest = names.filter((name) => {
      const { name: sessionId, ext } = path.parse(name)
      return ext === '.tar' && !reserved.has(sessionId)
    })
    const sizes = await Promise.all(
      atRest.map((name) =>
        stat(path.join(folder, name)).then(
          ({ size }) => size,
          // It was removed meanwhile.
          () => 0,
        ),
      ),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  return {
    async admit(sessionId) {
      reserved.add(sessionId)
      if ((await bytesAtRest()) + reserved.size * homeBytes <= bytesMax) return
      reserved.delete(sessionId)
      throw fail('unavailable', {
        message:
          'This machine keeps as many files of sessions as it may. Nothing was charged; close a session that you do not need, or open one of sess_a, whose files are not kept.',
      })
    },
    reserve: (sessionId) => void reserved.add(sessionId),
    release: (sessionId) => void reserved.delete(sessionId),
    has,
    saving: () => saving,
    async save(sessionId, box) {
      const part = `${fileOf(sessionId)}.part`
      saving += 1
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await box.save(part, homeBytes + roomForNames)
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
      reserved.delete(sessionId)
      await rm(fileOf(sessionId), { force: true })
      await rm(`${fileOf(sessionId)}.part`, { force: true })
    },
  }
}
