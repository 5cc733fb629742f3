// `tollway connect`: the configuration of a client is written with the address and the key, and keeps what it had.
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { emptyFolder, runCommand } from './run-command.ts'

const gateway = shareGatewayOfWorker()
let home: string
beforeEach(async () => {
  home = await emptyFolder()
})

const keyed = (key: string) => ({ TOLLWAY_URL: gateway().url, TOLLWAY_KEY: key })
const connect = (words: readonly string[], environment: Record<string, string>) =>
  runCommand(['connect', ...words], { folder: home, environment })

test.each([
  { client: 'cursor', file: '.cursor/mcp.json', at: 'mcpServers' },
  { client: 'vs-code', file: '.config/Code/User/mcp.json', at: 'servers' },
  { client: 'claude-code', file: '.claude.json', at: 'mcpServers' },
])(
  '$client: its file keeps the other entries, and gets address and key',
  async ({ client, at }) => {
    const { key } = await gateway().account(0)
    const file = path.join(home, 'clients.json')
    const other = { command: 'other' }
    await writeFile(file, JSON.stringify({ theme: 'dark', [at]: { other, tollway: { old: 1 } } }))
    const end = await connect([client, '--file', file], keyed(key))
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining(file) })
    expect(end.stdout + end.stderr).not.toContain(key)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      theme: 'dark',
      [at]: {
        other,
        tollway: expect.objectContaining({
          url: `${gateway().url}/mcp`,
          headers: { Authorization: `Bearer ${key}` },
        }),
      },
    })
  },
)

test.runIf(process.platform === 'linux')(
  'without a file to name it writes that of the client, readable by its owner only',
  async () => {
    const { key } = await gateway().account(0)
    await connect(['cursor'], keyed(key))
    const file = path.join(home, '.cursor/mcp.json')
    expect(await readFile(file, 'utf8')).toContain(key)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  },
)

test('codex: the table is replaced, and other tables and comments stay', async () => {
  const { key } = await gateway().account(0)
  const file = path.join(home, 'config.toml')
  const before = `# mine\nmodel = "m"\n\n[mcp_servers.tollway]\nurl = "http://old"\n\n[mcp_servers.tollway.env]\nA = "b"\n\n[mcp_servers.other]\ncommand = "x"\n`
  await writeFile(file, before)
  for (const _ of ['first', 'again']) await connect(['codex', '--file', file], keyed(key))
  expect(await readFile(file, 'utf8')).toBe(
    `# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.tollway]\nurl = "${gateway().url}/mcp"\nhttp_headers = { Authorization = "Bearer ${key}" }\n`,
  )
})

test('a file with comments stays as it is, and the verb says what to do', async () => {
  const { key } = await gateway().account(0)
  const file = path.join(home, 'mcp.json')
  await writeFile(file, '{ // mine\n "servers": {} }')
  const end = await connect(['vs-code', '--file', file], keyed(key))
  expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('--print') })
  expect(await readFile(file, 'utf8')).toContain('// mine')
})

test('without a key the client is left to sign in', async () => {
  const file = path.join(home, 'mcp.json')
  const end = await connect(['cursor', '--file', file], { TOLLWAY_URL: gateway().url })
  expect(end.stdout).toContain('asks you to sign in')
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8'))
  expect(mcpServers.tollway).toEqual({ url: `${gateway().url}/mcp` })
})

test('--print writes nothing, and what has no file is printed', async () => {
  const { key } = await gateway().account(0)
  await mkdir(path.join(home, '.codex'))
  const printed = await connect(['codex', '--print'], keyed(key))
  expect(printed.stdout).toContain(`Authorization = "Bearer ${key}"`)
  await expect(stat(path.join(home, '.codex/config.toml'))).rejects.toThrow()
  const framework = await connect(['langchain'], keyed(key))
  expect(framework.stdout).toContain(`"Authorization": "Bearer ${key}"`)
})

test('without a client it lists them, and an unknown one is named with those that exist', async () => {
  const list = await connect(['--json'], { TOLLWAY_URL: gateway().url })
  expect(list.json.clients).toContainEqual({ id: 'cursor', title: 'Cursor' })
  const wrong = await connect(['cursr'], { TOLLWAY_URL: gateway().url })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('cursor') })
})

test.runIf(process.platform === 'linux')(
  'a file that others may read is closed to them with the key, a link stays, and nothing is left beside it',
  async () => {
    const { key } = await gateway().account(0)
    const folder = path.join(home, 'dotfiles')
    await mkdir(folder)
    const real = path.join(folder, 'mcp.json')
    await writeFile(real, '{}', { mode: 0o644 })
    const link = path.join(home, 'linked.json')
    await symlink(real, link)
    await connect(['cursor', '--file', link], keyed(key))
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect(await readFile(real, 'utf8')).toContain(key)
    expect((await stat(real)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['mcp.json'])
  },
)
