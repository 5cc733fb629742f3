import { defineAction, z } from '#core/action.ts'
import { accessFields, addressedRepository, ownedRepository, repoId } from './lib/access.ts'
import { getAtVendor } from './lib/code-storage.ts'

export const repoGet = defineAction('repo-get', {
  summary: 'Get a fresh address of a Git repository, for reading or for pushing.',
  notes:
    'The address of ns_repo/repo-create expires. Earlier addresses keep working until they expire. Give others an address with access "read". For all repositories use ns_repo/repo-list.',
  synonyms: ['clone url', 'git remote url', 'renew git token', 'git credentials', 'share repo'],
  saidAs: { access: { read: ['read[- ]only', '(?:for )?reading only'], write: ['push'] } },
  questions: [
    'my clone url has expired, how do I push again?',
    'give another agent read access to my repository',
    'what is the clone address of my repo?',
  ],
  input: z.strictObject({ repo_id: repoId, ...accessFields }),
  output: addressedRepository,
  price: { cents: 1 },
  example: { input: { repo_id: '01970000-0000-7000-8000-000000000000' }, cents: 1 },
  owned: ownedRepository,
  run: getAtVendor,
})
