// What callers say and read about the address of a repository.
import { z } from '#core/action.ts'

const hour = 3_600
const day = 24 * hour

/** Who may do what with the address that is answered, and for how long. */
export const accessFields = {
  access: z
    .enum(['read', 'write'])
    .default('write')
    .describe('What the address allows: read to clone and fetch, write to push too.'),
  expires_in_seconds: z
    .int()
    .min(60)
    .max(30 * day)
    .default(day)
    .describe('How long the address works.'),
}

export const repoId = z.string().min(1).max(100).describe('From ns_repo/repo-create.')

export const repositoryFields = {
  repo_id: z.string(),
  name: z.string().nullish(),
  bytes: z.int().nullish().describe('Measured after the last push.'),
  created_at: z.string().nullish(),
  pushed_at: z.string().nullish().describe('Null before the first push.'),
}

/** A repository with an address that holds its own password. */
export const addressedRepository = z.looseObject({
  ...repositoryFields,
  clone_url: z
    .string()
    .describe('For git clone, fetch and push. It holds a password: keep it secret.'),
  access: z.enum(['read', 'write']),
  expires_at: z.string().describe('ISO time after which the address no longer works.'),
})

export const issuedRepository = ({ repo_id: id }: { repo_id: string }) => ({
  kind: 'repository',
  id,
  isKept: true as const,
})

export const ownedRepository = ({ repo_id: id }: { repo_id: string }) => ({
  kind: 'repository',
  id,
})
