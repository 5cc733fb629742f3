// The settings of site indexes.
import { wholeNumber } from '#core/settings.ts'

export const siteIndexSettings = {
  SITE_INDEX_QUOTA_MB: wholeNumber(0, 1_000_000)
    .default(200)
    .describe('Millions of characters that the site indexes of an account or a wallet may hold.'),
  SITE_INDEX_DAYS: wholeNumber(1, 100_000)
    .default(180)
    .describe('Days after which a site index is removed that was neither searched nor written.'),
} as const
