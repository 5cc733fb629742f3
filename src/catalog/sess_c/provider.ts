import { defineProvider } from '#core/provider.ts'
import { createSession } from './create_session.ts'

export const sessC = defineProvider({
  id: 'sess_c',
  title: 'Vercel Sandbox',
  docs: 'https://vercel.com/docs/vercel-sandbox',
  actions: [createSession],
})
