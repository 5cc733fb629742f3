import { defineProvider } from '#core/provider.ts'
import { createSession } from './create_session.ts'
import { daytonaUpstream } from './lib/daytona.ts'

export const sessB = defineProvider({
  id: 'sess_b',
  title: 'Daytona',
  docs: 'https://www.daytona.io/docs',
  upstream: daytonaUpstream,
  actions: [createSession],
})
