import { defineAction, z } from '#core/action.ts'
import { repositoryFields } from './lib/access.ts'
import { listIssued } from './lib/code-storage.ts'

export const repoList = defineAction('repo-list', {
  summary: 'List your Git repositories, the newest first.',
  notes: 'Free. For an address to clone from use ns_repo/repo-get.',
  synonyms: ['my repositories', 'list git repos', 'show repos', 'repository ids'],
  questions: [
    'which git repositories do I have?',
    'how large is my repository?',
    'when was the last push?',
  ],
  input: z.strictObject({}),
  output: z.looseObject({ repositories: z.array(z.looseObject(repositoryFields)) }),
  price: 'free',
  example: { input: {}, cents: 0 },
  run: listIssued,
})
