// `tollway login --browser` against a real gateway: a person allows the command, and takes the access back.
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { openConsent } from '#test/oauth/client.ts'
import { emptyFolder, runCommand } from './run-command.ts'

const gateway = shareGatewayOfWorker()

/** Runs `login --browser`, and resolves to the page that it wants opened and to its end. */
async function startLogin(folder: string, signal?: AbortSignal) {
  const shown = Promise.withResolvers<string>()
  const ended = runCommand(['login', gateway().url, '--browser'], {
    folder,
    ...(signal === undefined ? {} : { signal }),
    onNote: (line) => shown.resolve(/http\S+$/m.exec(line)?.[0] ?? ''),
  })
  return { page: await Promise.race([shown.promise, ended.then(({ stderr }) => stderr)]), ended }
}

/** What the browser shows at the end. */
async function decide(page: string, key: string, decision: 'allow' | 'deny') {
  const { browser, page: consent } = await openConsent(gateway().url, key, page)
  expect(consent.text).toContain('tollway command on ')
  const landed = await browser.submit(consent, { per_day: '0.03' }, decision)
  return await (await fetch(landed.url)).text()
}

const fileIn = (folder: string) => path.join(folder, '.config/tollway/credentials.json')

/** A folder in which a person has allowed the command to spend 3¢ a day. */
async function signIn() {
  const account = await gateway().account(100)
  const folder = await emptyFolder()
  const { page, ended } = await startLogin(folder)
  expect(await decide(page, account.key, 'allow')).toContain('has access')
  expect(await ended).toMatchObject({ code: 0 })
  const command = (...words: string[]) => runCommand(words, { folder })
  return { account, folder, command }
}

/** As if an hour had passed since the access was given. */
async function endToken(folder: string): Promise<void> {
  const text = await readFile(fileIn(folder), 'utf8')
  await writeFile(fileIn(folder), text.replace(/"expiresAtMs": \d+/, '"expiresAtMs": 0'))
}

test('a person allows the command to spend up to a limit, and ends the access by logout', async () => {
  const { account, folder, command } = await signIn()
  expect((await stat(fileIn(folder))).mode & 0o777).toBe(0o600)
  expect(await readFile(fileIn(folder), 'utf8')).not.toContain(account.key)
  expect((await command('run', 'test/echo', '--text', 'a')).stdout).toBe('echo: a\n')
  // 2¢ of 3¢ are spent.
  expect((await command('run', 'test/echo', '--text', 'b')).code).toBe(4)
  expect((await command('balance')).code).toBe(0)

  const { keys } = JSON.parse(await readFile(fileIn(folder), 'utf8'))
  const token = keys[gateway().url].accessToken
  expect((await command('logout')).stdout).toBe(`The access to ${gateway().url} has ended.\n`)
  expect((await gateway().request('GET', '/api/v1/account', { key: token })).status).toBe(401)
  expect((await command('balance', '--gateway', gateway().url)).code).toBe(3)
})

test('an ended token is refreshed once, also by commands that run at once', async () => {
  const { folder, command } = await signIn()
  const before = await readFile(fileIn(folder), 'utf8')
  await endToken(folder)
  const ends = await Promise.all([1, 2, 3].map(() => command('balance')))
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(await readFile(fileIn(folder), 'utf8')).not.toBe(before)
  await endToken(folder)
  expect((await command('balance')).code).toBe(0)
})

test('another login ends the access of the one before it', async () => {
  const { account, folder, command } = await signIn()
  const inFolder = { folder, stdin: account.key }
  expect((await runCommand(['login', gateway().url], inFolder)).code).toBe(0)
  const { body } = await gateway().request('GET', '/api/v1/keys', { key: account.key })
  const given = body.keys.find((key: { client_id: string | null }) => key.client_id !== null)
  expect(given.revoked_at).not.toBeNull()
  expect((await command('balance')).code).toBe(0)
})

test('once the person has ended the access, the command says how to sign in again', async () => {
  const { account, folder, command } = await signIn()
  const { body } = await gateway().request('GET', '/api/v1/keys', { key: account.key })
  const given = body.keys.find((key: { client_id: string | null }) => key.client_id !== null)
  await gateway().request('DELETE', `/api/v1/keys/${given.key_id}`, { key: account.key })
  await endToken(folder)
  const { code, stderr } = await command('balance')
  expect(code).toBe(3)
  expect(stderr).toContain('The access that you gave in the browser has ended.')
  expect(stderr).toContain('tollway login')
})

test('nothing is stored when the person refuses, or the command is interrupted', async () => {
  const account = await gateway().account(10)
  const folder = await emptyFolder()
  const refused = await startLogin(folder)
  expect(await decide(refused.page, account.key, 'deny')).toContain('has no access')
  expect(await refused.ended).toMatchObject({ code: 3 })

  const interruption = new AbortController()
  const interrupted = await startLogin(folder, interruption.signal)
  interruption.abort()
  expect(await interrupted.ended).toMatchObject({ code: 130 })
  await expect(stat(fileIn(folder))).rejects.toThrow('ENOENT')
})

test('an answer with another state is not taken', async () => {
  const account = await gateway().account(10)
  const { page, ended } = await startLogin(await emptyFolder())
  const callback = new URL(new URL(page).searchParams.get('redirect_uri') ?? '')
  for (const query of ['', '?code=stolen&state=guess', '?code=stolen'])
    expect((await fetch(callback.href + query)).status).toBe(404)
  expect(await decide(page, account.key, 'allow')).toContain('has access')
  expect(await ended).toMatchObject({ code: 0 })
})
