// A gateway that cannot start gives the reason in one sentence, exits with 1 and leaves no process running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { portOf } from '#platform/http/port.ts'
import { isRoot } from '#platform/postgres/system-user.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { writePlugin } from '../plugins/write-plugin.ts'
import { gatewayProgram, startGatewayProcess } from './gateway-process.ts'

async function newDataDir() {
  const dataDir = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  return dataDir
}

/** Starts a gateway that must fail. */
async function failToStart(
  env: Record<string, string>,
  options: { cwd?: string; uid?: number } = {},
) {
  const child = spawn(process.execPath, gatewayProgram(), {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk
  })
  // A gateway that starts after all must not run until the test is given up.
  child.stdout.on('data', (chunk: Buffer) => {
    if (!chunk.includes('listens at')) return
    printed += 'The gateway started.\n'
    child.kill()
  })
  await once(child, 'close')
  const lines = printed.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  return { code: child.exitCode, lines }
}

test('a port in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const port = portOf(other)
  const dataDir = await newDataDir()
  const { code, lines } = await failToStart({ DATA_DIR: dataDir, PORT: String(port) })
  expect([code, lines]).toEqual([
    1,
    [
      `Port ${port} of 127.0.0.1 is in use by another program, perhaps another gateway. Stop it, or set PORT to another port.`,
    ],
  ])
  expect(await readdir(dataDir)).toEqual([])
})

test.each([
  [
    'a host that is not of this machine',
    { HOST: '203.0.113.7' },
    /^HOST=203\.0\.113\.7 is not an address of this machine\. /,
  ],
  [
    'a host that is not an address',
    { HOST: 'no-such-host.invalid' },
    /^HOST=no-such-host\.invalid (is an unknown name|cannot be looked up)/,
  ],
  ['a setting that is wrong', { PORT: 'many' }, /^The configuration is invalid\. PORT: /],
  [
    'a file that is missing',
    { LLM_CONFIG: '/no/such/file.json' },
    /^\/no\/such\/file\.json does not exist\. Correct or remove LLM_CONFIG\.$/,
  ],
  [
    'a secret that is missing',
    { X402_GAS_KEY_FILE: '/no/such/key' },
    /X402_GAS_KEY_FILE: the file \/no\/such\/key cannot be read/,
  ],
])('%s', async (_, env, sentence) => {
  const dataDir = await newDataDir()
  const { code, lines } = await failToStart({ DATA_DIR: dataDir, ...env })
  expect([code, lines.length]).toEqual([1, 1])
  expect(lines[0]).toMatch(sentence)
  expect(await readdir(dataDir)).toEqual([])
})

test.each([
  ['nothing listens there', 'postgresql://ada:sesame@127.0.0.1:1/books'],
  ['its host name is unknown', 'postgresql://ada:sesame@no-such-host.invalid/books'],
])('a database that cannot be reached, since %s; its password is not shown', async (_, url) => {
  const { code, lines } = await failToStart({ DATA_DIR: await newDataDir(), DATABASE_URL: url })
  expect([code, lines.length]).toEqual([1, 1])
  expect(lines[0]).toMatch(
    /^The database of DATABASE_URL \((127\.0\.0\.1:1|no-such-host\.invalid:5432)\/books\) cannot be used: /,
  )
  expect(lines[0]).not.toContain('sesame')
})

test('a data folder that is a file', async () => {
  const file = path.join(await newDataDir(), 'file')
  await writeFile(file, '')
  const { code, lines } = await failToStart({ DATA_DIR: file })
  expect([code, lines.length]).toEqual([1, 1])
  expect(lines[0]).toMatch(/^The data folder .*file cannot be used/)
})

test.runIf(isRoot())(
  'a data folder without access for the user of the gateway',
  async ({ skip }) => {
    const dataDir = await newDataDir()
    await chown(dataDir, 0, 0)
    await chmod(dataDir, 0o755)
    const unprivilegedUid = 65_534
    const { code, lines } = await failToStart({ DATA_DIR: dataDir }, { uid: unprivilegedUid })
    skip(
      lines.some((line) => line.includes('EACCES') && line.includes('scripts')),
      'this clone is closed to others',
    )
    expect([code, lines.length]).toEqual([1, 1])
    expect(lines[0]).toContain(dataDir)
  },
)

test('a database that a newer version has migrated so that this one cannot use it', async () => {
  const url = await createTestDatabase()
  const database = openDatabase({ connectionString: url, log })
  await database.query(`insert into migration (name) values ('9999_contract_of_the_future.sql')`)
  await database.close()
  const { code, lines } = await failToStart({ DATA_DIR: await newDataDir(), DATABASE_URL: url })
  expect([code, lines]).toEqual([
    1,
    [
      'The database was made by a newer version of the gateway: this one does not know its migrations 9999_contract_of_the_future.sql. Start the newer version, or restore the backup that was taken before the upgrade.',
    ],
  ])
})

