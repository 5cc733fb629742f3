// MCP servers as their makers publish them, each started from its command in a box.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpConnection, type McpConnection } from '#features/selling/mcp/connection.ts'
import { connectionMessagesPerMinuteMax } from '#features/selling/mcp/message-gate.ts'
import { messageBytesMax } from '#features/selling/mcp/message-limits.ts'
import { createHttpTransport, createProgramTransport } from '#features/selling/mcp/transports.ts'
import { mcpServerFile, mcpServersFolder } from '#oracles/mcp-servers.ts'
import { systemClock } from '#platform/clock.ts'
import { createDial, createEgressAgent } from '#platform/egress/dial.ts'
import { createEgressGuard, type EgressGuard } from '#platform/egress/guard.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { createServedPrograms, type ServedProgramTerms } from '#platform/sandbox/served-programs.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { silentLog } from '#test/silent-log.ts'
import { until } from '#test/until.ts'

let folder: string
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollway-mcp-'))
  // The users of boxes read it.
  await chmod(folder, 0o755)
  await writeFile(path.join(folder, 'notes.txt'), 'Two words.', { mode: 0o644 })
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

const programs = createServedPrograms({
  sandbox: createSandbox({ clock: systemClock }),
  guard: createEgressGuard({ allow: [] }),
})

function connect(terms: Partial<ServedProgramTerms>, onToolsChanged?: () => void): McpConnection {
  const all = { command: [], folders: [], environment: {}, network: false, ...terms }
  const connection = createMcpConnection({
    openTransport: () => createProgramTransport((signal) => programs.start(all, signal)),
    version: '0',
    log: silentLog,
    isProgram: true,
    ...(onToolsChanged && { onToolsChanged }),
  })
  closing.push(connection.close)
  return connection
}

const unit = { signal: new AbortController().signal, timeoutMs: 60_000 }

test('progress is passed on, a cancelled call ends, and a server that has ended is started anew', async () => {
  const file = await mcpServerFile('@modelcontextprotocol/server-everything')
  const folders = [{ path: mcpServersFolder, mayWrite: false }]
  const sold = connect({ command: ['node', file], folders })
  const progress: number[] = []
  const tool = 'trigger-long-running-operation'
  await sold.call({
    tool,
    arguments: { duration: 1, steps: 3 },
    ...unit,
    onProgress: (step) => progress.push(step.progress),
  })
  expect(progress).toEqual([1, 2, 3])

  const cancelling = new AbortController()
  const cancelled = sold.call({
    tool,
    arguments: { duration: 600, steps: 600 },
    ...unit,
    signal: cancelling.signal,
    onProgress: () => cancelling.abort(new Error('The caller has gone.')),
  })
  await expect(cancelled).rejects.toThrow('The caller has gone.')

  const other = connect({ command: ['node', '-e', endsAfterOneCall] })
  const first = await other.call({ tool: 'pid', arguments: {}, ...unit })
  await expect(other.call({ tool: 'end', arguments: {}, ...unit })).rejects.toMatchObject({
    code: 'upstream_error',
  })
  const second = await other.call({ tool: 'pid', arguments: {}, ...unit })
  expect([first, second].map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'from node' }],
    [{ type: 'text', text: 'from node' }],
  ])
})

/** A server in a few lines, which ends when it is told to. */
const endsAfterOneCall = `
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'small', version: '1' } })
  if (method === 'tools/call' && params.name === 'end') process.exit(3)
  if (method === 'tools/call' && params.name === 'hang') for (;;);
  if (method === 'tools/call' && params.name === 'grow') for (const all = []; ; ) all.push(Buffer.alloc(50e6, 1))
  if (method === 'tools/call' && params.name === 'fail') answer(id, { isError: true, content: [{ type: 'text', text: 'It is broken.' }] })
  if (method === 'tools/call' && params.name === 'change') {
    console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }))
    answer(id, { content: [] })
  }
  if (method === 'tools/call' && params.name === 'chatter') {
    const message = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }
    for (let sent = 0; sent < params.arguments.messages; sent++) console.log(JSON.stringify(message))
    answer(id, { content: [{ type: 'text', text: 'done' }] })
  }
  if (method === 'tools/call' && params.name === 'later') globalThis.later = id
  if (method === 'tools/call' && params.name === 'tell') {
    answer(id, { content: [{ type: 'text', text: 'x'.repeat(params.arguments.characters) }] })
    if (globalThis.later !== undefined) answer(globalThis.later, { content: [{ type: 'text', text: 'still the same program' }] })
  }
  if (method === 'tools/call' && params.name === 'pid') answer(id, { content: [{ type: 'text', text: 'from node' }] })
  if (method === 'tools/call' && params.name === 'reach')
    fetch(params.arguments.url).then((reply) => reply.text()).catch((error) => 'refused: ' + (error.cause?.code ?? error.message))
      .then((text) => answer(id, { content: [{ type: 'text', text }] }))
  if (method === 'tools/call' && params.name === 'read')
    answer(id, { content: [{ type: 'text', text: (() => { try { return require('node:fs').readFileSync(params.arguments.path, 'utf8') } catch (error) { return error.code } })() }] })
})`

