import { defineProvider } from '#core/provider.ts'
import { createSession } from './create_session.ts'
import { vercelUpstream } from './lib/vercel.ts'

export const sessC = defineProvider({
  id: 'sess_c',
  title: 'Vercel Sandbox',
  docs: 'https://vercel.com/docs/vercel-sandbox',
  upstream: vercelUpstream,
  actions: [createSession],
})
