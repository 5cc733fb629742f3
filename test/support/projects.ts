// Sorts the tests into projects. The name and the imports of a test decide, so a test needs no registration.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { areOraclesInstalled, listFilesWithOracles } from './oracles/installed.ts'

/**
 * `unit` tests need no database, and `app` tests do. `slow` and `slow-app` tests are the same for what kills processes,
 * restarts servers or waits for real time; their names end in `.slow.test.ts`.
 */
export type Kind = 'unit' | 'app' | 'slow' | 'slow-app'

const root = path.join(import.meta.dirname, '../..')
const testFiles = '{src,reader,clients,console,test,bench,scripts,training}/**/*.test.ts'
/**
 * The only file that gives access to the shared PostgreSQL. A test that imports it, even indirectly, is an `app` test.
 */
const doorToDatabase = 'test/support/database.ts'

export function testsByKind(): Record<Kind, string[]> {
  const kindOf = createSorter()
  const skipped = new Set(areOraclesInstalled() ? [] : listFilesWithOracles())
  const files = globSync(testFiles, { cwd: root, exclude: ['**/node_modules'] })
    .filter((file) => !skipped.has(file))
    .sort()
  const ofKind = (kind: Kind) => files.filter((file) => kindOf(file) === kind)
  return {
    unit: ofKind('unit'),
    app: ofKind('app'),
    slow: ofKind('slow'),
    'slow-app': ofKind('slow-app'),
  }
}

function createSorter(): (file: string) => Kind {
  const known = new Map<string, boolean>()
  /** Follows the imports of tests and of their support files. A test of `src` reaches no test through `src`. */
  function reachesDatabase(file: string): boolean {
    if (file === doorToDatabase) return true
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const reaches = importsIn(file).some(
      (target) => target.startsWith('test/') && target.endsWith('.ts') && reachesDatabase(target),
    )
    known.set(file, reaches)
    return reaches
  }
  return (file) => {
    const isApp = reachesDatabase(file)
    if (file.endsWith('.slow.test.ts')) return isApp ? 'slow-app' : 'slow'
    return isApp ? 'app' : 'unit'
  }
}

/** `import … from '…'`, `import '…'` and `import('…')`, but not `import type`, which runs nothing. */
const importOrExport =
  /(?:^(?:import|export)\s+(?!type\b)[^']*?from |^import |\bimport\()'((?:\.|#test\/)[^']+)'/gm

/** The files that a file imports by a relative path or as `#test/…`. */
function importsIn(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(importOrExport)].map(([, specifier = '']) =>
    specifier.startsWith('#test/')
      ? specifier.replace('#test/', 'test/support/')
      : path.posix.join(path.posix.dirname(file), specifier),
  )
}
