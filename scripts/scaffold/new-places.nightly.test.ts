import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)
const script = (name: string, ...words: string[]) =>
  run(process.execPath, ['scripts/start.js', `scripts/scaffold/${name}`, ...words], { cwd: root })

/** A folder with the rules of style and copies of these folders. */
async function copyOf(...folders: string[]): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'tollway-scaffold-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  for (const place of ['biome.json', '.gitignore', ...folders])
    await cp(path.join(root, place), path.join(copy, place), { recursive: true })
  await mkdir(path.join(copy, '.git'))
  return copy
}

const operatorPath = ['$', '{operatorPrefix}/shelves'].join('')

test.each([
  ['a caller', [], 'routes', 'routes.ts', "path: '/api/v1/shelves'"],
  ['the operator', ['--operator'], 'admin', 'operator-routes.ts', operatorPath],
])('a new route of %s is written and listed', async (_who, options, folder, list, at) => {
  const copy = await copyOf('src/surfaces/openapi', `src/surfaces/http/${folder}`)
  const { stdout } = await script('new-route.ts', 'shelves', ...options, '--root', copy)
  expect(stdout).toContain(`wrote src/surfaces/http/${folder}/shelves.ts`)
  const written = await readFile(path.join(copy, `src/surfaces/http/${folder}/shelves.ts`), 'utf8')
  expect(written).toContain(at)
  const listed = await readFile(path.join(copy, 'src/surfaces/openapi', list), 'utf8')
  expect(listed).toMatch(/import \{ listShelves \} from '.*shelves\.ts'/)
  expect(listed).toMatch(/ {2}listShelves,\n\]/)
  await expect(script('new-route.ts', 'shelves', ...options, '--root', copy)).rejects.toThrow(
    'exists already',
  )
})

test.each([
  ['account', "path: '/shelves'", /ShelvesPage,\n {2}\},\n {2}\{\n {4}\.\.\.operator,/],
  ['operator', "path: '/operator/shelves'", /ShelvesPage,\n {2}\},\n\]/],
])('a new page of the console for the side %s is written and listed', async (side, at, place) => {
  const copy = await copyOf('console/src/pages', `console/src/${side}`)
  await script('new-page.ts', side, 'shelves', copy)
  const listed = await readFile(path.join(copy, 'console/src/pages/pages.ts'), 'utf8')
  expect(listed).toContain(at)
  expect(listed).toMatch(place)
  const page = await readFile(path.join(copy, `console/src/${side}/shelves-page.tsx`), 'utf8')
  expect(page).toContain('export function ShelvesPage()')
})

test.each([
  ['runner', /wholeNumber\(1, 1_000\)[^}]*\n\} as const\n$/],
  ['features/storage/mail', /import \{[^}]*wholeNumber \} from '#core\/settings\.ts'/],
  ['accounts', /import \{[^}]*wholeNumber[^}]*\} from '#core\/settings\.ts'/],
])('a new setting of the room %s is declared', async (room, expected) => {
  const copy = await copyOf(`src/${room}`)
  const place = `src/${room}/settings.ts`
  const { stdout } = await script('new-setting.ts', room, 'SHELVES_MAX', copy)
  expect(stdout).toContain(`wrote ${place}`)
  const declared = await readFile(path.join(copy, place), 'utf8')
  expect(declared).toContain('SHELVES_MAX: wholeNumber(1, 1_000)')
  expect(declared).toMatch(expected)
  await expect(script('new-setting.ts', room, 'SHELVES_MAX', copy)).rejects.toThrow(
    'declares SHELVES_MAX already',
  )
})

test('a new tool of the MCP server is written and listed', async () => {
  const copy = await copyOf('src/surfaces/mcp')
  await script('new-tool.ts', 'old-shelves', copy)
  const tools = path.join(copy, 'src/surfaces/mcp/tools')
  expect(await readFile(path.join(tools, 'old-shelves.ts'), 'utf8')).toContain("'old_shelves'")
  const listed = await readFile(path.join(tools, 'tools.ts'), 'utf8')
  expect(listed).toContain("import { createOldShelvesTools } from './old-shelves.ts'")
  expect(listed).toContain('...createOldShelvesTools(),\n  ]')
})

test.each([
  ['new-route.ts', 'Shelves!'],
  ['new-page.ts', 'nowhere'],
  ['new-setting.ts', 'runner'],
  ['new-tool.ts', 'Shelves!'],
])('%s refuses a name that cannot be one', async (name, word) => {
  await expect(script(name, word)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Name '),
  })
})
