// Ten first tasks of a person who writes programs that call a gateway.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect } from 'vitest'
import { chromiumPath, shareConsole } from '../open-console.ts'
import { firstTasksOf } from './first-tasks.ts'

/** Runs a command as it was copied, in a shell that has the key. */
async function runCommand(command: string, key = ''): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, TOLLWAY_KEY: key },
  })
  return JSON.parse(stdout)
}

describe.skipIf(chromiumPath === undefined)('a developer', () => {
  const opened = shareConsole({ env: { SIGNUP_CREDIT_CENTS: '40' } })
  const task = firstTasksOf('Developer', opened)
  let key = ''
  let limited = ''
  const asked = (action: string, of: string) => opened().gateway.call(action, {}, { key: of })

  task('opens an account and signs in', async (begin) => {
    const { screen } = await begin()
    await screen.see('opens an account and answers with its API key')
    key = String((await runCommand(await screen.block('/api/v1/agents').copy())).api_key)
    await screen.follow('sign in')
    await screen.fill('API key', key)
    await screen.press('Sign in')
    await screen.see('Spent today')
  })

  task('finds an action and its price', async (begin) => {
    const { screen } = await begin()
    await screen.enter('Search the documents', 'read web pages')
    await screen.follow('tollway/onescrape')
    await screen.see('2¢ per URL')
  })

  task('runs an action in its form', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Catalog')
    await screen.fill('What do you need?', 'find something, or not')
    await screen.follow('test/miss')
    await screen.press('Run')
    await screen.region('Answer').see('Charged 10¢')
  })

  task('copies a curl command that works', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Catalog')
    await screen.fill('What do you need?', 'find something, or not')
    await screen.follow('test/miss')
    await screen.see('is an API key')
    const answer = await runCommand(await screen.copy(), key)
    expect(answer).toMatchObject({ ok: true, charged_cents: 10, data: { found: true } })
  })

  task('connects Cursor', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.see('Spent today')
    await screen.follow('Connect')
    await screen.press('Cursor')
    await screen.fill('API key', key)
    const { url, headers } = JSON.parse(await screen.copy()).mcpServers.tollway
    const client = new Client({ name: 'cursor', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run')
    await client.close()
  })

  task('makes a key that may do little', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Keys')
    await screen.fill('Name', 'Weather robot')
    await screen.fill('Most per day, in $', '0.03')
    await screen.fill('Actions', 'test/echo')
    await screen.press('Make a key')
    limited = await screen.copy()
    expect((await asked('test/either', limited)).status).toBe(403)
    expect((await asked('test/echo', limited)).status).toBe(200)
  })

  task('finds what an error means', async (begin) => {
    const { body } = await asked('test/echo', limited)
    const { screen } = await begin()
    await screen.enter('Search the documents', body.error)
    await screen.follow('spend_limit_reached')
    await screen.see('A spending limit of this API key does not cover the call.')
    await screen.follow('Keys with limits')
    await screen.see('A key takes these limits')
  })

  task('reads why a call costs more than they have, and what to do', async (begin) => {
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Catalog')
    await screen.fill('What do you need?', 'deliver rows, fewer than asked for')
    await screen.follow('test/rows')
    await screen.fill('rows', '100')
    await screen.press('Run')
    await screen.follow('What insufficient_balance means')
    await screen.follow('from a wallet')
    await screen.see('Topping up an account')
  })

  task('finds the OpenAPI description', async (begin) => {
    const { screen } = await begin()
    await screen.follow('as OpenAPI')
    await screen.see('"openapi":')
    expect(JSON.parse(await screen.words()).openapi).toMatch(/^3\.1/)
  })

  task('follows a job', async (begin) => {
    const { gateway } = opened()
    const { screen } = await begin()
    await screen.follow('Console')
    await screen.follow('Catalog')
    await screen.fill('What do you need?', 'do some steps, one after the other')
    await screen.follow('test/job')
    await screen.choose('ends', 'gate')
    await screen.press('Run')
    await screen.see('stepping')
    await screen.follow('Jobs and sessions')
    await screen.row('test/job').see('stepping')
    gateway.provider.release()
    await screen.row('test/job').see('succeeded')
  })
})
