import { defineProvider } from '#core/provider.ts'
import { createSession } from './create_session.ts'
import { spritesUpstream } from './lib/sprites.ts'

export const sessE = defineProvider({
  id: 'sess_e',
  title: 'Fly Sprites',
  docs: 'https://sprites.dev',
  upstream: spritesUpstream,
  actions: [createSession],
})
