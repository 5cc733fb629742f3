// An import becomes source that sends the same requests.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Action } from '#core/action.ts'
import { chooseProbe } from '#core/canaries/probe.ts'
import { quotePrice, settlePrice } from '#core/price.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import type { Provider } from '#core/provider.ts'
import { providerOf } from '#features/selling/provider.ts'
import { readPriceRules } from '#features/selling/rules/price-rules.ts'
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
  expect(pets.actions[2]?.notes).toContain('The API calls this operation deprecated.')
  const lean = { name: 'rex', kind: 'dog', born: null, more: 1 }
  expect(add?.output.parse(lean)).toEqual(lean)
  expect(add?.output.safeParse({ name: 'rex', kind: 'cow' }).success).toBe(false)
})

const perKind = { field: 'kinds', unit: 'kind', at_most: 3 }
const perPet = { answer: '', unit: 'pet', at_most: 50 }
const born = { answer: '/born' }

test.each([
  ['list-pets', { price: 0.1, per: perKind, free_per_day: 2 }],
  ['list-pets', { price: 2, per: perKind, minimum: 3, cost: 0.5, timeout_seconds: 120 }],
  ['list-pets', { price: 2, per: perKind, minimum: 3, when: { answer: '/0/name' } }],
  ['list-pets', { price: 0.5, per: { ...perKind, each: 2 }, when: { answer: '/1' } }],
  ['list-pets', { price: 0.2, per: perPet, minimum: 1 }],
  ['delete', { price: 5, when: { answer: '/kind', equals: 'dog' } }],
  ['delete', { price: 0.01, per: { answer: '/born', at_most: 3_000 }, when: born }],
  ['delete', { price: 0, per: { field: 'name', at_most: 9 }, minimum: 2 }],
  ['notes', { price: 'free', cost: 1 }],
  ['notes', { price: 1, cache_seconds: 60 }],
])('the source of %s has all that its price rule says: %j', async (name, rule) => {
  const catalog = await emptyCatalog()
  const rules = readPriceRules([{ match: name, ...rule }])
  const sold = { ...(await exportPets()), rules }
  await writeImport(catalog, 'ns_pets', sold)
  const { pets } = (await import(path.join(catalog, 'ns_pets/provider.ts'))) as { pets: Provider }
  const [written] = pets.actions
  const [live] = providerOf(sold).provider.actions
  if (written === undefined || live === undefined) throw new Error('There is one action.')
  const dogs = ['rex', 'ada', 'bo'].map((each) => ({ name: each, kind: 'dog', born: 2_020 }))
  const cat = { name: 'tom', kind: 'cat', born: null }
  const inputs = [{}, { kinds: ['cat'] }, { kinds: ['cat', 'dog', 'cow'] }, { name: 'rex' }]
  const answers = [...dogs, cat, dogs, [cat], [], { notes: [1] }]
  const chargesOf = (action: Action, isList: boolean) => [
    describePrice(action),
    action.example,
    action.freeCallsPerDay,
    action.timeoutMs,
    action.cacheSeconds,
    action.declaredCostUsd,
    ...inputs.flatMap((input): unknown[] => {
      try {
        action.check?.(input)
      } catch (thrown) {
        return [String(thrown)]
      }
      const quote = quotePrice(action.price, input)
      const charges = answers.map((answer) =>
        settlePrice(action.price, quote, input, isList ? { items: answer } : answer),
      )
      return [quote, ...charges]
    }),
  ]
  expect(chargesOf(written, name === 'list-pets')).toEqual(chargesOf(live, false))
})

test('what the canary may not ask is not asked by the canary of the source either', async () => {
  const catalog = await emptyCatalog()
  const rules = readPriceRules([
    { match: 'list-pets', price: 1, canary: false },
    { match: '*', price: 2 },
  ])
  await writeImport(catalog, 'ns_pets', { ...(await exportPets()), rules })
  const { pets } = (await import(path.join(catalog, 'ns_pets/provider.ts'))) as { pets: Provider }
  const [list, ...others] = pets.actions
  expect([list?.name, list?.canary]).toEqual(['list-pets', false])
  expect(others.map(({ canary }) => canary)).toEqual([undefined, undefined])
  expect(chooseProbe(pets)?.id).not.toBe('ns_pets/list-pets')
  if (list === undefined) throw new Error('There are three actions.')
  expect(chooseProbe({ ...pets, actions: [list] })).toBeUndefined()
})

test.each([
  [{ when: { status: [201] } }, 'Its price depends on the status of the answer'],
  [{ per: { of: 'bytes', at_most: 10 } }, 'Its price counts the bytes of the answer'],
  [{ per: { field: 'pages', at_most: 10 } }, 'It has no price: its price counts pages'],
])('an operation is left out whose price source cannot say: %j', async (rule, why) => {
  const rules = readPriceRules([
    { match: 'delete', price: 3, ...rule },
    { match: '*', price: 1 },
  ])
  const catalog = await emptyCatalog()
  const { leftOut } = await writeImport(catalog, 'ns_pets', { ...(await exportPets()), rules })
  expect(leftOut).toContainEqual({ key: 'POST /pets', why: expect.stringContaining(why) })
})

test('an import without a description is refused before anything is written', async () => {
  const catalog = await emptyCatalog()
  const sold = { ...(await exportPets()), kind: 'mcp' as const }
  await expect(writeImport(catalog, 'ns_pets', sold)).rejects.toThrow('pets is an MCP server.')
})
