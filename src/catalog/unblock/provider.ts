import { defineProvider } from '#core/provider.ts'
import { unread } from '../lib/unread-page.ts'
import { scrape } from './scrape.ts'

/** The vendor's answers for a site that has banned it, does not exist, or is excluded by the vendor's rules. */
const unreadable: ReadonlySet<number> = new Set([421, 451, 520, 521])

export const unblock = defineProvider({
  id: 'unblock',
  title: 'Zyte API',
  docs: 'https://docs.zyte.com/zyte-api/usage/reference.html',
  upstream: {
    baseUrl: 'https://api.zyte.com/v1',
    credential: {
      aliases: ['ZYTE_API_KEY'],
      attach: (key) => ({
        headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      }),
    },
    timeoutMs: 75_000,
    responseBytesMax: 18_000_000,
    failure: ({ status }) => (unreadable.has(status) ? unread : undefined),
  },
  actions: [scrape],
})
