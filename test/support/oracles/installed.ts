// `oracles/` holds the packages of others that judge the gateway: vendors' clients, frameworks, linters and programs.
// They have a lock file of their own and are installed by `npm test`. Each file there passes on what the tests use.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../../..')
const folder = path.join(root, 'oracles')

interface LockedPackage {
  readonly version?: string
  /** It may be for other systems. */
  readonly optional?: boolean
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

const readLock = (...names: string[]) =>
  (JSON.parse(readFileSync(path.join(folder, ...names), 'utf8')) as Lock).packages

/** Whether the installed packages are those of the lock file, by the record that npm keeps of them. */
export function areOraclesInstalled(): boolean {
  try {
    const locked = readLock('package-lock.json')
    const installed = readLock('node_modules', '.package-lock.json')
    const places = new Set([...Object.keys(locked), ...Object.keys(installed)])
    // The folder itself is not installed.
    places.delete('')
    return [...places].every(
      (place) =>
        locked[place]?.version === installed[place]?.version ||
        (locked[place]?.optional && installed[place] === undefined),
    )
  } catch {
    return false
  }
}

/** The files of tests and scripts that import an oracle, even indirectly. */
export function listFilesWithOracles(): readonly string[] {
  const files = globSync('{src,reader,clients,console,test,bench,scripts,training}/**/*.ts', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  })
  const known = new Map<string, boolean>()
  function needsOracle(file: string): boolean {
    if (file.startsWith('oracles/')) return true
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const needs = importsOfTests(file).some(needsOracle)
    known.set(file, needs)
    return needs
  }
  return files.filter(needsOracle)
}

const specifiers = /(?:\bfrom |^import |\bimport\()'((?:\.|#test\/|#oracles\/)[^']+\.ts)'/gm

/** The files of tests and the oracles that a file imports. A text in a test can look like an import. */
function importsOfTests(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(specifiers)]
    .map(([, specifier = '']) => {
      if (specifier.startsWith('#test/')) return specifier.replace('#test/', 'test/support/')
      if (specifier.startsWith('#')) return specifier.slice(1)
      return path.posix.join(path.posix.dirname(file), specifier)
    })
    .filter((target) => /^(test|oracles)\//.test(target) && existsSync(path.join(root, target)))
}
