// The verbs of the command against a real gateway.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { shareGateway, type TestAccount } from '#test/harness.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'
import { until } from '#test/until.ts'
import { type CommandOptions, emptyFolder, runCommand } from './run-command.ts'

const machine = createTestMachine()
const gateway = shareGateway({
  providers: [createSessionProvider(machine)],
  env: { SIGNUP_CREDIT_CENTS: '50' },
})

/** Runs the command for an account with 100¢. */
async function open(cents = 100) {
  const account = await gateway().account(cents)
  const command = (words: readonly string[], options: CommandOptions = {}) =>
    runCommand(words, { ...options, environment: environmentOf(account, options) })
  return { account, command }
}

const environmentOf = ({ key }: Pick<TestAccount, 'key'>, { environment }: CommandOptions) => ({
  TOLLWAY_URL: gateway().url,
  TOLLWAY_KEY: key,
  ...environment,
})

describe('run', () => {
  test('takes fields as options, prints the answer, and says what it cost', async () => {
    const { command } = await open()
    const { code, stdout, stderr } = await command(['run', 'test/echo', '--text', 'good day'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'echo: good day\n' })
    expect(stderr).toMatch(/^Charged 2¢ \(\$0\.020000\), 98¢ left, transaction [\w-]+\n$/)
  })

  test('prints the envelope with --json, before or after the action', async () => {
    const { command } = await open()
    for (const words of [
      ['run', '--json', 'test/echo', '--text', 'a'],
      ['run', 'test/echo', '--text', 'a', '--json'],
    ]) {
      const { json, stderr } = await command(words)
      expect(json).toMatchObject({ ok: true, data: { echo: 'a' }, charged_cents: 2 })
      expect(stderr).toBe('')
    }
  })

  test('takes the body from JSON, a file or standard input, and fields replace its own', async () => {
    const { command } = await open()
    const folder = await emptyFolder()
    await writeFile(path.join(folder, 'body.json'), '{"text":"from a file"}')
    const at = `@${path.join(folder, 'body.json')}`
    const echo = async (words: readonly string[], stdin = '') =>
      (await command(['run', 'test/echo', ...words], { stdin })).stdout
    expect(await echo(['--body', '{"text":"given"}'])).toBe('echo: given\n')
    expect(await echo(['--body', at])).toBe('echo: from a file\n')
    expect(await echo(['--body', '-'], '{"text":"piped"}')).toBe('echo: piped\n')
    expect(await echo(['--body', at, '--text', 'b'])).toBe('echo: b\n')
  })

  test('takes a field from a file', async () => {
    const { command } = await open()
    const file = path.join(await emptyFolder(), 'letter.txt')
    await writeFile(file, 'dear reader')
    const { stdout } = await command(['run', 'test/echo', '--file', `text=${file}`])
    expect(stdout).toBe('echo: dear reader\n')
  })

  test('is charged once for a call that is repeated with its idempotency key', async () => {
    const { account, command } = await open()
    const words = ['run', 'test/echo', '--idempotency-key', 'a-name-of-this-call', '--json']
    expect((await command(words)).json.replayed).toBeUndefined()
    expect((await command(words)).json.replayed).toBe(true)
    expect((await account.state()).availableCents).toBe(98)
  })

  test('stops waiting for a job when it is interrupted', async () => {
    const { command } = await open()
    const interruption = new AbortController()
    const ended = command(['run', 'test/job', '--ends', 'gate'], { signal: interruption.signal })
    await gateway().provider.waiting(1)
    interruption.abort()
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(
        /^The job cannot be stopped any more: `tollway job [-0-9a-f]{36}` waits for it.\nInterrupted.\n$/,
      ),
    })
    gateway().provider.release()
  })

  test('starts a job without waiting, and `job` waits for it', async () => {
    const { command } = await open()
    const started = await command(['run', 'test/job', '--no-wait'])
    const waited = await command(['job', started.stdout.trim(), '--json'])
    expect(waited).toMatchObject({ code: 0, json: { ok: true } })
  })

  test('shows the state of a job that runs, and how far it is', async () => {
    const { command } = await open()
    await command(['run', 'test/job', '--ends', 'never', '--no-wait'])
    await until(async () => (await command(['jobs', '--json'])).json.jobs[0].progress !== null)
    expect((await command(['jobs'])).stdout).toMatch(/ running \d+% +\$0\.000000 +test\/job /)
  })
})

