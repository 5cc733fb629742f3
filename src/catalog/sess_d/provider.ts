import { defineProvider } from '#core/provider.ts'
import { createSession } from './create_session.ts'
import { runloopUpstream } from './lib/runloop.ts'

export const sessD = defineProvider({
  id: 'sess_d',
  title: 'Runloop',
  docs: 'https://docs.runloop.ai',
  upstream: runloopUpstream,
  actions: [createSession],
})
