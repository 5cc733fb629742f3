import { defineProvider } from '#core/provider.ts'
import { createInbox } from './create_inbox.ts'
import { getMessage } from './get-message.ts'
import { listMessages } from './list-messages.ts'
import { reply } from './reply.ts'
import { send } from './send.ts'

export const mail = defineProvider({
  id: 'ns_mail',
  title: 'AgentMail',
  docs: 'https://docs.agentmail.to/api-reference',
  upstream: {
    baseUrl: 'https://api.agentmail.to/v0',
    credential: {
      aliases: ['AGENTMAIL_API_KEY'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    wallet: { rail: 'mpp', baseUrl: 'https://mpp.api.agentmail.to/v0' },
  },
  actions: [createInbox, send, reply, listMessages, getMessage],
})
