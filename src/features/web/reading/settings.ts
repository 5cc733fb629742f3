// The settings of page reading.
import { proxyList } from '#platform/egress/proxy-settings.ts'

export const readingSettings = {
  READING_DATACENTER_PROXIES: proxyList.describe(
    'HTTP proxies for rung 3 of page reading, as http(s)://user:password@host:port, separated by commas. Unset: rung 3 reads directly. Without the vendors’ keys they also serve ns_resi/scrape, ns_resi/markdown and ns_geo/scrape.',
  ),
  READING_UNBLOCK_PROXIES: proxyList.describe(
    'Unblocking proxies for rung 4, such as Oxylabs Web Unblocker, Bright Data or Zyte. They decrypt the TLS of pages.',
  ),
  READING_RESIDENTIAL_PROXIES: proxyList.describe(
    'Residential proxies for rungs 5 and 6. Unset: rung 5 needs a vendor, and rung 6 reads directly. Without the vendor’s key they also serve ns_resi/scrape_residential.',
  ),
} as const
