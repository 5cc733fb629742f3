import { defineProvider } from '#core/provider.ts'
import { catalog } from './catalog.ts'
import { purchase } from './purchase.ts'

export const wine = defineProvider({
  id: 'ns_wine',
  title: 'Martin Estate',
  docs: 'https://agents.martinestate.com',
  upstream: { baseUrl: 'https://agents.martinestate.com', wallet: true, timeoutMs: 60_000 },
  actions: [catalog, purchase],
})
