// Git repositories, and the folder that keeps them.
import path from 'node:path'
import {
  createRepositories,
  type Repositories,
} from '#features/machines/repositories/repositories.ts'
import type { Neighbours } from '#platform/neighbours/neighbours.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

const bytesPerMegabyte = 1_000_000

export async function openRepositories(
  { config, clock, log, sandbox, baseUrl, onClose }: AppContext,
  { database, signer, access }: Store,
  { machine }: Pick<Neighbours, 'machine'>,
): Promise<Repositories> {
  const repositories = await createRepositories({
    database,
    signer,
    access,
    sandbox,
    clock,
    log,
    baseUrl,
    machine,
    root: path.resolve(config.DATA_DIR, 'repositories'),
    quotas: {
      repositoryBytes: config.REPOSITORY_MB_MAX * bytesPerMegabyte,
      accountBytes: config.REPOSITORIES_QUOTA_MB * bytesPerMegabyte,
    },
  })
  onClose(repositories.close)
  return repositories
}
