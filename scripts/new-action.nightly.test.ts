import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { exportPets } from '#test/selling/exported-pets.ts'

const root = path.join(import.meta.dirname, '..')
const run = promisify(execFile)

/** A copy of the repository in its own folder. */
async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'tollway-copy-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  for (const { name } of await readdir(root, { withFileTypes: true }))
    if (!/^(\.cache|\.git|data|dist|coverage|node_modules)$/.test(name))
      await cp(path.join(root, name), path.join(copy, name), {
        recursive: true,
        filter: (file) => path.basename(file) !== 'node_modules',
      })
  for (const name of ['node_modules', 'oracles/node_modules'])
    await symlink(path.join(root, name), path.join(copy, name))
  return copy
}

/** Fills in the texts in angle brackets, as a contributor would. */
async function fillIn(file: string): Promise<void> {
  const texts: readonly (readonly [RegExp, string])[] = [
    [/<One sentence.*?>/, 'List the tides of a harbour.'],
    [/<When to use.*?>/, 'For the weather use ns_primary/fetch.'],
    [/'<at least four.*?>'/, "'tides', 'high water', 'low water', 'harbour'"],
    [/'<at least three.*?>'/, "'when is high tide?', 'how deep is it?', 'may I sail?'"],
    [/<What it means.>/, 'Harbour.'],
    [/<What it is.*?>/, 'Tides'],
    [/<Where the reply.*?>/, 'The reference of the provider.'],
    [/<the reference>|<host>/g, 'tides.example'],
    [/<path>/g, 'tides'],
    [/<a call that works>/g, 'Kiel'],
  ]
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    texts.reduce((filled, [open, words]) => filled.replace(open, words), text),
  )
}

/** The new files and the list of providers with all that it names. The tests of the repository need no second look. */
async function projectOfCatalog(copy: string): Promise<string> {
  const file = path.join(copy, 'tsconfig.catalog.json')
  const include = ['ns_tides', 'ns_harbours', 'ns_pets', 'providers.ts'].map(
    (name) => `src/catalog/${name}`,
  )
  await writeFile(file, JSON.stringify({ extends: './tsconfig.json', include }))
  return file
}

test('a new action of a new provider, once filled in, fits the types of the catalog and passes the contract suite', async () => {
  const copy = await copyRepository()
  const inCopy = (...command: string[]) => run(process.execPath, command, { cwd: copy })
  await inCopy('scripts/start.js', 'scripts/new-provider.ts', 'ns_tides')
  const { stdout } = await inCopy(
    'scripts/start.js',
    'scripts/new-action.ts',
    'ns_tides/high-water',
  )
  await inCopy('scripts/start.js', 'scripts/new-action.ts', 'ns_harbours/delete')
  const rules = [
    { match: 'list-pets', price: 1, per: { field: 'kinds', at_most: 3 }, free_per_day: 2 },
    { match: 'delete', price: 5, when: { answer: '/kind', equals: 'dog' }, cost: 1 },
    { match: '*', price: 2, per: { answer: '/notes', at_most: 9 }, minimum: 1 },
  ]
  const pets = JSON.stringify({ ...(await exportPets()), rules })
  await writeFile(path.join(copy, 'pets.json'), pets)
  const imported = await inCopy(
    'scripts/start.js',
    'scripts/new-provider.ts',
    'ns_pets',
    path.join(copy, 'pets.json'),
  )
  expect(imported.stdout).toContain('left out POST /photos: Its body is multipart, not JSON.')
  expect(stdout).toContain('wrote src/catalog/ns_tides/high-water.ts')
  const folders = ['ns_tides', 'ns_harbours', 'ns_pets'].map((id) =>
    path.join(copy, 'src/catalog', id),
  )
  for (const folder of folders)
    for (const name of await readdir(folder, { recursive: true }))
      if (/\.(ts|json)$/.test(name)) await fillIn(path.join(folder, name))
  await inCopy('node_modules/@biomejs/biome/bin/biome', 'check', '--write', 'src/catalog')
  await inCopy('node_modules/typescript/bin/tsc', '--noEmit', '-p', await projectOfCatalog(copy))
  const results = path.join(copy, 'results.json')
  const reporter = ['--reporter=json', `--outputFile=${results}`]
  const suite = ['test/contract/catalog.test.ts', '-t', 'ns_tides|ns_harbours|ns_pets|list']
  await inCopy('node_modules/vitest/vitest.mjs', 'run', ...reporter, ...suite)
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(results, 'utf8'))
  expect(numFailedTests).toBe(0)
  expect(numPassedTests).toBeGreaterThan(30)
})

test.each([
  ['new-action.ts', 'scholar', 'Name the action'],
  ['new-action.ts', 'ns_scholar/works', 'exists already'],
  ['new-provider.ts', 'ns_scholar/works', 'Name the provider'],
  ['new-provider.ts', 'ns_scholar', 'exists already'],
  ['new-provider.ts', 'ns_pets nothing.json', 'nothing.json cannot be read'],
  ['new-provider.ts', 'ns_pets package.json', 'This is not a file of `sell export`'],
])('%s %s is refused', async (script, id, sentence) => {
  const refused = run(
    process.execPath,
    ['scripts/start.js', `scripts/${script}`, ...id.split(' ')],
    {
      cwd: root,
    },
  )
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(sentence),
  })
})
