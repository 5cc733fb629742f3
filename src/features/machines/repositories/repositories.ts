// Git repositories that this machine keeps without the vendor: the actions that make them, and the requests of `git`.
import type { AccessRight, OpenAccess } from '#core/access/open-access.ts'
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { elsewhere } from '#core/gateways/elsewhere.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log, UrlSigner } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Sandbox } from '#platform/sandbox/sandbox.ts'
import { type AccessTokens, cloneAddress, createAccessTokens, type Scope } from './access-tokens.ts'
import { createFolders, type Folders } from './folders.ts'
import { type AnswerGit, createGitRequests, type Quotas } from './git-requests.ts'
import { createRepositoryRows, type RepositoryRow, type RepositoryRows } from './repository-rows.ts'
import { createSweep } from './sweep.ts'

export interface Admitted {
  readonly repository: RepositoryRow
  readonly scope: Scope
  /** What the token rests on. */
  readonly right: AccessRight
}

export interface Repositories {
  readonly standIns: StandIns
  /** What the token in an address opens. Undefined if it opens nothing. Throws `session_elsewhere`. */
  admit(id: string, token: string): Promise<Admitted | undefined>
  readonly answer: AnswerGit
  /** Measures what killed pushes have left, and removes folders without a row. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The name of this machine in its answers. */
const provider = 'embedded'

interface Access {
  readonly access: Scope
  readonly expires_in_seconds: number
}

interface Dependencies {
  readonly database: Database
  readonly signer: UrlSigner
  readonly sandbox: Sandbox
  readonly clock: Clock
  readonly log: Log
  readonly baseUrl: () => string
  readonly access: Pick<OpenAccess, 'isGood'>
  readonly root: string
  /** The name of this machine, whose disk has the folder `root`. */
  readonly machine: string
  readonly quotas: Quotas
}

export async function createRepositories(dependencies: Dependencies): Promise<Repositories> {
  const { database, machine, quotas } = dependencies
  const rows = createRepositoryRows(database, machine)
  const tokens = createAccessTokens(dependencies)
  const folders = createFolders({ ...dependencies, fileBytes: quotas.repositoryBytes })
  const { answer, measure } = createGitRequests({ ...dependencies, folders, rows })
  const requireHere = createHereCheck(folders, machine)
  const missing = await folders.missing()
  const sweeping = createSweep({
    ...dependencies,
    rows,
    folders,
    measure,
    isOn: missing === undefined,
  })

  return {
    standIns: createStandIns({ ...dependencies, rows, tokens, folders, requireHere, missing }),
    async admit(id, token) {
      const grant = tokens.read(id, token)
      const repository = grant === undefined ? undefined : await rows.get(id)
      if (grant === undefined || repository === undefined) return undefined
      const right = { accountId: repository.accountId, keyId: grant.keyId }
      if (!(await dependencies.access.isGood(right))) return undefined
      await requireHere(repository)
      return { repository, right, scope: grant.scope }
    },
    answer,
    ...sweeping,
  }
}

/** Throws `session_elsewhere` for a repository on the disk of another machine. Machines may share one. */
const createHereCheck =
  (folders: Pick<Folders, 'has'>, machine: string) =>
  async ({ id, machine: its }: RepositoryRow): Promise<void> => {
    if (its === null || its === machine || (await folders.has(id))) return
    throw elsewhere({ machine: its })
  }

/** The actions on this machine. */
function createStandIns({
  rows,
  tokens,
  folders,
  requireHere,
  missing,
  clock,
  log,
  baseUrl,
}: Pick<Dependencies, 'clock' | 'log' | 'baseUrl'> & {
  readonly rows: RepositoryRows
  readonly tokens: AccessTokens
  readonly folders: Folders
  readonly requireHere: ReturnType<typeof createHereCheck>
  /** What this machine lacks. */
  readonly missing: string | undefined
}): StandIns {
  function withAddress(row: RepositoryRow, { input, caller }: RunContext<Access>) {
    const { access, expires_in_seconds } = input
    const expiresAtMs = clock.now() + expires_in_seconds * 1_000
    const keyId = caller.kind === 'account' ? caller.keyId : null
    const grant = { id: row.id, scope: access, keyId, expiresAtMs }
    const clone_url = cloneAddress({ baseUrl, tokens }, grant)
    const expires_at = new Date(expiresAtMs).toISOString()
    return { ...describe(row), clone_url, access, expires_at }
  }

  async function create(context: RunContext<Access & { name?: string }>) {
    const { input, caller, effect } = context
    const id = uuidv7(clock.now())
    await folders.create(id)
    const row = { id, name: input.name ?? null, createdAt: new Date(clock.now()) }
    await rows.insert(caller, row, effect).catch(async (thrown) => {
      await folders.remove(id)
      throw thrown
    })
    return withAddress(await rows.find(caller, id), context)
  }

  async function get(context: RunContext<Access & { repo_id: string }>) {
    return withAddress(await rows.find(context.caller, context.input.repo_id), context)
  }

  async function list({ caller }: RunContext<object>) {
    return { repositories: (await rows.list(caller)).map(describe) }
  }

  async function remove({ input, caller }: RunContext<{ repo_id: string }>) {
    const row = await rows.find(caller, input.repo_id)
    await requireHere(row)
    await folders.markForRemoval(row.id)
    await rows.remove(caller, input.repo_id)
    // A request of Git that still runs may add files meanwhile. The sweep removes what is left.
    await folders
      .remove(input.repo_id)
      .catch((error) => log.warn({ err: error }, 'A repository will be removed later.'))
    return { repo_id: input.repo_id, deleted: true, provider }
  }

  const standIn = (run: StandIn['run']): StandIn => ({
    run,
    check: () => {},
    ...(missing === undefined ? {} : { missing }),
  })
  return new Map([
    ['ns_repo/repo-create', standIn(create)],
    ['ns_repo/repo-get', standIn(get)],
    ['ns_repo/repo-list', standIn(list)],
    ['ns_repo/repo-delete', standIn(remove)],
  ])
}

const describe = ({ id, name, bytes, createdAt, pushedAt }: RepositoryRow) => ({
  repo_id: id,
  name,
  bytes,
  created_at: createdAt.toISOString(),
  pushed_at: pushedAt?.toISOString() ?? null,
  provider,
})
