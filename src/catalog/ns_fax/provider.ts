import { defineProvider } from '#core/provider.ts'
import { send } from './send.ts'

export const fax = defineProvider({
  id: 'ns_fax',
  title: 'agentfax',
  docs: 'https://agentfax.val.run',
  upstream: { baseUrl: 'https://agentfax.val.run', wallet: true, timeoutMs: 120_000 },
  actions: [send],
})
