// The hashes of packages, as npm writes them into a lock file of its own. npm leaves out the hash of a package that it
// finds installed, and of a package that `complete-lock.ts` has added by name. Without its hash, npm installs any bytes
// that the registry sends.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A package by `name@version`. */
type PackageId = `${string}@${string}`

/** By the ids of the packages. A version that the registry does not have is absent. */
export async function readIntegrity(
  ids: readonly PackageId[],
): Promise<ReadonlyMap<PackageId, string>> {
  if (ids.length === 0) return new Map()
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-lock-'))
  try {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(wanting(ids)))
    // `--force`: the packages are for all platforms. Nothing is installed.
    const options = ['--package-lock-only', '--ignore-scripts', '--legacy-peer-deps', '--force']
    await execute('npm', ['install', ...options], { cwd: folder })
    return readHashes(ids, await readFile(path.join(folder, 'package-lock.json'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const aliasOf = (at: number) => `wanted-${at}`

/**
 * Each under a name of its own, because two of them may be versions of one package. Optional, because npm leaves out an
 * optional one that it does not find.
 */
const wanting = (ids: readonly PackageId[]) => ({
  private: true,
  optionalDependencies: Object.fromEntries(ids.map((id, at) => [aliasOf(at), `npm:${id}`])),
})

function readHashes(ids: readonly PackageId[], lockFile: string): Map<PackageId, string> {
  const { packages } = JSON.parse(lockFile) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string }>>
  }
  const hashes = new Map<PackageId, string>()
  for (const [at, id] of ids.entries()) {
    const integrity = packages[`node_modules/${aliasOf(at)}`]?.integrity
    if (integrity !== undefined) hashes.set(id, integrity)
  }
  return hashes
}
