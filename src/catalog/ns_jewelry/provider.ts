import { defineProvider } from '#core/provider.ts'
import { catalog } from './catalog.ts'
import { purchase } from './purchase.ts'

export const jewelry = defineProvider({
  id: 'ns_jewelry',
  title: 'Sayer & Stone',
  docs: 'https://agents.sayerandstone.com',
  upstream: { baseUrl: 'https://agents.sayerandstone.com', wallet: true, timeoutMs: 60_000 },
  actions: [catalog, purchase],
})