describe('a failure', () => {
  const cases = [
    { words: ['run', 'test/echo', '--nothing', 'x'], code: 2, says: 'no field nothing' },
    { words: ['run', 'test/purchase', '--costs', 'many'], code: 2, says: 'a number' },
    { words: ['run', 'test/echo', '--text'], code: 2, says: '--text needs a value' },
    { words: ['run'], code: 2, says: 'ACTION is missing' },
    { words: ['fly'], code: 2, says: 'no verb "fly"' },
    { words: ['--gateway', 'balance'], code: 2, says: 'tollway VERB --gateway' },
    { words: ['balance', '--colour'], code: 2, says: 'has no option --colour' },
    { words: ['balance', '--pick', '--help'], code: 2, says: 'is ambiguous. `tollway balance' },
    {
      words: ['keys', 'create', '--name', 'a', '--name=b'],
      code: 2,
      says: '--name may be given once',
    },
    {
      words: ['run', 'test/echo', '--text', 'a', '--text', 'b'],
      code: 2,
      says: 'was given twice.',
    },
    { words: ['run', 'echo'], code: 2, says: 'not the name of an action' },
    { words: ['run', 'test/nothing'], code: 5, says: 'test/nothing' },
    { words: ['run', 'test/echo', '--max-cost', '1'], code: 4, says: 'ceiling' },
    { words: ['run', 'test/fails', '--code', 'all_blocked'], code: 6, says: '' },
  ]
  test('to reach the gateway ends with 7', async () => {
    const end = await runCommand(['balance', '--gateway', 'http://127.0.0.1:1'])
    expect(end).toMatchObject({ code: 7, stderr: expect.stringContaining('npm start') })
  })

  test.for(cases)('of $words ends with $code', async ({ words, code, says }) => {
    const { command } = await open()
    const end = await command(words)
    expect(end).toMatchObject({ code, stdout: '' })
    expect(end.stderr).toContain(says)
  })

  test('without a key or with too little money has a code of its own', async () => {
    const stranger = { environment: { TOLLWAY_URL: gateway().url } }
    expect((await runCommand(['balance'], stranger)).code).toBe(3)
    const { command } = await open(1)
    expect((await command(['run', 'test/echo'])).code).toBe(4)
  })

  test('is one JSON document on standard output with --json', async () => {
    const { command } = await open()
    const { json, stderr } = await command(['run', 'test/echo', '--nothing', 'x', '--json'])
    expect(json).toMatchObject({ ok: false, error: 'usage' })
    expect(stderr).toBe('')
    const refused = await command(['run', 'test/echo', '--max-cost', '1', '--json'])
    expect(refused.json).toMatchObject({ ok: false, error: 'max_cost_exceeded', status: 402 })
  })
})

describe('finding', () => {
  test('discover, actions and show name the actions of this gateway', async () => {
    const { command } = await open()
    const found = await command(['discover', 'read', 'a', 'web', 'page', '--json'])
    expect(found.json.hits.length).toBeGreaterThan(0)
    const names = await command(['actions', '--names'])
    expect(names.stdout.split('\n')).toContain('test/echo')
    const shown = await command(['show', 'test/echo'])
    expect(shown.stdout).toMatch(/^test\/echo {2}2¢/)
    expect(shown.stdout).toMatch(/--text +string/)
  })

  test('quote tells the price, and charges nothing', async () => {
    const { account, command } = await open()
    const { stdout } = await command(['quote', 'test/echo', '--text', 'a'])
    expect(stdout).toContain('It costs 2¢ ($0.020000).')
    expect(stdout).toContain('Your account can make this call.')
    expect((await account.state()).availableCents).toBe(100)
  })
})

