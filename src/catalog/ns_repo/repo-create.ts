import { defineAction, z } from '#core/action.ts'
import { accessFields, addressedRepository, issuedRepository } from './lib/access.ts'
import { createAtVendor } from './lib/code-storage.ts'

export const repoCreate = defineAction('repo-create', {
  summary: 'Create a Git repository of your own and get an address to clone it from and push to.',
  notes:
    'Paid once; the repository is kept until ns_repo/repo-delete. The address holds its own password, so no other login is needed: git clone "$clone_url". When it has expired, ns_repo/repo-get gives a fresh one. Git LFS is not supported.',
  synonyms: [
    'new git repo',
    'git hosting',
    'version control',
    'code storage',
    'remote for git push',
  ],
  saidAs: { access: { read: ['read[- ]only', '(?:for )?reading only'], write: ['push'] } },
  questions: [
    'where can I push my code?',
    'create a git repository for my agent',
    'I need a git remote to share code between agents',
  ],
  makes: ['repository'],
  pay: ['mpp'],
  input: z.strictObject({
    name: z.string().min(1).max(100).optional().describe('What ns_repo/repo-list shows.'),
    ...accessFields,
  }),
  output: addressedRepository,
  price: { cents: 100 },
  example: { input: { name: 'website' }, cents: 100 },
  issues: issuedRepository,
  run: createAtVendor,
})
