// The settings of rented browsers.
import { wholeNumber } from '#core/settings.ts'
import { proxiesByCountry } from '#platform/egress/proxy-settings.ts'

export const browserSettings = {
  BROWSERS_AT_ONCE: wholeNumber(0, 1_000)
    .default(10)
    .describe('How many rented browsers this gateway runs at once. Each uses 400 MB and more.'),
  BROWSERS_PER_ACCOUNT: wholeNumber(0, 1_000)
    .default(5)
    .describe('How many rented browsers one account or wallet may have open.'),
  BROWSER_MEMORY_MB: wholeNumber(200, 1_000_000)
    .default(1_500)
    .describe('Megabytes of memory that a rented browser may use before it is ended.'),
  BROWSER_PROXIES: proxiesByCountry.describe(
    'HTTP proxies for rented browsers by country, as DE=http(s)://user:password@host:port, separated by commas. Unset: browsers open pages directly, and a call that names a country is refused.',
  ),
} as const
