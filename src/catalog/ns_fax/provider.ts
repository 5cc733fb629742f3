import { defineProvider } from '#core/provider.ts'
import { createSend } from './send.ts'

export const fax = (admitAddress: (address: string) => void) =>
  defineProvider({
    id: 'ns_fax',
    title: 'agentfax',
    docs: 'https://agentfax.val.run',
    upstream: { baseUrl: 'https://agentfax.val.run', wallet: true, timeoutMs: 120_000 },
    actions: [createSend(admitAddress)],
  })
