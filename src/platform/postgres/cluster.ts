import { createHash, randomUUID } from 'node:crypto'
import {
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import path from 'node:path'
import type { Binaries } from './binaries.ts'
import {
  chooseSystemUser,
  isRoot,
  makePassable,
  mayEnter,
  mayWorkInside,
  ownFolder,
  run,
  type SystemUser,
} from './system-user.ts'

/** Where the database files of a data folder are or will be, and which account owns them. */
export interface ClusterPlace {
  readonly directory: string
  readonly account: SystemUser | undefined
  /** Whether the account can follow the path to it. If not, programs are started inside the folder. */
  readonly isReachable: boolean
}

/** The working directory of a program of the account, and the cluster's path as seen from there. */
export function reach({ directory, isReachable }: Pick<ClusterPlace, 'directory' | 'isReachable'>) {
  return isReachable ? { cwd: '/', cluster: directory } : { cwd: directory, cluster: ownFolder }
}

/** The superuser of every new cluster. The gateway uses it only to create its own role, which has fewer rights. */
export const superuser = 'postgres'

const initdbTimeoutMs = 120_000
const errorLinesMax = 8

/**
 * Finds the place. Normally it is `<dataDir>/postgres`, even if a root gateway's data folder is closed to the account
 * that runs PostgreSQL. If that account cannot work there at all, it is a system folder, and `<dataDir>/postgres` links
 * to it. An existing cluster keeps its place and owner, even if a new one would be created elsewhere.
 */
export async function findPlace(dataDir: string, systemDirectory: string): Promise<ClusterPlace> {
  const here = path.join(dataDir, 'postgres')
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const elsewhere = path.join(systemDirectory, 'clusters', name)

  const link = await readlink(here).catch(() => undefined)
  const found = await realPath(here)
  if (link !== undefined && found === undefined) {
    throw new Error(
      `The database of this data folder was in ${link}, which no longer exists. ` +
        `Restore that folder, or remove the link ${here} to start with an empty database.`,
    )
  }
  const existing = found ?? (isRoot() ? await realPath(elsewhere) : undefined)
  if (existing) {
    const account = await accountOfOwner(existing)
    return { directory: existing, account, isReachable: await mayFollow(existing, account) }
  }

  const account = await chooseSystemUser()
  if (await mayFollow(here, account)) return { directory: here, account, isReachable: true }
  if (account !== undefined && (await mayWorkInside(dataDir, account)))
    return { directory: here, account, isReachable: false }
  const clusters = path.dirname(elsewhere)
  await makePassable(systemDirectory)
  await makePassable(clusters)
  return { directory: path.join(await realpath(clusters), name), account, isReachable: true }
}

async function mayFollow(directory: string, account: SystemUser | undefined): Promise<boolean> {
  return account === undefined || (await mayEnter(path.dirname(directory), account))
}

const realPath = (file: string) => realpath(file).catch(() => undefined)

async function accountOfOwner(directory: string): Promise<SystemUser | undefined> {
  const owner = await stat(directory)
  if (owner.uid === 0) {
    throw new Error(
      `The database files in ${directory} belong to root, which PostgreSQL does not accept. ` +
        `Give them to another user: chown -R nobody ${directory}`,
    )
  }
  if (isRoot()) return { uid: owner.uid, gid: owner.gid }
  if (owner.uid === process.getuid?.()) return undefined
  throw new Error(
    `The database files in ${directory} belong to the user with id ${owner.uid}. Start the gateway as that user or as root.`,
  )
}

/** Creates the cluster, or checks that these binaries can open the existing one. */
export async function openCluster(options: {
  place: ClusterPlace
  dataDir: string
  binaries: Binaries
}): Promise<void> {
  const { place, dataDir, binaries } = options
  await removeIncomplete(place.directory)
  if (!(await stat(place.directory).catch(() => undefined))) await createCluster(place, binaries)
  const here = path.join(dataDir, 'postgres')
  if (place.directory !== here) await symlink(place.directory, here).catch(ignoreExisting)
  await checkVersion(place.directory, binaries)
}

const incompletePrefix = (directory: string) => `${path.basename(directory)}.incomplete-`

/**
 * The names are random because an `initdb` keeps running for a moment after its gateway is killed, and must not share a
 * folder with the next one. For the same reason removing a leftover may fail; the next start then removes it.
 */
async function removeIncomplete(directory: string): Promise<void> {
  const parent = path.dirname(directory)
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(incompletePrefix(directory))) continue
    await discard(path.join(parent, name))
  }
}

const discard = (directory: string) =>
  rm(directory, { recursive: true, force: true }).catch(() => undefined)

/**
 * The cluster is renamed into place only when it is complete and on disk, so a kill at any moment leaves all of it or
 * none.
 */
async function createCluster(place: ClusterPlace, binaries: Binaries): Promise<void> {
  const parent = path.dirname(place.directory)
  const incomplete = path.join(parent, `${incompletePrefix(place.directory)}${randomUUID()}`)
  await mkdir(incomplete, { mode: 0o700 })
  if (place.account) await chown(incomplete, place.account.uid, place.account.gid)
  try {
    await initialize({ ...place, directory: incomplete }, binaries)
    await rename(incomplete, place.directory)
    await syncDirectory(parent)
  } catch (error) {
    await discard(incomplete)
    throw error
  }
}

async function initialize(place: ClusterPlace, binaries: Binaries): Promise<void> {
  const { directory, account } = place
  const { cwd, cluster } = reach(place)
  const args = [
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    // Every client of the socket is trusted, because its folder is private. The server never listens on a network
    // address.
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    // PostgreSQL's built-in rules for sorting and case are the same on every system.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ]
  const options = { account, timeoutMs: initdbTimeoutMs, cwd }
  try {
    await run(path.join(binaries.directory, 'bin', 'initdb'), args, options)
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(
      `The database could not be created in ${path.dirname(directory)}. Make sure that the disk is writable and has free space. ` +
        `PostgreSQL says: ${lastLines(stderr || message)}`,
      { cause: error },
    )
  }
}

export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-errorLinesMax).join('\n')
}

/** Without this a power cut could undo a rename in it. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function checkVersion(directory: string, binaries: Binaries): Promise<void> {
  const file = path.join(directory, 'PG_VERSION')
  const major = (await readFile(file, 'utf8').catch(() => '')).trim()
  const majorOfBinaries = binaries.version.split('.')[0]
  if (major === '') {
    throw new Error(
      `The folder ${directory} is not a PostgreSQL database. Move it away, or choose another data folder.`,
    )
  }
  if (major !== majorOfBinaries) {
    throw new Error(
      `The database in ${directory} was created by PostgreSQL ${major}, but this gateway contains PostgreSQL ${majorOfBinaries}. ` +
        'Dump it with the gateway that created it and restore the dump into a new data folder.',
    )
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
