import { defineProvider } from '#core/provider.ts'
import { assignees } from './assignees.ts'
import { patents as applications } from './patents.ts'

export const patents = defineProvider({
  id: 'ns_patents',
  title: 'USPTO Open Data Portal',
  docs: 'https://data.uspto.gov/apis/patent-file-wrapper/search',
  upstream: {
    baseUrl: 'https://api.uspto.gov/api/v1',
    credential: {
      aliases: ['USPTO_API_KEY', 'USPTO_ODP_API_KEY'],
      attach: (key) => ({ headers: { 'x-api-key': key } }),
    },
    pacing: [{ requests: 45, windowMs: 60_000 }],
  },
  actions: [applications, assignees],
})