test('a program that floods the gateway with messages is ended, and its call costs nothing; one that only talks is answered', async () => {
  const sold = connect({ command: ['node', '-e', endsAfterOneCall] })
  const chatter = (messages: number) =>
    sold.call({ tool: 'chatter', arguments: { messages }, ...unit })
  const flood = chatter(2 * connectionMessagesPerMinuteMax)
  await expect(flood).rejects.toMatchObject({
    code: 'upstream_error',
    message: 'It sends too many messages. Nothing was charged; try again later.',
  })
  expect((await chatter(10_000)).content).toEqual([{ type: 'text', text: 'done' }])
})

test('a program that answers with too much fails that call alone, and its caller reads the limit', async () => {
  const sold = connect({ command: ['node', '-e', endsAfterOneCall] })
  const tell = (characters: number) =>
    sold.call({ tool: 'tell', arguments: { characters }, ...unit })
  const other = sold.call({ tool: 'later', arguments: {}, ...unit })
  await expect(tell(messageBytesMax)).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('The answer is too large: a message of an MCP server has at'),
  })
  expect((await other).content).toEqual([{ type: 'text', text: 'still the same program' }])
  expect((await tell(messageBytesMax / 2)).content).toHaveLength(1)
})

test('a program that hangs is ended, and so is one that takes the memory of the machine; the next call starts it anew', async () => {
  const sold = connect({ command: ['node', '-e', endsAfterOneCall] })
  const works = async () => (await sold.call({ tool: 'pid', arguments: {}, ...unit })).content[0]
  const failed = { code: 'upstream_error' }
  const late = { signal: unit.signal, timeoutMs: 1_000 }
  await expect(sold.call({ tool: 'hang', arguments: {}, ...late })).rejects.toMatchObject(failed)
  // A call of another caller may still be sent to the program that hangs.
  await until(async () => (await works().catch(() => undefined))?.text === 'from node')
  await expect(sold.call({ tool: 'grow', arguments: {}, ...unit })).rejects.toMatchObject(failed)
  expect(await works()).toMatchObject({ text: 'from node' })
})

test('a tool that answers with an error is a failed call, in the tool’s words', async () => {
  const sold = connect({ command: ['node', '-e', endsAfterOneCall] })
  await expect(sold.call({ tool: 'fail', arguments: {}, ...unit })).rejects.toMatchObject({
    code: 'upstream_error',
    message: 'The tool has failed, and nothing was charged: It is broken.',
  })
})

test('a server in a box sees the folders that the operator names, and of the network not this machine', async () => {
  const secret = createServer((_, reply) => reply.end('of this machine'))
  await new Promise<void>((resolve) => secret.listen(0, '127.0.0.1', resolve))
  closing.push(async () => secret.close())
  const address = secret.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  const read = async (sold: McpConnection, place: string) =>
    (await sold.call({ tool: 'read', arguments: { path: place }, ...unit })).content[0]?.text
  const notes = path.join(folder, 'notes.txt')

  const closed = connect({ command: ['node', '-e', endsAfterOneCall] })
  expect(await read(closed, notes)).toBe('ENOENT')
  expect(await read(closed, '/etc/passwd')).toBe('ENOENT')
  const open = connect({
    command: ['node', '-e', endsAfterOneCall],
    folders: [{ path: folder, mayWrite: false }],
    network: true,
  })
  expect(await read(open, notes)).toBe('Two words.')
  for (const sold of [closed, open]) {
    const { content } = await sold.call({ tool: 'reach', arguments: { url }, ...unit })
    expect(content[0]?.text).not.toContain('of this machine')
  }
})

test('a server says that its tools have changed', async () => {
  const changed = Promise.withResolvers<void>()
  const sold = connect({ command: ['node', '-e', endsAfterOneCall] }, changed.resolve)
  await sold.call({ tool: 'change', arguments: {}, ...unit })
  await changed.promise
})

test('a server over HTTP is called, found again after a restart, and not reached where the guard forbids it', async () => {
  const file = await mcpServerFile('@modelcontextprotocol/server-everything')
  const port = await findFreePort()
  const start = async () => {
    const env = { ...process.env, PORT: String(port) }
    const child = spawn(process.execPath, [file, 'streamableHttp'], { env, stdio: 'ignore' })
    closing.push(async () => child.kill('SIGKILL'))
    await until(async () => {
      const reply = await fetch(address).catch(() => undefined)
      return reply !== undefined
    })
    return child
  }
  const address = `http://127.0.0.1:${port}/mcp`
  const first = await start()
  const overHttp = (guard: EgressGuard) => {
    const agent = createEgressAgent(createDial(guard))
    const connection = createMcpConnection({
      openTransport: () =>
        createHttpTransport(address, { agent, admit: (url) => guard.admit(url), headers: {} }),
      version: '0',
      log: silentLog,
    })
    closing.push(connection.close, () => agent.destroy())
    return connection
  }
  const sold = overHttp(createEgressGuard({ allow: [`127.0.0.1:${port}`] }))
  const echo = { tool: 'echo', arguments: { message: 'hi' }, ...unit }
  expect((await sold.call(echo)).content).toEqual([{ type: 'text', text: 'Echo: hi' }])
  const ended = once(first, 'exit')
  first.kill('SIGKILL')
  await ended
  await expect(sold.call(echo)).rejects.toMatchObject({ code: 'upstream_error' })
  await start()
  expect((await sold.call(echo)).content).toEqual([{ type: 'text', text: 'Echo: hi' }])

  const refused = overHttp(createEgressGuard({ allow: [] }))
  await expect(refused.list()).rejects.toMatchObject({ code: 'upstream_error' })
})
