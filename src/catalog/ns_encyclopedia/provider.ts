import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { page } from './page.ts'
import { search } from './search.ts'

const busyCodes = new Set(['maxlag', 'ratelimited', 'cirrussearch-too-busy-error', 'readonly'])

export const encyclopedia = defineProvider({
  id: 'ns_encyclopedia',
  title: 'Wikipedia',
  docs: 'https://www.mediawiki.org/wiki/API:Main_page',
  upstream: {
    baseUrl: 'https://{lang}.wikipedia.org',
    pacing: [{ requests: 20, windowMs: 1_000 }],
    // The action API reports failures with status 200.
    failure: ({ body }) => {
      const code = membersOf(membersOf(body).error).code
      if (code === undefined) return undefined
      return busyCodes.has(String(code)) ? 'rate_limited' : 'upstream_error'
    },
  },
  actions: [search, page],
})
