// The order in which the parts of a plugin are opened.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSkippingClock } from '#test/browsers/skipping-clock.ts'
import { shareGateway, startGateway } from '#test/harness.ts'
import { writePlugin } from './write-plugin.ts'

const thrown = ['null', 'undefined', '0', '"text"', 'new Error("It is broken.")', '{ code: 7 }']
const throwing = thrown.map(
  (value, index) => `{
    method: 'GET', path: '/${index}', answer() { throw ${value} }
  }, {
    method: 'GET', path: '/late/${index}', async answer() { await null; throw ${value} }
  }`,
)

const members = `
  rails: [{
    id: 'notes', title: 'Notes', settings: {}, requires: [], payments: [], requestHeaders: [], responseHeaders: [],
    async open({ database }) {
      const [{ sum }] = await database.query('select sum(amount) from plugin_notes.note')
      const check = async () => ({ problems: ['It has found ' + sum + '.'], warnings: [] })
      return { rail: { id: 'notes' }, check, async close() {} }
    },
  }],
  async hooks({ transaction }) {
    const { rows } = await transaction((client) => client.query('select action from refused'))
    const refused = new Set(rows.map(({ action }) => action))
    return {
      beforeCall: ({ action }) =>
        refused.has(action) ? { code: 'forbidden', message: 'Not here.' } : undefined,
    }
  },
  async routes() {
    return [{ method: 'GET', path: '/open', answer: () => ({ open: true }) }, ${throwing.join()}]
  },`
const migration = `
  create table note (amount integer); insert into note values (4), (3);
  create table refused (action text); insert into refused values ('test/miss')`

const endings: (() => Promise<void>)[] = []
let withAllParts = ''
beforeAll(async () => {
  withAllParts = await writePlugin(members, migration, (work) => endings.push(work))
})
afterAll(async () => {
  for (const end of endings) await end()
})
const shared = shareGateway(() => ({ env: { TOLLWAY_PLUGINS: withAllParts } }))

test('a rail of a plugin is opened when the tables of the plugin are there', () => {
  expect(shared().app.rails.closed.get('notes')).toEqual(['It has found 7.'])
})

test('hooks and routes of a plugin may be made by asynchronous functions', async () => {
  const account = await shared().account(100)
  const refused = await account.call('test/miss', { found: true })
  expect([refused.status, refused.body.message]).toEqual([403, 'Not here.'])
  expect((await account.call('test/echo', {})).status).toBe(200)
  expect((await account.get('/plugins/notes/open')).body).toEqual({ open: true })
})

test('what a route of a plugin throws becomes an error of the table', async () => {
  const account = await shared().account(1)
  for (const index of thrown.keys())
    for (const at of [`${index}`, `late/${index}`]) {
      const { status, body } = await account.get(`/plugins/notes/${at}`)
      expect([at, status, body]).toMatchObject([at, 500, { ok: false, error: 'upstream_error' }])
    }
})

test.each([
  [
    'hooks: () => ({ beforecall() {} })',
    'its set of hooks has no part beforecall. Did you mean beforeCall?',
  ],
  ['hooks: () => ({ beforeCall: true })', 'the beforeCall of its set of hooks must be a function.'],
  ['hooks() { throw null }', 'null'],
  ['hooks: () => null', 'its set of hooks must be an object.'],
  [
    `routes: () => [{ method: 'GET', path: '/open', anwser: () => 1 }]`,
    'its route /open has no part anwser. Did you mean answer?',
  ],
  [
    `routes: () => [{ method: 'GET', path: '/open' }]`,
    'the answer of its route /open must be a function.',
  ],
  [
    `routes: () => [{ method: 'GET', path: 'open', answer: () => 1 }]`,
    'the path of its route open must begin with a slash: /open.',
  ],
])(
  'the plugin with %s stops the start with a sentence that names it',
  async (members, sentence) => {
    const TOLLWAY_PLUGINS = await writePlugin(members)
    await expect(startGateway({ env: { TOLLWAY_PLUGINS } })).rejects.toThrow(
      `The plugin notes cannot be opened: ${sentence}`,
    )
  },
)

test.each([
  'hooks: () => new Promise(() => {})',
  'routes: () => new Promise(() => {})',
  `rails: [{
    id: 'notes', title: 'Notes', settings: {}, requires: [], payments: [], requestHeaders: [], responseHeaders: [],
    open: () => new Promise(() => {}),
  }]`,
])('the plugin with %s is given up after a minute', async (members) => {
  const TOLLWAY_PLUGINS = await writePlugin(members)
  const clock = createSkippingClock()
  const starting = startGateway({ clock, env: { TOLLWAY_PLUGINS } })
  const skipping = setInterval(() => clock.skip(10_000), 100)
  onTestFinished(() => clearInterval(skipping))
  await expect(starting).rejects.toThrow(
    'The plugin notes cannot be opened: It was not ready within 60 seconds.',
  )
})

const silent = `routes: () => [{
  method: 'GET', path: '/silent', answer: ({ signal }) => new Promise((resolve) => {
    globalThis.asked?.()
    signal.addEventListener('abort', () => globalThis.told?.())
  })
}]`

/** Asks for a route that never answers. `asked` and `told` resolve when its function is called, and told of the end. */
async function askSilent() {
  const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  Object.assign(globalThis, { asked: asked.resolve, told: told.resolve })
  const TOLLWAY_PLUGINS = await writePlugin(silent)
  const clock = createSkippingClock()
  const gateway = await startGateway({ clock, env: { TOLLWAY_PLUGINS } })
  const account = await gateway.account(1)
  const answer = account.get('/plugins/notes/silent')
  await asked.promise
  return { gateway, clock, answer, told: told.promise }
}

test('a route of a plugin that never answers ends with an error after 30 seconds', async () => {
  const { gateway, clock, answer, told } = await askSilent()
  clock.skip(30_000)
  expect(await answer).toMatchObject({
    status: 503,
    body: {
      ok: false,
      error: 'unavailable',
      message: expect.stringMatching(/plugin notes did not answer within 30 seconds/),
    },
  })
  await told
  expect(await gateway.request('GET', '/healthz')).toMatchObject({ status: 200 })
})

test('a route of a plugin that never answers does not hold up the stop of the gateway', async () => {
  const { gateway, answer, told } = await askSilent()
  const closed = gateway.close()
  expect(await answer).toMatchObject({
    status: 503,
    body: { error: 'unavailable', message: expect.stringMatching(/gateway stopped/) },
  })
  await Promise.all([told, closed])
})
