// The files to which the rules apply, read once.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Source {
  /** Relative to the root, with slashes. */
  readonly file: string
  readonly text: string
}

export const root = path.join(import.meta.dirname, '../..')

const codeFolders = [
  'src',
  'reader',
  'clients',
  'console',
  'test',
  'bench',
  'scripts',
  'training',
  'examples',
  'oracles',
]

export const readText = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** All files below a folder, without dependencies and what is built. */
export function filesIn(folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
    )
    .filter((file) => !/(^|\/)(node_modules|dist|\.cache)\//.test(file))
    .sort()
}

export const allFiles = codeFolders.flatMap(filesIn)

export const sources: readonly Source[] = allFiles
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readText(file) }))

export const isTest = (file: string) => file.endsWith('.test.ts')
/** Written by `npm run generate`. */
export const isGenerated = (file: string) => file.startsWith('clients/typescript/src/catalog/')
export const isFixture = (file: string) => file.endsWith('.fixture.ts')

/** The specifiers in `from '…'`, `import '…'` and `import('…')`. */
export const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')

/** The actions of such a folder of the catalog are rows of tables, from which its `providers.ts` makes providers. */
export const isTable = (folder: string): boolean =>
  allFiles.includes(`src/catalog/${folder}/providers.ts`)

/** `src/catalog/<provider>/<action>.ts` */
export const isAction = (file: string): boolean => {
  const [, provider, name] = /^src\/catalog\/([^/]+)\/([^/]+)\.ts$/.exec(file) ?? []
  return provider !== undefined && provider !== 'lib' && !isTable(provider) && name !== 'provider'
}
