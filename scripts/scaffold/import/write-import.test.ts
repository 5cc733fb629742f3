// An import becomes source that sends the same requests.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Provider } from '#core/provider.ts'
import type { Fixture } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { exportPets } from '#test/selling/exported-pets.ts'
import { writeImport } from './write-import.ts'

const cache = path.join(import.meta.dirname, '../../../.cache')

/** Inside of the repository, so that its imports are found. */
async function emptyCatalog(): Promise<string> {
  await mkdir(cache, { recursive: true })
  const catalog = await mkdtemp(path.join(cache, 'import-'))
  onTestFinished(() => rm(catalog, { recursive: true }))
  const list = `import { nothing } from './nothing.ts'\n\nconst listed = [nothing]\n`
  await writeFile(path.join(catalog, 'providers.ts'), list)
  return catalog
}

test('each operation is an action whose example sends the request of its fixture, and the others say why not', async () => {
  const catalog = await emptyCatalog()
  const { leftOut } = await writeImport(catalog, 'ns_pets', await exportPets())
  expect(leftOut).toEqual([
    { key: 'POST /photos', why: 'Its body is multipart, not JSON.' },
    { key: 'GET /map', why: 'It is at another address: https://maps.example.' },
  ])
  expect(await readFile(path.join(catalog, 'providers.ts'), 'utf8')).toContain('[nothing, pets]')
  const { pets } = (await import(path.join(catalog, 'ns_pets/provider.ts'))) as { pets: Provider }
  expect({ ...pets, actions: pets.actions.map(({ name, price }) => [name, price]) }).toMatchObject({
    id: 'ns_pets',
    title: 'Pets "and" their keepers',
    docs: 'https://pets.example/openapi.json',
    upstream: { baseUrl: 'https://pets.example/v1' },
    actions: [
      ['list-pets', { cents: 3 }],
      ['delete', { cents: 3 }],
      ['notes', 'free'],
    ],
  })
  for (const { name, example } of pets.actions) {
    const file = path.join(catalog, 'ns_pets/fixtures', `${name}.json`)
    const fixture: Fixture = JSON.parse(await readFile(file, 'utf8'))
    const { input } = example
    const replayed = await replayAction(pets, name, { exchanges: fixture.exchanges, input })
    expect({ name, ...replayed }).toEqual({ name, output: fixture.output })
  }
  const [list, add] = pets.actions
  expect(list?.input.safeParse({ kinds: ['a', 'b', 'c', 'd'] }).success).toBe(false)
  expect(list?.input.safeParse({ page: 0 }).success).toBe(false)
  expect(add?.input.safeParse({ name: 'REX' }).success).toBe(false)
  expect(add?.input.safeParse({ name: 'rex', age: 3 }).success).toBe(false)
  const lean = { name: 'rex', kind: 'dog', born: null, more: 1 }
  expect(add?.output.parse(lean)).toEqual(lean)
  expect(add?.output.safeParse({ name: 'rex', kind: 'cow' }).success).toBe(false)
})

test('an import without a description is refused before anything is written', async () => {
  const catalog = await emptyCatalog()
  const sold = { ...(await exportPets()), kind: 'mcp' as const }
  await expect(writeImport(catalog, 'ns_pets', sold)).rejects.toThrow('pets is an MCP server.')
})
