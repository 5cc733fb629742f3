// Which rooms may import which.
import path from 'node:path'
import { expect, test } from 'vitest'
import { importsOf, isTest, type Source, sources } from './sources.ts'

/**
 * What each room may import besides itself. Each product in a hall of `features` is a room of its own. Only the root
 * (`app`), the start of the process (`start`) and the verbs of operators (`command`) see the configuration: the others
 * take values.
 */
const rooms: Record<string, readonly string[]> = {
  core: [],
  platform: ['core'],
  money: ['core', 'platform'],
  accounts: ['core', 'platform'],
  catalog: ['core'],
  features: ['core', 'platform'],
  runner: ['core', 'platform', 'money', 'accounts'],
  surfaces: ['core', 'runner', 'features', 'money', 'accounts'],
  command: ['core', 'platform', 'money', 'catalog', 'start', 'plugins'],
  start: ['core', 'platform', 'money', 'accounts'],
  plugins: ['core', 'platform', 'money', 'catalog'],
  app: [
    'core',
    'platform',
    'money',
    'accounts',
    'catalog',
    'features',
    'runner',
    'surfaces',
    'plugins',
  ],
}
/** Files beside the rooms that a room may import. */
const besideRooms: Record<string, readonly string[]> = {
  app: ['src/config.ts'],
  command: ['src/config.ts'],
  start: ['src/config.ts', 'src/app.ts'],
  plugins: ['src/config.ts'],
}

/** `src/features/models/llm/chat.ts` is in `features/models/llm`, `src/runner/run.ts` in `runner`. */
function roomOf(place: string): string {
  const [room = '', feature = ''] = place.split('/')
  return room === 'features' ? `${room}/${feature}` : room
}

const kindOf = (room: string) => room.split('/')[0] ?? ''

function leaksOf({ file, text }: Source): string[] {
  const room = roomOf(file.slice('src/'.length))
  const allowed = rooms[kindOf(room)]
  if (allowed === undefined) return [`${file} is in an unknown room`]
  return importsOf(text).flatMap((specifier) => {
    if (specifier.startsWith('#')) {
      const other = roomOf(specifier.slice(1))
      if (other === room) return [`${file} imports its own room by ${specifier}`]
      return allowed.includes(kindOf(other)) ? [] : [`${file} -> ${specifier}`]
    }
    if (specifier.startsWith('.')) {
      const target = path.posix.join(path.posix.dirname(file), specifier)
      const allowedTarget = target.startsWith(`src/${room}/`) || besideRooms[room]?.includes(target)
      return allowedTarget ? [] : [`${file} leaves its room: ${specifier}`]
    }
    return room === 'core' && specifier !== 'zod' ? [`${file} -> ${specifier}`] : []
  })
}

/** Why each of these files starts programs by itself. */
const startsPrograms: Record<string, string> = {
  'src/platform/sandbox/closed-start.ts': 'closes the descriptors of the gateway first',
  'src/platform/postgres/server.ts': 'the database is part of the gateway',
  'src/platform/postgres/system-user.ts': 'the programs of the database',
  'src/platform/postgres/testing.ts': 'the database of tests',
  'src/platform/sandbox/node-packages.ts': 'npm, which runs no script of a package',
  'src/platform/chromium/chromium.ts': 'asks Chromium for its version, by a closed command',
  'src/features/web/reading/documents/find-tesseract.ts': 'asks for languages, by a closed command',
  'src/features/web/reading/documents/pdf/tesseract.ts': 'runs in a process that is closed itself',
}

test('programs that read what strangers sent are started in one place', () => {
  const starters = sources
    .filter(({ file }) => file.startsWith('src/') && !isTest(file) && !/\.fixture\.ts$/.test(file))
    .filter(({ text }) => /^import (?!type )[^']*'(?:node:)?child_process'/m.test(text))
    .map(({ file }) => file)
  expect(starters.filter((file) => !(file in startsPrograms))).toEqual([])
  expect(Object.keys(startsPrograms).filter((file) => !starters.includes(file))).toEqual([])
})

test('a room imports only the rooms that the table allows', () => {
  const inRooms = sources.filter(
    ({ file }) => /^src\/[^/]+\//.test(file) && !isTest(file) && !file.endsWith('.fixture.ts'),
  )
  expect(inRooms.flatMap(leaksOf)).toEqual([])
})

/** Which parts of `surfaces` may import which. What two of them need is in `doors`. */
const doorsOf: Record<string, readonly string[]> = {
  doors: [],
  docs: ['doors'],
  console: ['doors'],
  mcp: ['doors'],
  http: ['doors', 'docs'],
  openapi: ['doors', 'docs', 'console', 'mcp', 'http'],
}

test('a door imports another one only where the table allows it', () => {
  const part = (file: string) => /^src\/surfaces\/(\w+)\//.exec(file)?.[1]
  const leaks = sources
    .filter(({ file }) => part(file) !== undefined && !isTest(file))
    .flatMap(({ file, text }) => {
      const own = part(file) ?? ''
      const others = importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => part(path.posix.join(path.posix.dirname(file), specifier)) ?? '')
      const allowed = [own, ...(doorsOf[own] ?? [])]
      return others
        .filter((other) => !allowed.includes(other))
        .map((other) => `${file} -> ${other}`)
    })
  expect(leaks).toEqual([])
})

test('the reader imports nothing of the gateway, and the gateway imports only its entry', () => {
  const leaks = sources.flatMap(({ file, text }) =>
    importsOf(text)
      .filter((specifier) => {
        const target = specifier.startsWith('.')
          ? path.posix.join(path.posix.dirname(file), specifier)
          : specifier
        const inReader = target.startsWith('reader/')
        if (file.startsWith('src/')) return inReader
        if (!file.startsWith('reader/')) return false
        return specifier === '@tollway/reader' || (/^[.#]/.test(specifier) && !inReader)
      })
      .map((specifier) => `${file} -> ${specifier}`),
  )
  expect(leaks).toEqual([])
})

test('the TypeScript client imports only its own files, so that it runs wherever the web’s standards do', () => {
  const home = 'clients/typescript/'
  const leaks = sources
    .filter(({ file }) => file.startsWith(home))
    .flatMap(({ file, text }) =>
      importsOf(text)
        .filter(
          (specifier) =>
            !specifier.startsWith('.') ||
            !path.posix.join(path.posix.dirname(file), specifier).startsWith(home),
        )
        .map((specifier) => `${file} -> ${specifier}`),
    )
  expect(leaks).toEqual([])
})

test('the console imports the client and its own files, so that it can do only what every caller can', () => {
  const leaks = sources.flatMap(({ file, text }) =>
    !file.startsWith('console/src/') || isTest(file)
      ? []
      : importsOf(text)
          .filter((specifier) =>
            specifier.startsWith('.')
              ? !path.posix.join(path.posix.dirname(file), specifier).startsWith('console/src/')
              : !/^(@tollway\/client|preact(\/hooks)?|marked)$/.test(specifier),
          )
          .map((specifier) => `${file} -> ${specifier}`),
  )
  expect(leaks).toEqual([])
})

test('only config.ts and main.ts read the environment', () => {
  const readers = sources
    .filter(({ file }) => file.startsWith('src/') && !isTest(file))
    .filter(({ text }) => /process\.env\b/.test(text.replace(/^\s*(\/\/|\*).*$/gm, '')))
    .map(({ file }) => file)
  expect(readers).toEqual(['src/main.ts'])
})