test.each([
  [
    'whose migration is wrong',
    '',
    'create tabel note (amount integer)',
    'The plugin notes cannot be opened: syntax error at or near "tabel"',
  ],
  [
    'whose hooks reach nothing',
    `async hooks() {
       const socket = (await import('node:net')).connect(1, '127.0.0.1')
       await new Promise((_, reject) => socket.on('error', reject))
     }`,
    'select 1',
    'The plugin notes cannot be opened: connect ECONNREFUSED 127.0.0.1:1',
  ],
  [
    'whose schema is missing',
    'schema: "/no/such/schema"',
    '',
    expect.stringMatching(/^The plugin notes cannot be opened: ENOENT: .*\/no\/such\/schema'$/),
  ],
  [
    'whose page is missing',
    'pages: [{ name: "all", title: "All", file: "/no/such/page.js" }]',
    'select 1',
    expect.stringMatching(/^The page all of the plugin notes cannot be read: ENOENT: .*page\.js'$/),
  ],
])(
  'a plugin %s is named, and the database is not blamed',
  async (_, members, migration, sentence) => {
    const env = {
      DATA_DIR: await newDataDir(),
      DATABASE_URL: await createTestDatabase(),
      TOLLWAY_PLUGINS: await writePlugin(members, migration),
    }
    const { code, lines } = await failToStart(env)
    expect([code, lines]).toEqual([1, [sentence]])
  },
)

test('settings of a plugin are known when the start fails, even if it cannot be loaded', async () => {
  const folder = await newDataDir()
  const start = async (members: string) => {
    const plugin = await writePlugin(members)
    const set = `TOLLWAY_PLUGINS=${plugin}\nNOTES_MOST=4\nPROT=1\nCOLOUR=blue\n`
    await writeFile(path.join(folder, '.env'), set)
    return (await failToStart({ DATA_DIR: folder }, { cwd: folder })).lines
  }
  const misspelt = 'The .env file sets PROT, which is not a setting. Did you mean PORT?'
  expect(await start('settings: { NOTES_MOST: tollway.wholeNumber(1, 3) }')).toEqual([
    expect.stringMatching(/^The configuration is invalid\. NOTES_MOST: /),
    'The .env file sets COLOUR, which is not a setting.',
    misspelt,
  ])
  expect(await start('settings: { NOTES_MOST: broken }')).toEqual([
    expect.stringMatching(/cannot be loaded: broken is not defined$/),
    misspelt,
  ])
})

test('misspelt settings are named, those of .env and those of the environment', async () => {
  const folder = await newDataDir()
  await writeFile(path.join(folder, '.env'), 'PROT=4020\nCOLOUR=red\nMY_OWN_API_KEY=1\n')
  const { lines } = await failToStart(
    { DATA_DIR: path.join(folder, 'data'), PORT: 'many', X402_PAYTO: '0x', MY_COLOUR: 'red' },
    { cwd: folder },
  )
  expect(lines.slice(1).toSorted()).toEqual([
    'The .env file sets COLOUR, which is not a setting.',
    'The .env file sets PROT, which is not a setting. Did you mean PORT?',
    'The environment sets X402_PAYTO, which is not a setting. Did you mean X402_PAY_TO?',
  ])
})

test('secrets are printed only on a terminal; the key of the first account is in a file', async () => {
  const dataDir = await newDataDir()
  const database = await createTestDatabase()
  const gateway = startGatewayProcess(dataDir, {
    DATABASE_URL: database,
    ADMIN_TOKEN: 'a-token-of-the-operator',
  })
  let printed = ''
  gateway.child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  await gateway.listening
  await gateway.stop()
  const key = (await readFile(path.join(dataDir, 'starter-key'), 'utf8')).trim()
  expect(key).toMatch(/^tw_live_/)
  expect((await stat(path.join(dataDir, 'starter-key'))).mode & 0o777).toBe(0o600)
  expect(printed).not.toContain(key)
  expect(printed).not.toContain('a-token-of-the-operator')
  expect(printed).toContain('x402          off: X402_RPC_URL and X402_PAY_TO not set')
})

test('STARTER_ACCOUNT=off opens no account', async () => {
  const dataDir = await newDataDir()
  const url = await createTestDatabase()
  const gateway = startGatewayProcess(dataDir, { DATABASE_URL: url, STARTER_ACCOUNT: 'off' })
  await gateway.listening
  await gateway.stop()
  const database = openDatabase({ connectionString: url, log })
  expect(await database.query(`select 1 from account where kind = 'caller'`)).toEqual([])
  await database.close()
})
