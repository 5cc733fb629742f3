// Sorts the tests into projects. The name and the imports of a test decide, so a test needs no registration.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { areOraclesInstalled, listFilesWithOracles } from './oracles/installed.ts'

/** `app` tests need the shared PostgreSQL, and `unit` tests do not. */
const kinds = [
  'unit',
  'app',
  /** What kills processes, restarts servers or waits for real time. Their names end in `.slow.test.ts`. */
  'slow',
  'slow-app',
  /** What takes so much of a processor that only `npm test -- --nightly` runs it: `.nightly.test.ts`. */
  'nightly',
  'nightly-app',
] as const
export type Kind = (typeof kinds)[number]

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
  const byKind = Object.groupBy(files, kindOf)
  return Object.fromEntries(kinds.map((kind) => [kind, byKind[kind] ?? []])) as Record<
    Kind,
    string[]
  >
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
    const [, pace] = /\.(slow|nightly)\.test\.ts$/.exec(file) ?? []
    if (pace === undefined) return isApp ? 'app' : 'unit'
    return (isApp ? `${pace}-app` : pace) as Kind
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
