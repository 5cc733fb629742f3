// Rules about the repository itself, run as tests.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const fileLinesMax = 400
const actionLinesMax = 100

/** Which room may import which. Only the composition root (`app`) sees the configuration: the others take values. */
const rooms: Record<string, readonly string[]> = {
  core: [],
  platform: ['core'],
  money: ['core', 'platform'],
  accounts: ['core', 'platform'],
  catalog: ['core'],
  features: ['core', 'platform'],
  runner: ['core', 'platform', 'money', 'accounts'],
  surfaces: ['core', 'runner', 'features', 'money', 'accounts'],
  app: ['core', 'platform', 'money', 'accounts', 'catalog', 'features', 'runner', 'surfaces'],
}
/** Files beside the rooms that a room may import. */
const besideRooms: Record<string, readonly string[]> = { app: ['src/config.ts', 'src/vendors.ts'] }

const sources = files('src', '.ts').concat(
  files('reader', '.ts'),
  files('test', '.ts'),
  files('bench', '.ts'),
  files('scripts', '.ts'),
  files('training', '.ts'),
)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

function files(folder: string, ending: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
}

/** Its actions are rows of tables. */
const tableFolder = 'platform_data'

const isActionFile = (file: string) =>
  /^src\/catalog\/[^/]+\/[^/]+\.ts$/.test(file.split(path.sep).join('/')) &&
  !file.includes(`${path.sep}${tableFolder}${path.sep}`) &&
  !file.includes(`catalog${path.sep}lib${path.sep}`) &&
  !/provider\.ts$|\.test\.ts$/.test(file)

const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
const isTest = (file: string) => file.endsWith('.test.ts')

test('rooms import only the rooms below them', () => {
  const leaks = sources.flatMap((file) => {
    const [, room = '', ...inner] = file.split(path.sep)
    if (!file.startsWith('src') || inner.length === 0 || isTest(file)) return []
    const allowed = rooms[room]
    if (allowed === undefined) return [`${file} is in no known room`]
    return importsOf(read(file)).flatMap((specifier) => {
      if (specifier.startsWith('#')) {
        const other = specifier.slice(1).split('/')[0] ?? ''
        if (other === room) return [`${file} imports its own room by ${specifier}`]
        return allowed.includes(other) ? [] : [`${file} -> ${specifier}`]
      }
      if (!specifier.startsWith('.')) {
        return room === 'core' && specifier !== 'zod' ? [`${file} -> ${specifier}`] : []
      }
      const target = path.join(path.dirname(file), specifier)
      const mayImport =
        target.startsWith(path.join('src', room) + path.sep) || besideRooms[room]?.includes(target)
      return mayImport ? [] : [`${file} leaves its room: ${specifier}`]
    })
  })
  expect(leaks).toEqual([])
})

test('the reader imports nothing of the gateway, and is imported by its entry', () => {
  const leaks = sources.flatMap((file) => {
    const isReader = file.startsWith(`reader${path.sep}`)
    return importsOf(read(file)).flatMap((specifier) => {
      const target = specifier.startsWith('.')
        ? path.join(path.dirname(file), specifier)
        : specifier
      const leaves = isReader && !target.startsWith('reader/') && /^[.#]/.test(specifier)
      const enters = file.startsWith('src') && target.startsWith('reader/')
      const isItself = isReader && specifier === '@tollway/reader'
      return leaves || enters || isItself ? [`${file} -> ${specifier}`] : []
    })
  })
  expect(leaks).toEqual([])
})

test('only config.ts and main.ts look at the environment', () => {
  const readers = sources.filter(
    (file) =>
      file.startsWith('src') &&
      !isTest(file) &&
      /process\.env\b/.test(read(file).replace(/^\s*(\/\/|\*).*$/gm, '')),
  )
  expect(readers).toEqual(['src/main.ts'])
})

test('files are short', () => {
  const long = sources.flatMap((file) => {
    const lines = read(file).split('\n').length - 1
    const isAction = isActionFile(file)
    const most = isAction ? actionLinesMax : fileLinesMax
    return lines > most && !isTest(file) && !file.endsWith('.fixture.ts')
      ? [`${file}: ${lines} lines, at most ${most}`]
      : []
  })
  expect(long).toEqual([])
})

test('no junk drawers, no barrels, no leftovers', () => {
  const problems = sources.flatMap((file) => {
    const text = read(file)
    return [
      ...(/(^|\/)(utils?|helpers?|common|shared|misc)(\/|\.ts$)/.test(file)
        ? [`${file}: a name that says nothing`]
        : []),
      ...(/^export \* from/m.test(text) ? [`${file}: a barrel`] : []),
      ...(/\b(FIXME|XXX|HACK)\b/.test(text) && !file.endsWith('tidy.test.ts')
        ? [`${file}: a leftover`]
        : []),
      ...(/^\s*(class|export class|export default)\b(?!.*extends Error)/m.test(text) &&
      !file.includes('tidy')
        ? [`${file}: a class or default export`]
        : []),
      ...(/\b(test|describe|it)\.(only|skip)\(/.test(text) && !file.includes('tidy')
        ? [`${file}: a test switched off`]
        : []),
    ]
  })
  expect(problems).toEqual([])
})

test('the catalog’s folders show what is sold', () => {
  const odd = files('src/catalog', '.ts').flatMap((file) => {
    const [, , folder, name = ''] = file.split(path.sep)
    if (folder === 'lib' || folder === 'providers.ts' || name === 'lib') return []
    if (name === '') return [`${file} is not in a provider's folder or in lib/`]
    if (name === 'provider.ts' || folder === tableFolder) return []
    const subject = file.replace(/\.test\.ts$/, '.ts')
    const declared = /define(?:Action|Job)\(\s*'([^']+)'/.exec(read(subject))?.[1]
    if (declared === undefined) return [`${file} is not an action and belongs in ${folder}/lib/`]
    const expected = path.basename(subject, '.ts')
    return declared === expected ? [] : [`${file} defines ${declared}`]
  })
  expect(odd).toEqual([])
})

test('a document has one title, and links only to what exists', () => {
  const documents = readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .concat(files('docs', '.md'), files('reader', '.md'))
  const problems = documents.flatMap((file) => {
    const text = read(file)
    const prose = text.replace(/```[\s\S]*?```/g, '')
    const titles = prose.match(/^# /gm)?.length ?? 0
    const broken = [...prose.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].filter((match) => {
      try {
        readFileSync(path.join(root, path.dirname(file), match[1] ?? ''))
        return false
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== 'EISDIR'
      }
    })
    return [
      ...(titles === 1 ? [] : [`${file}: ${titles} titles`]),
      ...broken.map((match) => `${file}: ${match[1]} does not exist`),
    ]
  })
  expect(problems).toEqual([])
})

test('the lock file names no address, and a binary for every platform that a tool has one for', () => {
  const text = read('package-lock.json')
  expect(text).not.toMatch(/"resolved": "(?!reader")/)
  const { packages } = JSON.parse(text) as {
    packages: Record<string, { optionalDependencies?: Record<string, string>; engines?: object }>
  }
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !(`node_modules/${name}` in packages || `${place}/node_modules/${name}` in packages),
    ),
  )
  expect(missing, 'run `npm run lock`').toEqual([])
  const warned = Object.keys(packages).filter((place) => place !== '' && packages[place]?.engines)
  expect(warned, 'run `npm run lock`: `npm ci` would warn of these').toEqual([])
})
