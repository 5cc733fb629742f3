// Sites that callers have had read into an index of theirs, and the search of it.
import type { Action } from '#core/action.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { SiteReader } from '#core/rooms/site-reader.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import { createDeleteIndex } from './actions/delete-index.ts'
import { createIndexSite } from './actions/index-site.ts'
import { createListIndexes } from './actions/list-indexes.ts'
import { createSearchIndex } from './actions/search-index.ts'
import { createIndexRows } from './index-rows.ts'
import { createPageStore } from './page-store.ts'
import { createIndexSearch, type IndexSearch } from './search.ts'
import { createSpelling } from './spelling.ts'
import { createStems } from './stems.ts'

export interface SiteIndex extends IndexSearch {
  readonly actions: readonly Action[]
  close(): Promise<void>
}

const sweepIntervalMs = 3_600_000
const firstSweepAfterMs = 60_000
const dayMs = 86_400_000

export function createSiteIndex(dependencies: {
  readonly database: Database
  readonly reader: SiteReader
  /** Of the text of all indexes of an account. */
  readonly quotaCharacters: number
  /** Unused indexes are removed after so many days. */
  readonly keptDays: number
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}): SiteIndex {
  const { database, clock, keptDays, log } = dependencies
  const stems = createStems(database)
  const rows = createIndexRows({ database, clock })
  const store = createPageStore({ database, stems, clock })
  const spelling = createSpelling(database)
  const search = createIndexSearch({ database, rows, stems, spelling })
  const recurring = runEvery(
    sweepIntervalMs,
    () => rows.lapse(keptDays * dayMs),
    (error) => log.warn({ err: error }, 'Unused indexes will be removed later.'),
    firstSweepAfterMs,
  )
  return {
    actions: [
      createIndexSite({ ...dependencies, rows, store }),
      createSearchIndex({ search }),
      createListIndexes({ ...dependencies, rows }),
      createDeleteIndex({ rows }),
    ],
    search: search.search,
    close: recurring.close,
  }
}
