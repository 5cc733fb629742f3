import { defineProvider } from '#core/provider.ts'
import { contents } from './contents.ts'
import { search } from './search.ts'

export const semantic = defineProvider({
  id: 'ns_semantic',
  title: 'Exa',
  docs: 'https://docs.exa.ai/reference/search',
  upstream: {
    baseUrl: 'https://api.exa.ai',
    credential: {
      aliases: ['EXA_API_KEY'],
      attach: (key) => ({ headers: { 'x-api-key': key } }),
    },
    // Deep searches are slow.
    timeoutMs: 85_000,
    pacing: [{ requests: 10, windowMs: 1_000 }],
  },
  actions: [search, contents],
})
