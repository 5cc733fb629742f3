import { defineProvider } from '#core/provider.ts'
import { githubProfile } from './github-profile.ts'
import { send } from './send.ts'

export const postcard = defineProvider({
  id: 'ns_postcard',
  title: 'Papercut',
  docs: 'https://papercut.lol',
  upstream: { baseUrl: 'https://papercut.lol', wallet: true },
  actions: [githubProfile, send],
})
