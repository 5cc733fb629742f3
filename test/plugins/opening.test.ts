// The order in which the parts of a plugin are opened.
import { expect, test } from 'vitest'
import { startGateway } from '#test/harness.ts'
import { writePlugin } from './write-plugin.ts'

const rail = `{
  id: 'notes', title: 'Notes', settings: {}, requires: [], payments: [], requestHeaders: [], responseHeaders: [],
  async open({ database }) {
    const [{ sum }] = await database.query('select sum(amount) from plugin_notes.note')
    const check = async () => ({ problems: ['It has found ' + sum + '.'], warnings: [] })
    return { rail: { id: 'notes' }, check, async close() {} }
  },
}`

test('a rail of a plugin is opened when the tables of the plugin are there', async () => {
  const migration = 'create table note (amount integer); insert into note values (4), (3)'
  const TOLLWAY_PLUGINS = await writePlugin(`rails: [${rail}]`, migration)
  const { app } = await startGateway({ env: { TOLLWAY_PLUGINS } })
  expect(app.rails.closed.get('notes')).toEqual(['It has found 7.'])
})

test('hooks and routes of a plugin may be made by asynchronous functions', async () => {
  const members = `
    async hooks({ transaction }) {
      const { rows } = await transaction((client) => client.query('select action from refused'))
      const refused = new Set(rows.map(({ action }) => action))
      return {
        beforeCall: ({ action }) =>
          refused.has(action) ? { code: 'forbidden', message: 'Not here.' } : undefined,
      }
    },
    async routes() {
      return [{ method: 'GET', path: '/open', answer: () => ({ open: true }) }]
    },`
  const migration = `create table refused (action text); insert into refused values ('test/miss')`
  const TOLLWAY_PLUGINS = await writePlugin(members, migration)
  const gateway = await startGateway({ env: { TOLLWAY_PLUGINS } })
  const account = await gateway.account(100)
  const refused = await account.call('test/miss', { found: true })
  expect([refused.status, refused.body.message]).toEqual([403, 'Not here.'])
  expect((await account.call('test/echo', {})).status).toBe(200)
  expect((await account.get('/plugins/notes/open')).body).toEqual({ open: true })
})
