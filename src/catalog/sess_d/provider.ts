import { defineProvider } from '#core/provider.ts'
import { createSession } from './create_session.ts'

export const sessD = defineProvider({
  id: 'sess_d',
  title: 'Runloop',
  docs: 'https://docs.runloop.ai',
  actions: [createSession],
})
