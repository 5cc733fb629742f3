import { defineProvider } from '#core/provider.ts'
import { post } from './post.ts'

export const newsletter = defineProvider({
  id: 'ns_newsletter',
  title: 'DripStack',
  docs: 'https://dripstack.xyz',
  upstream: { baseUrl: 'https://dripstack.xyz', wallet: true },
  actions: [post],
})
