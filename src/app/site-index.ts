// Indexes of sites, which page reading fills.
import { createSiteIndex } from '#features/web/site-index/site-index.ts'
import type { AppContext } from './context.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

const charactersPerMegabyte = 1_000_000

export function openSiteIndex(
  { config, clock, log, onClose }: AppContext,
  { database }: Store,
  { siteReader: reader }: ReadingRoom,
) {
  const siteIndex = createSiteIndex({
    database,
    reader,
    clock,
    log,
    quotaCharacters: config.SITE_INDEX_QUOTA_MB * charactersPerMegabyte,
    keptDays: config.SITE_INDEX_DAYS,
  })
  onClose(siteIndex.close)
  return siteIndex
}