describe('signing in', () => {
  test('stores the key for its owner only, and forgets it again', async () => {
    const { account } = await open()
    const folder = await emptyFolder()
    const inFolder = { folder, stdin: `${account.key}\n` }
    const signedIn = await runCommand(['login', gateway().url], inFolder)
    expect(signedIn).toMatchObject({ code: 0, stderr: '' })
    const file = path.join(folder, '.config/tollway/credentials.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await runCommand(['balance'], { folder })).stdout).toContain('100¢')
    expect((await runCommand(['logout'], { folder })).code).toBe(0)
    expect(await readFile(file, 'utf8')).not.toContain(account.key)
  })

  test('opens an account with --new', async () => {
    const folder = await emptyFolder()
    const words = ['login', gateway().url, '--new', '--json']
    expect((await runCommand(words, { folder })).json.claim_url).toContain('/claim/')
    expect((await runCommand(['run', 'test/echo'], { folder })).code).toBe(0)
  })

  test('refuses a wrong key, and stores nothing', async () => {
    const folder = await emptyFolder()
    const end = await runCommand(['login', gateway().url], { folder, stdin: 'wrong' })
    expect(end.code).toBe(3)
    expect(await readdir(folder)).toEqual([])
  })

  test('uses the first key of a gateway that was started in this folder', async () => {
    const { account } = await open()
    const folder = await emptyFolder()
    await mkdir(path.join(folder, 'data'))
    await writeFile(path.join(folder, 'data/starter-key'), `${account.key}\n`)
    const end = await runCommand(['balance', '--gateway', gateway().url], { folder })
    expect(end.stdout).toContain('100¢')
  })
})

test('keys are made with limits, listed and revoked', async () => {
  const { command } = await open()
  const made = await command(['keys', 'create', '--name', 'agent', '--per-call', '1', '--json'])
  expect(made.json.max_cents_per_call).toBe(1)
  const limited = { environment: { TOLLWAY_KEY: made.json.api_key } }
  expect((await command(['run', 'test/echo'], limited)).code).toBe(4)
  expect((await command(['keys'])).stdout).toContain('agent')
  expect((await command(['keys', 'revoke', made.json.key_id])).code).toBe(0)
  expect((await command(['run', 'test/echo'], limited)).code).toBe(3)
})

test('transactions are listed over several pages, and shown in full', async () => {
  const { account, command } = await open(1_000)
  const calls = Array.from({ length: 101 }, () => account.call('test/free', {}))
  await Promise.all(calls)
  await command(['run', 'test/echo'])
  const listed = await command(['transactions', '--limit', '2', '--json'])
  const [newest] = listed.json.transactions
  expect(newest).toMatchObject({ action: 'test/echo', charged_cents: 2, status: 'succeeded' })
  expect(listed.json.transactions).toHaveLength(2)
  const whole = await command(['transactions', newest.transaction_id, '--json'])
  expect(whole.json.output).toEqual({ echo: 'hello' })
})

test('files are stored, listed, saved and deleted', async () => {
  const { command } = await open()
  const folder = await emptyFolder()
  const file = path.join(folder, 'report.txt')
  await writeFile(file, 'the report')
  const id = (await command(['files', 'upload', file, '--tag', 'may'])).stdout.trim()
  expect((await command(['files', '--tag', 'may'])).stdout).toContain('report.txt')
  expect((await command(['files', 'download', id, '-'])).stdout).toBe('the report')
  const refused = await command(['files', 'download', id, file])
  expect(refused).toMatchObject({ code: 2, stderr: `${file} exists. Give another path.\n` })
  const saved = await command(['run', 'files/get', '--file-id', id, '--save-to', folder])
  expect(saved.stderr).toContain(`Saved ${path.join(folder, 'report-2.txt')}`)
  expect(await readFile(path.join(folder, 'report-2.txt'), 'utf8')).toBe('the report')
  expect((await command(['files', 'delete', id])).code).toBe(0)
  expect((await command(['files', '--json'])).json.files).toEqual([])
})

test('a session is opened, used and closed', async () => {
  const { account, command } = await open()
  const id = (await command(['session', 'open', 'boxes/create_session'])).stdout.trim()
  expect((await command(['session'])).stdout).toContain(id)
  const ran = await command(['session', 'run', id, 'echo hello'])
  expect(ran).toMatchObject({ code: 0, stdout: id })
  expect((await command(['session', 'close', id])).stdout).toContain(`${id} is closed.`)
  expect((await command(['session', 'run', id, 'true'])).code).toBe(5)
  expect((await account.state()).heldCents).toBe(0)
})

test('an action that opens no session is neither run nor charged', async () => {
  const { account, command } = await open()
  const refused = await command(['session', 'open', 'test/echo', '--text', 'a'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toBe('test/echo opens no session. `tollway run test/echo` runs it.\n')
  expect((await account.state()).availableCents).toBe(100)
})

test('the fields of an action are pointed at by verbs that take fields', async () => {
  const { command } = await open()
  const { code, stderr } = await command(['discover', 'papers', '--limit', '100000'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^limit: [^\n]+\.\n$/),
  })
})

describe('the key of the environment', () => {
  const elsewhere = 'http://gateway.invalid'

  test('is sent to its own gateway only, also where --gateway names another', async () => {
    const account = await gateway().account(10)
    const key = { TOLLWAY_KEY: account.key }
    const own = { environment: { ...key, TOLLWAY_URL: gateway().url } }
    expect((await runCommand(['balance'], own)).code).toBe(0)
    for (const environment of [key, { ...key, TOLLWAY_URL: 'https://gateway.example' }]) {
      const refused = await runCommand(['balance', '--gateway', elsewhere], { environment })
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr).toContain(`TOLLWAY_KEY was not sent to ${elsewhere}`)
    }
    // Without TOLLWAY_URL it belongs to this machine.
    const here = await runCommand(['balance', '--gateway', gateway().url], { environment: key })
    expect(here.code).toBe(0)
  })

  test('gives way to the stored key of another gateway, and keeps no one from storing one', async () => {
    const account = await gateway().account(10)
    const folder = await emptyFolder()
    const environment = { TOLLWAY_KEY: 'tw_live_of-another', TOLLWAY_URL: 'https://other.example' }
    const stored = await runCommand(['login', gateway().url], {
      folder,
      environment,
      stdin: account.key,
    })
    expect(stored).toMatchObject({ code: 0 })
    const used = await runCommand(['balance', '--gateway', gateway().url], { folder, environment })
    expect(used.code).toBe(0)
  })
})
