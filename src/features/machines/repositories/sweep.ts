// Finishes what a killed gateway began: measures repositories whose push was cut off, and removes what it was making or
// removing. A folder with commits is never removed for lack of a row: the gateway may have been started on another
// database.
import { uuidv7Ms } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import { runEvery } from '#platform/recurring.ts'
import type { Folders } from './folders.ts'
import type { RepositoryRows } from './repository-rows.ts'

const firstMeasureAfterMs = 1_000
/** Short, since the programs of a killed gateway may end a moment after the first try. */
const measureIntervalMs = 5_000
const removalIntervalMs = 60_000
/** A new repository gets its row within this time after its folder. */
const orphanAgeMs = 600_000

export function createSweep(dependencies: {
  readonly rows: Pick<RepositoryRows, 'get' | 'settleHere' | 'unmeasured'>
  readonly folders: Folders
  readonly measure: (id: string) => Promise<boolean>
  readonly clock: Clock
  readonly log: Log
  readonly isOn: boolean
}) {
  const { rows, folders, measure, clock, log, isOn } = dependencies
  let isClosed = false

  async function removeOrphans() {
    const ids = await folders.ids()
    await rows.settleHere(ids)
    for (const id of ids) {
      if (isClosed) return
      if (clock.now() - uuidv7Ms(id) < orphanAgeMs) continue
      const hasRow = (await rows.get(id)) !== undefined
      if (!hasRow && (await folders.isSpare(id))) await folders.remove(id)
    }
  }

  async function measureAll() {
    for (const id of await rows.unmeasured()) {
      if (isClosed) return
      await measure(id)
    }
  }

  async function sweep() {
    await measureAll()
    await removeOrphans()
  }

  const later = (error: unknown) => log.warn({ err: error }, 'Repositories will be tidied later.')
  const recurring = isOn
    ? [
        runEvery(measureIntervalMs, measureAll, later, firstMeasureAfterMs),
        runEvery(removalIntervalMs, removeOrphans, later),
      ]
    : []

  return {
    sweep,
    async close() {
      isClosed = true
      await Promise.all(recurring.map((each) => each.close()))
    },
  }
}
