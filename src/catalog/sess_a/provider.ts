import { defineProvider } from '#core/provider.ts'
import { createSession } from './create_session.ts'
import { e2bUpstream } from './lib/e2b.ts'

export const sessA = defineProvider({
  id: 'sess_a',
  title: 'E2B',
  docs: 'https://e2b.dev/docs',
  upstream: e2bUpstream,
  actions: [createSession],
})
