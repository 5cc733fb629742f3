import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { loadPlugins } from './load-plugins.ts'

const root = path.join(import.meta.dirname, '../..')

const load = (chosen: Partial<Parameters<typeof loadPlugins>[0]>, folder?: string) =>
  loadPlugins({ TOLLWAY_PLUGINS: [], TOLLWAY_PROVIDERS: [], OWN_NS: 'gate', ...chosen }, folder)

/** A folder in which a package with this text is installed. */
async function install(name: string, text: string, more: object = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-plugins-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const home = path.join(folder, 'node_modules', name)
  await mkdir(home, { recursive: true })
  await writeFile(path.join(home, 'index.js'), text)
  await writeFile(
    path.join(home, 'package.json'),
    JSON.stringify({ name, type: 'module', ...more }),
  )
  return folder
}

test('every provider that a module exports is loaded', async () => {
  const example = path.join(root, 'examples/private-provider.ts')
  expect(await load({ TOLLWAY_PROVIDERS: [example] })).toMatchObject([
    { providers: [{ id: 'my', actions: [{ name: 'greet' }] }] },
  ])
  expect(await load({})).toEqual([])
})

test('a plugin is found as a folder, and as a package that is installed in the working directory', async () => {
  const plugin = 'export const plugin = { id: "rules" }'
  const folder = await install('spend-rules', plugin)
  const loaded = [{ id: 'rules' }]
  expect(await load({ TOLLWAY_PLUGINS: ['spend-rules'] }, folder)).toEqual(loaded)
  expect(await load({ TOLLWAY_PLUGINS: ['./node_modules/spend-rules'] }, folder)).toEqual(loaded)
})

test.each([
  ['for import alone', { '.': { import: './index.js' } }],
  ['for one module', './index.js'],
  ['of a part', { './part': './index.js' }, '/part'],
])('a package with exports %s is found by its name', async (_kind, exports, part = '') => {
  const plugin = 'export const plugin = { id: "rules" }'
  const folder = await install('spend-rules', plugin, { exports })
  const loaded = [{ id: 'rules' }]
  expect(await load({ TOLLWAY_PLUGINS: [`spend-rules${part}`] }, folder)).toEqual(loaded)
  if (part === '')
    expect(await load({ TOLLWAY_PLUGINS: ['./node_modules/spend-rules'] }, folder)).toEqual(loaded)
})

test('a package that imports what is not installed is refused by the name of that', async () => {
  const folder = await install(
    'spend-rules',
    'import "not-there"; export const plugin = { id: "r" }',
  )
  await expect(load({ TOLLWAY_PLUGINS: ['spend-rules'] }, folder)).rejects.toThrow(
    /^TOLLWAY_PLUGINS: spend-rules cannot be loaded: Cannot find package 'not-there'/,
  )
})

test.each([
  ['./not-there.ts', /^TOLLWAY_PROVIDERS: \.\/not-there\.ts cannot be loaded: /],
  ['not-a-package', /^TOLLWAY_PROVIDERS: not-a-package cannot be loaded: /],
  ['zod', /^TOLLWAY_PROVIDERS: zod exports no provider\.$/],
])('%s is refused in a sentence', async (name, sentence) => {
  await expect(load({ TOLLWAY_PROVIDERS: [name] })).rejects.toThrow(sentence)
})

test('a module that never ends loading is given up after a minute', async () => {
  const folder = await install('p', 'await new Promise(() => {})')
  const slept: number[] = []
  const clock = { ...systemClock, sleep: async (delayMs: number) => void slept.push(delayMs) }
  const chosen = { TOLLWAY_PLUGINS: ['p'], TOLLWAY_PROVIDERS: [], OWN_NS: 'gate' }
  await expect(loadPlugins(chosen, folder, clock)).rejects.toThrow(
    'TOLLWAY_PLUGINS: p cannot be loaded: It was not ready within 60 seconds.',
  )
  expect(slept).toEqual([60_000])
})

const provider = (id: string, aliases: string[] = []) =>
  `{ id: '${id}', title: 'T', actions: [], upstream: { credential: { aliases: ${JSON.stringify(aliases)} } } }`
const rail = (rest: string) => `{ requires: [], settings: {}, payments: [], ${rest} }`

