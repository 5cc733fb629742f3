// The relay between standard streams and a gateway, driven by the official client at both revisions.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { runStdio } from '@tollway/command'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { type Revision, revisions } from '#test/mcp/client.ts'

const gateway = shareGatewayOfWorker()

/** A relay, and the other ends of its streams. */
function startRelay(options: { url?: string; key?: string; tools?: readonly string[] }) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { key, ...rest } = options
  const ended = runStdio({
    url: gateway().url,
    currentKey: async () => key,
    ...rest,
    input,
    output,
  })
  return { input, output, ended }
}

async function connect(
  revision: Revision,
  options: { url?: string; key?: string; tools?: readonly string[] } = {},
) {
  const { input, output, ended } = startRelay(options)
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision }
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } })
  // The transport of servers reads and writes lines as that of clients does, and starts no program.
  await client.connect(new StdioServerTransport(output, input))
  onTestFinished(async () => {
    await client.close()
    input.end()
    await ended
  })
  return client
}

describe.each(revisions)('over standard streams at revision %s', (revision) => {
  test('tools are listed, pinned and called, and a call is paid once', async () => {
    const account = await gateway().account(10)
    const client = await connect(revision, { key: account.key, tools: ['test/echo'] })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('test__echo')
    const answer = await client.callTool({ name: 'test__echo', arguments: { text: 'häi' } })
    expect(answer.structuredContent).toMatchObject({ data: { echo: 'häi' }, charged_cents: 2 })
    expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
  })

  test('a cancelled call ends, and the relay goes on', async () => {
    const account = await gateway().account(20)
    const client = await connect(revision, { key: account.key })
    const cancelling = new AbortController()
    const params = { steps: 1, ends: 'never' }
    const cancelled = client.callTool(
      { name: 'run', arguments: { action: 'test/job', params, wait_seconds: 50 } },
      { signal: cancelling.signal, onprogress: () => cancelling.abort() },
    )
    await expect(cancelled).rejects.toThrow()
    expect((await client.listTools()).tools).not.toHaveLength(0)
  })
})

test('progress arrives before the answer, and other calls do not wait for it', async () => {
  const account = await gateway().account(20)
  const client = await connect('2026-07-28', { key: account.key })
  const reports: string[] = []
  const waiting = client.callTool(
    {
      name: 'run',
      arguments: { action: 'test/job', params: { steps: 1, ends: 'gate' }, wait_seconds: 50 },
    },
    {
      onprogress: async ({ message = '' }) => {
        reports.push(message)
        const shown = await client.callTool({ name: 'account', arguments: {} })
        if (!shown.isError) gateway().provider.release()
      },
    },
  )
  expect((await waiting).structuredContent).toMatchObject({ data: { status: 'succeeded' } })
  expect(reports).toEqual(['stepping'])
})

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

/** What the relay writes for these lines. */
async function answersTo(lines: readonly string[], options: { url?: string; key?: string }) {
  const { input, output, ended } = startRelay(options)
  input.end(lines.map((line) => `${line}\n`).join(''))
  await ended
  return String(output.read())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** An address at which nothing listens. */
async function unusedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

test('lines that are not messages are refused, and where no gateway runs the answer says how to start one', async () => {
  const away = { url: await unusedAddress() }
  expect(await answersTo(['nothing', '', JSON.stringify(ping)], away)).toMatchObject([
    { id: null, error: { code: -32_700 } },
    {
      id: 7,
      error: { message: expect.stringMatching(/nothing was called. Start one with `npm start`/) },
    },
  ])
})

test('a connection that breaks may have made a call, and the answer says so', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}`
  expect(await answersTo([JSON.stringify(ping)], { url })).toMatchObject([
    { id: 7, error: { message: expect.stringContaining('A paid call may have been made') } },
  ])
})

test('a refusal of the whole request has the id of the message', async () => {
  expect(await answersTo([JSON.stringify(ping)], { key: 'sk_wrong' })).toMatchObject([
    { id: 7, error: { code: -32_600, data: { error: 'invalid_token' } } },
  ])
})
