import { defineProvider } from '#core/provider.ts'
import { signToken } from './lib/token.ts'
import { repoCreate } from './repo-create.ts'
import { repoDelete } from './repo-delete.ts'
import { repoGet } from './repo-get.ts'
import { repoList } from './repo-list.ts'

export const repo = defineProvider({
  id: 'ns_repo',
  title: 'Code Storage',
  docs: 'https://code.storage/docs',
  upstream: {
    baseUrl: 'https://api.{organization}.code.storage/api/v1',
    credential: {
      aliases: ['CODE_STORAGE_API_KEY'],
      form: 'organization:key',
      attach: () => ({}),
      sign: signToken,
    },
    // Of a caller's input, the vendor sees only the id of a repository.
    failure: ({ status }) => ([400, 422].includes(status) ? 500 : undefined),
  },
  actions: [repoCreate, repoGet, repoList, repoDelete],
})
