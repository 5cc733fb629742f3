// MCP servers as their makers publish them, each sold by one command and used by an unmodified client that pays.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mcpServerFile, mcpServersFolder } from '#oracles/mcp-servers.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { adminToken, shareGateway, verify } from '#test/harness.ts'
import { connectMcp, revisions } from '#test/mcp/client.ts'
import { typeCommand } from '#test/selling/operator-command.ts'
import { until } from '#test/until.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { received, x402Payer } from '../../payments/payers.ts'

const chains = shareChains()
const gateway = payments.ok ? sharePaidGateway(chains) : shareGateway()

/** That servers read. */
const documents = {
  'notes.txt': 'Two words.',
  'graph.jsonl': JSON.stringify({
    type: 'entity',
    name: 'Ada',
    entityType: 'person',
    observations: ['wrote a program'],
  }),
  'books.graphqls': 'type Query { book(id: ID!): Book } type Book { id: ID! title: String }',
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollway-sold-'))
  // The users of boxes read it.
  await chmod(folder, 0o755)
  for (const [name, text] of Object.entries(documents))
    await writeFile(path.join(folder, name), text, { mode: 0o644 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const tollway = (...words: readonly string[]) =>
  typeCommand(words, { url: gateway().url, token: adminToken, folder })

/** Sells it for 2 cents a call. */
async function sellProgram(name: string, command: readonly string[], ...more: readonly string[]) {
  const folders = ['--folder', mcpServersFolder, '--folder', folder]
  const sold = await tollway(
    ...['sell', '--name', name, '--price', '2', '--yes', ...folders, ...more, '--', ...command],
  )
  expect([sold.code, sold.stderr]).toEqual([0, ''])
  return sold.stdout
}

interface Sold {
  readonly package: string
  readonly args?: (folder: string) => readonly string[]
  readonly calls: (folder: string) => Readonly<Record<string, Record<string, unknown>>>
}

const thought = { thought: 'One.', thoughtNumber: 1, totalThoughts: 1 }
const servers: Readonly<Record<string, Sold>> = {
  everything: {
    package: '@modelcontextprotocol/server-everything',
    calls: () => ({
      echo: { message: 'ä "quoted" text' },
      'get-tiny-image': {},
      'get-structured-content': { location: 'New York' },
      'get-resource-links': { count: 2 },
      'get-annotated-message': { messageType: 'error', includeImage: true },
    }),
  },
  filesystem: {
    package: '@modelcontextprotocol/server-filesystem',
    args: (folder) => [folder],
    calls: (folder) => ({
      read_text_file: { path: path.join(folder, 'notes.txt') },
      search_files: { path: folder, pattern: '*.txt' },
    }),
  },
  memory: { package: '@modelcontextprotocol/server-memory', calls: () => ({ read_graph: {} }) },
  sequential_thinking: {
    package: '@modelcontextprotocol/server-sequential-thinking',
    calls: () => ({ sequentialthinking: { ...thought, nextThoughtNeeded: false } }),
  },
  thinking_tools: {
    package: 'mcp-sequentialthinking-tools',
    calls: () => ({
      sequentialthinking_tools: {
        ...thought,
        available_mcp_tools: [],
        next_thought_needed: false,
        thought_number: 1,
        total_thoughts: 1,
      },
    }),
  },
  hello_world: { package: 'mcp-hello-world', calls: () => ({ add: { a: 2, b: 0.5 }, debug: {} }) },
  calculator: {
    package: '@coo-quack/calc-mcp',
    calls: () => ({
      math: { expression: 'sqrt(2) * 3' },
      hash: { input: 'text', algorithm: 'sha256' },
      count: { text: 'three small words' },
    }),
  },
  knowledge_graph: {
    package: '@itseasy21/mcp-knowledge-graph',
    args: (folder) => ['--memory-path', path.join(folder, 'graph.jsonl')],
    calls: () => ({ read_graph: {}, open_nodes: { names: ['Ada'] } }),
  },
  graphql_schema: {
    package: 'mcp-graphql-schema',
    args: (folder) => [path.join(folder, 'books.graphqls')],
    calls: () => ({ 'list-query-fields': {}, 'get-type': { typeName: 'Book' } }),
  },
  time: {
    package: 'time-mcp',
    calls: () => ({
      days_in_month: { date: '2028-02-01' },
      get_timestamp: { time: '2026-01-02 03:04:05.006' },
    }),
  },
}

/** Without the gateway. */
async function connectDirectly(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'direct', version: '0' })
  const command = { command: process.execPath, args: [...args], stderr: 'ignore' as const }
  await client.connect(new StdioClientTransport(command))
  return client
}

const asText = (answer: object) => {
  const { content, structuredContent } = answer as Record<string, unknown>
  return JSON.stringify([content, structuredContent])
}

/** A tool as a client finds it, by the name of its action. */
const actionOf = (name: string, tool: string) =>
  `${name}/${tool.replaceAll('_', '-').toLowerCase()}`

describe('sold by one command', () => {
  test.each(Object.entries(servers))(
    '%s: content is that of the server without a gateway, byte for byte, and each call is charged once',
    async (name, { package: id, args = () => [], calls }) => {
      const file = await mcpServerFile(id)
      const direct = await connectDirectly([file, ...args(folder)])
      try {
        const shown = await sellProgram(name, ['node', file, ...args(folder)])
        const offered = await direct.listTools()
        const tools = offered.tools.filter((tool) => tool.execution?.taskSupport !== 'required')
        const asTasks = offered.tools.length - tools.length
        expect(shown.includes('Left out')).toBe(asTasks > 0)
        expect(shown).toContain(asTasks > 0 ? `Left out (${asTasks}):` : 'Buy it:')
        const listed = await gateway().request('GET', `/api/v1/admin/sold-apis/${name}`, {
          key: adminToken,
        })
        const keys = listed.body.api.operations.map(({ key }: { key: string }) => key)
        expect(keys).toEqual(tools.map((tool) => tool.name))

        const sent = Object.entries(calls(folder))
        const account = await gateway().account(100)
        const pinned = sent.map(([tool]) => actionOf(name, tool))
        for (const revision of revisions) {
          const client = await connectMcp(gateway().url, {
            key: account.key,
            revision,
            tools: pinned,
          })
          for (const [tool, given] of sent) {
            const expected = await direct.callTool({ name: tool, arguments: given })
            const paid = { name: actionOf(name, tool).replace('/', '__'), arguments: given }
            const answer = await client.callTool(paid)
            expect(asText(answer)).toBe(asText(expected))
            const charge = { ok: true, charged_cents: 2 }
            expect(answer._meta?.['tollway/charge']).toMatchObject(charge)
          }
        }
        const cents = 100 - 2 * revisions.length * sent.length
        expect(await account.state()).toMatchObject({ availableCents: cents, heldCents: 0 })
        const [first] = sent
        if (first !== undefined && payments.ok) await payByWallet(name, first, direct)
        await verify(gateway())
      } finally {
        await direct.close()
        await tollway('sell', 'remove', name, '--forget')
      }
    },
  )
})

async function payByWallet(
  name: string,
  [tool, given]: readonly [string, Record<string, unknown>],
  direct: Client,
) {
  const paid = gateway() as ReturnType<ReturnType<typeof sharePaidGateway>>
  const action = actionOf(name, tool)
  const client = await connectMcp(paid.url, { tools: [action] })
  const call = { name: action.replace('/', '__'), arguments: given }
  const before = await received(paid, 'x402')
  const challenged = await client.callTool(call)
  const required = challenged.structuredContent as never
  const payment = await x402Payer(chains().wallets.payer).createPaymentPayload(required)
  const answer = await client.callTool({ ...call, _meta: { 'x402/payment': { ...payment } } })
  expect(asText(answer)).toBe(asText(await direct.callTool({ name: tool, arguments: given })))
  expect((await received(paid, 'x402')) - before).toBe(20_000n)
  await expectBooksRight(paid)
}

test('a package after npx is installed without its scripts, and runs in a box', async () => {
  const own = path.join(folder, 'own-server')
  await mkdir(own)
  const ranOutside = path.join(folder, 'ran-outside')
  const manifest = {
    name: 'own-server',
    version: '1.2.3',
    bin: 'server.js',
    scripts: { postinstall: `node -e "require('fs').writeFileSync('${ranOutside}', '')"` },
  }
  await writeFile(path.join(own, 'package.json'), JSON.stringify(manifest))
  await writeFile(path.join(own, 'server.js'), `#!/usr/bin/env node\n${small}`)
  const words = [
    'sell',
    '--name',
    'own',
    '--price',
    '2',
    '--yes',
    '--',
    'npx',
    '-y',
    './own-server',
  ]
  expect(await tollway(...words)).toMatchObject({ code: 0, stderr: '' })
  const account = await gateway().account(100)
  expect((await account.call('own/secret', {})).body).toMatchObject({
    data: { content: [{ type: 'text', text: 'The key is undefined' }] },
    charged_cents: 2,
  })
  await expect(access(ranOutside)).rejects.toThrow()
})

test('an address that looks like an MCP server is sold as one, and found again after a restart', async () => {
  const file = await mcpServerFile('@modelcontextprotocol/server-everything')
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}/mcp`
  const start = async () => {
    const env = { ...process.env, PORT: String(port) }
    const child = spawn(process.execPath, [file, 'streamableHttp'], { env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    await until(async () => (await fetch(address).catch(() => undefined)) !== undefined)
    return child
  }
  const first = await start()
  const closed = await tollway('sell', address, '--price', '2', '--yes')
  expect(closed.stderr).toContain(`No MCP server answers at ${address}.`)
  const words = ['sell', address, '--name', 'by_http', '--price', '2', '--private', '--yes']
  expect(await tollway(...words)).toMatchObject({ code: 0, stderr: '' })
  const account = await gateway().account(100)
  const echo = () => account.call('by_http/echo', { message: 'hi' })
  expect((await echo()).body.data.content).toEqual([{ type: 'text', text: 'Echo: hi' }])
  const ended = once(first, 'exit')
  first.kill('SIGKILL')
  await ended
  expect((await echo()).body).toMatchObject({ ok: false, error: 'upstream_error' })
  await start()
  expect((await echo()).body).toMatchObject({ ok: true, charged_cents: 2 })
  expect(await account.state()).toMatchObject({ availableCents: 96, heldCents: 0 })
})

/** A server in a few lines. Its tools change when it is told so. */
const small = `
let tools = ['fail', 'more', 'secret', 'wait', 'read'], going = {}
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const text = (text) => ({ content: [{ type: 'text', text }] })
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const answer = (result) => say({ id, result })
  if (method === 'initialize') answer({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'small', version: '1' } })
  if (method === 'tools/list') answer({ tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) })
  if (method === 'notifications/cancelled') require('node:fs').writeFileSync(process.env.SEEN + '/cancelled', 'yes')
  if (method !== 'tools/call') return
  if (params.name === 'fail') answer({ isError: true, ...text('It is broken, ' + process.env.SMALL_KEY) })
  if (params.name === 'secret') answer(text('The key is ' + process.env.SMALL_KEY))
  if (params.name === 'read') answer(text(process.pid + ' ' + require('node:fs').readdirSync(process.env.SEEN).join()))
  if (params.name === 'wait')
    say({ method: 'notifications/progress', params: { progressToken: params._meta?.progressToken, progress: 3, total: 7, message: 'Working.' } })
  if (params.name === 'more') {
    tools = ['more', 'new', 'read']
    say({ method: 'notifications/tools/list_changed' })
    answer(text('changed'))
  }
})`

test('a server in a box: its key, failures, progress, cancellation and changed tools', async () => {
  const seen = path.join(folder, 'seen')
  await mkdir(seen)
  await chmod(seen, 0o777)
  const key = 'small-key-0123456789'
  const shown = await sellProgram(
    'small',
    ['node', '-e', small],
    ...['--folder', `${seen}:rw`, '--env', `SEEN=${seen}`, '--auth', 'env:SMALL_KEY', '--key', key],
  )
  expect(shown).toContain('The key was not tested.')
  const account = await gateway().account(100)
  const secret = await account.call('small/secret', {})
  expect(secret.body.data.content).toEqual([{ type: 'text', text: 'The key is [redacted]' }])
  const failed = await account.call('small/fail', {})
  expect(failed.body).toMatchObject({ ok: false, error: 'upstream_error' })
  expect(failed.body.message).toBe(
    'The tool has failed, and nothing was charged: It is broken, [redacted]',
  )
  expect(await account.state()).toMatchObject({ availableCents: 98, heldCents: 0 })

  const client = await connectMcp(gateway().url, { key: account.key, tools: ['small/wait'] })
  const cancelling = new AbortController()
  const progress: unknown[] = []
  const waiting = client.callTool(
    { name: 'small__wait', arguments: {} },
    {
      signal: cancelling.signal,
      onprogress: (step) => {
        progress.push(step)
        cancelling.abort(new Error('Not needed any more.'))
      },
    },
  )
  await expect(waiting).rejects.toThrow('Not needed any more.')
  expect(progress).toEqual([{ progress: 3, total: 7, message: 'Working.' }])
  await until(async () => {
    const { body } = await account.call('small/read', {})
    return body.data.content[0].text.endsWith('cancelled')
  })
  const [{ text: before }] = (await account.call('small/read', {})).body.data.content

  await account.call('small/more', {})
  await until(async () => (await account.get('/api/run/small/wait')).body.mode === 'unavailable')
  const gone = await account.call('small/wait', {})
  expect(gone.body.message).toContain('The API has not had this operation since')
  expect((await account.get('/api/run/small/new')).status).toBe(404)
  const [{ text: after }] = (await account.call('small/read', {})).body.data.content
  expect(after).toBe(before)
  expect((await account.state()).heldCents).toBe(0)
  const exported = await tollway('sell', 'export', 'small')
  expect(exported.stdout).not.toContain(key)
  expect(JSON.parse(exported.stdout).api.leftOut).toEqual([
    { where: 'new', why: 'It is new. Run `tollway sell` again to sell it.' },
  ])
  await verify(gateway())
})