test.each([
  ['export const a = 1', 'p exports no plugin.'],
  ['throw new Error("It is broken.")', 'p cannot be loaded: It is broken.'],
  ['throw null', 'p cannot be loaded: null'],
  ['export const p = { id: "No" }', 'its id No must be lower-case letters, digits and _.'],
  [
    `export const p = { id: 'rules', hoks: () => ({}) }`,
    'the plugin rules has no part hoks. Did you mean hooks?',
  ],
  [
    `export const p = { id: 'rules', version: '1' }`,
    'the plugin rules has no part version. It may have: id, settings, ',
  ],
  [
    `export const p = { id: 'rules', hooks: { beforeCall() {} } }`,
    'the hooks of the plugin rules must be a function.',
  ],
  [
    `export const p = { id: 'rules', pages: [{ name: 'spent', titel: 'Spent', file: 'page.js' }] }`,
    'its page spent has no part titel. Did you mean title?',
  ],
  [
    `export const p = { id: 'rules', providers: [${provider('ns_mail')}] }`,
    'the gateway already has the provider ns_mail.',
  ],
  [
    `export const p = { id: 'rules', rails: [${rail("id: 'x402'")}] }`,
    'the gateway already has the rail x402.',
  ],
  [
    `export const p = { id: 'rules', rails: [{ ...${rail("id: 'cash'")}, payments: [{ name: 'payment-signature' }] }] }`,
    'the gateway already has the payment header payment-signature.',
  ],
  [
    `export const p = { id: 'rules', rails: [${rail("id: 'cash', buying: {}")}] }`,
    "its rail cash buys from sellers, which only the gateway's own rails may do.",
  ],
  [
    `export const p = { id: 'admin', settings: { ADMIN_TOKEN: {} } }`,
    'the gateway already has the setting ADMIN_TOKEN.',
  ],
  [
    `export const p = { id: 'exa', settings: { EXA_API_KEY: {} } }`,
    'the gateway already has the setting EXA_API_KEY.',
  ],
  [
    `export const p = { id: 'rules', settings: { OTHER_KEY: {} } }`,
    'the name of its setting OTHER_KEY must begin with RULES_.',
  ],
  [`export const p = { id: 'rules' }, q = { id: 'rules' }`, 'p already has the plugin id rules.'],
  [
    `export const p = { id: 'rules', providers: [${provider('gate')}] }`,
    'the gateway already has the provider gate.',
  ],
  [
    `export const p = { id: 'rules', providers: [${provider('llm')}] }`,
    'the gateway already has the provider llm.',
  ],
  [
    `export const p = { id: 'rules', providers: [${provider('exa')}] }`,
    'the gateway already has the setting EXA_API_KEY.',
  ],
  [
    `export const p = { id: 'rules', providers: [${provider('tides', ['ADMIN_TOKEN'])}] }`,
    'the gateway already has the setting ADMIN_TOKEN.',
  ],
  [
    `export const p = { id: 'tides', providers: [${provider('tides')}], settings: { TIDES_API_KEY: {} } }`,
    'p already has the setting TIDES_API_KEY.',
  ],
  [
    `export const p = { id: 'tides', providers: [${provider('sea', ['TIDES_KEY'])}], settings: { TIDES_KEY: {} } }`,
    'p already has the setting TIDES_KEY.',
  ],
  [
    `export const p = { id: 'one', providers: [${provider('sea', ['TIDES_KEY'])}] },
       q = { id: 'tides', settings: { TIDES_KEY: {} } }`,
    'p already has the setting TIDES_KEY.',
  ],
])('the plugin %s is refused in a sentence that names it', async (text, sentence) => {
  const folder = await install('p', text)
  const loading = load({ TOLLWAY_PLUGINS: ['p'] }, folder)
  await expect(loading).rejects.toThrow(/^TOLLWAY_PLUGINS: p /)
  await expect(loading).rejects.toThrow(sentence)
})

test('providers of plugins and modules may share the key of a vendor, and nothing else', async () => {
  const keys = ['EXA_API_KEY', 'SEA_API_KEY']
  const folder = await install(
    'p',
    `export const p = { id: 'tides', providers: [${provider('tides', keys)}] }`,
  )
  const sea = `export const one = ${provider('sea')}, two = ${provider('lake', keys)}`
  await writeFile(path.join(folder, 'sea.js'), sea)
  await writeFile(path.join(folder, 'exa.js'), `export const exa = ${provider('exa')}`)
  const both = { TOLLWAY_PLUGINS: ['p'], TOLLWAY_PROVIDERS: ['./sea.js'] }
  expect(await load(both, folder)).toHaveLength(2)
  await expect(load({ TOLLWAY_PROVIDERS: ['./sea.js', './sea.js'] }, folder)).rejects.toThrow(
    'TOLLWAY_PROVIDERS: ./sea.js cannot be used: ./sea.js already has the provider sea.',
  )
  await expect(load({ TOLLWAY_PROVIDERS: ['./exa.js'] }, folder)).rejects.toThrow(
    'TOLLWAY_PROVIDERS: ./exa.js cannot be used: the gateway already has the setting EXA_API_KEY.',
  )
})
