import { defineProvider } from '#core/provider.ts'
import { unread } from '../lib/unread-page.ts'
import { scrape } from './scrape.ts'

export const geo = defineProvider({
  id: 'ns_geo',
  title: 'Oxylabs Web Scraper API',
  docs: 'https://developers.oxylabs.io/scraper-apis/getting-started/integration-methods/realtime',
  upstream: {
    baseUrl: 'https://realtime.oxylabs.io',
    credential: {
      aliases: ['OXYLABS_API_KEY'],
      form: 'user:password',
      attach: (key) => ({ headers: { authorization: `Basic ${btoa(key)}` } }),
    },
    wallet: {
      rail: 'mpp',
      baseUrl: 'https://oxylabs.mpp.tempo.xyz',
      paths: { '/v1/queries': '/v1/proxy' },
    },
    // The vendor keeps the connection open for this time.
    timeoutMs: 180_000,
    responseBytesMax: 18_000_000,
    failure: ({ status, body }) => {
      // Jobs that the vendor has abandoned.
      if (status === 612 || status === 613) return unread
      const { results } = (body ?? {}) as { results?: readonly { status_code?: unknown }[] }
      const target = Number(results?.[0]?.status_code)
      // The vendor reports a refusal by the page as a success.
      return status === 200 && target !== 200 && target > 0 ? unread : undefined
    },
  },
  actions: [scrape],
})
