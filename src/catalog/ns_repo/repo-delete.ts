import { defineAction, z } from '#core/action.ts'
import { ownedRepository, repoId } from './lib/access.ts'
import { deleteAtVendor } from './lib/code-storage.ts'

export const repoDelete = defineAction('repo-delete', {
  summary: 'Delete a Git repository with all its commits.',
  notes:
    'Free, and cannot be undone. Every address of the repository stops working at once. ns_repo/repo-list tells the ids.',
  synonyms: ['remove git repo', 'destroy repository', 'free git storage', 'revoke clone url'],
  questions: [
    'delete my git repository',
    'how do I revoke a leaked clone url?',
    'remove the repo that I no longer need',
  ],
  removes: ['repository', 'repo', 'git', 'code', 'clone'],
  input: z.strictObject({ repo_id: repoId }),
  output: z.looseObject({ repo_id: z.string(), deleted: z.literal(true) }),
  price: 'free',
  example: { input: { repo_id: '01970000-0000-7000-8000-000000000000' }, cents: 0 },
  owned: ownedRepository,
  ends: true,
  run: deleteAtVendor,
})
