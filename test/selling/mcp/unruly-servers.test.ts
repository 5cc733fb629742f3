// Servers of the Model Context Protocol that send more than they should, or what they should not.
import { createServer, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOrExplain } from '#features/selling/importing/read-tools.ts'
import { createMcpConnection, type McpConnection } from '#features/selling/mcp/connection.ts'
import { describeTools } from '#features/selling/mcp/described-tools.ts'
import { connectionMessagesPerMinuteMax } from '#features/selling/mcp/message-gate.ts'
import { messageBytesMax } from '#features/selling/mcp/message-limits.ts'
import { createHttpTransport } from '#features/selling/mcp/transports.ts'
import { createDial, createEgressAgent } from '#platform/egress/dial.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { portOf } from '#platform/http/port.ts'
import { redactSecrets } from '#platform/http/vendor-text.ts'
import { silentLog } from '#test/silent-log.ts'

const key = 'sk-operator-0123456789'
const redact = (text: string) => redactSecrets(text, [key])
const inputSchema = { type: 'object' }
const toolsOffered = 2_001

interface Message {
  readonly id?: number
  readonly method: string
  readonly params: {
    readonly name: string
    readonly protocolVersion: string
    readonly _meta?: { readonly progressToken?: number }
  }
}

const done = { content: [{ type: 'text', text: 'done' }] }
/** Answers that are not of JSON-RPC, or only nearly so. */
const oddAnswers: Readonly<Record<string, object>> = {
  'both of them': { result: done, error: { code: -32_000, message: 'no' } },
  'neither of them': {},
  'a result that is null': { result: null },
  'a result that is a text': { result: 'done' },
  'an error without a code': { error: { message: 'no' } },
  'no error': { result: done, error: null },
}

const alerts: string[] = []
let sent = 0
const broken = Promise.withResolvers<void>()

/** Never ends by itself. */
function floodWith(reply: ServerResponse, opening: string): void {
  const part = 'x'.repeat(100_000)
  reply.write(opening)
  reply.once('close', broken.resolve)
  const more = () => {
    if (reply.destroyed) return
    sent += part.length
    if (reply.write(part)) setImmediate(more)
    else reply.once('drain', more)
  }
  more()
}

const manyNames = {
  content: [],
  structuredContent: Object.fromEntries(Array.from({ length: 110_000 }, (_, at) => [`n${at}`, 1])),
}

function answer(reply: ServerResponse, { id, method, params }: Message): void {
  const asJson = (result: object): void => {
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
  if (method === 'initialize')
    asJson({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'unruly', version: '1' },
    })
  else if (method === 'tools/list')
    asJson({
      tools: Array.from({ length: toolsOffered }, (_, index) => ({
        name: `tool-${index}`,
        description: `Called with ${key}.`,
        inputSchema,
      })),
    })
  else if (/^status \d+$/.test(params.name)) reply.writeHead(Number(params.name.slice(7))).end('no')
  else if (params.name === 'answer another') {
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ jsonrpc: '2.0', id: 1_000_000, result: { content: [] } }))
  } else if (params.name in oddAnswers) {
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ jsonrpc: '2.0', id, ...oddAnswers[params.name] }))
  } else if (params.name === 'many names') asJson(manyNames)
  else if (params.name === 'flood') {
    reply.writeHead(200, { 'content-type': 'application/json' })
    floodWith(reply, `{"jsonrpc":"2.0","id":${id},"result":{"content":"`)
  } else answerByEvents(reply, id, params)
}

function answerByEvents(
  reply: ServerResponse,
  id: number | undefined,
  params: Message['params'],
): void {
  const event = (message: object) =>
    reply.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  if (params.name === 'flood of one event') {
    floodWith(reply, 'data: "')
    return
  }
  if (params.name === 'break off') {
    reply.write(': begun\n\n', () => reply.destroy())
    return
  }
  if (params.name === 'end without an answer') {
    reply.end(': begun\n\n')
    return
  }
  if (params.name === 'answer another by an event') {
    event({ id: 1_000_000, result: { content: [] } })
    reply.end()
    return
  }
  if (params.name === 'many names by an event') {
    event({ id, result: manyNames })
    reply.end()
    return
  }
  const odd = oddAnswers[params.name.replace(' by an event', '')]
  if (odd !== undefined) {
    event({ id, ...odd })
    reply.end()
    return
  }
  if (params.name.startsWith('chatter')) {
    const progressToken = params._meta?.progressToken
    const messages = Number(params.name.split(' ')[1])
    for (let progress = 1; progress <= messages; progress++)
      event({ method: 'notifications/progress', params: { progressToken, progress } })
    event({ id, result: { content: [{ type: 'text', text: 'done' }] } })
    reply.end()
    return
  }
  const half = 'x'.repeat(messageBytesMax / 2)
  const progressToken = params._meta?.progressToken
  for (const progress of [1, 2, 3])
    event({
      method: 'notifications/progress',
      params: { progressToken, progress, message: `${key} ${half}` },
    })
  event({ id, result: { content: [{ type: 'text', text: 'done' }] } })
  reply.end()
}

let server: Server
let connection: McpConnection
const agent = createEgressAgent(createDial(createEgressGuard({ allow: ['127.0.0.1'] })))
beforeAll(async () => {
  server = createServer((request, reply) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      const message = text === '' ? undefined : (JSON.parse(text) as Message)
      if (message?.id === undefined) reply.writeHead(message === undefined ? 405 : 202).end()
      else answer(reply, message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  connection = createMcpConnection({
    openTransport: () =>
      createHttpTransport(`http://127.0.0.1:${port}/mcp`, { agent, admit: () => {}, headers: {} }),
    version: '0',
    log: {
      ...silentLog,
      error: (_: unknown, message?: string) => void alerts.push(message ?? ''),
    } as never,
    redact,
  })
})
afterAll(async () => {
  await connection.close()
  await agent.destroy()
  server.close()
})

const onTheirWayBytesMax = 40_000_000
const unit = { arguments: {}, signal: new AbortController().signal, timeoutMs: 60_000 }

test.each(['flood', 'flood of one event'])(
  'a %s is broken off when it is larger than a message may be',
  async (tool) => {
    sent = 0
    await expect(connection.call({ tool, ...unit })).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining(
        'The answer is too large: a message of an MCP server has at most 2 MB. Ask the tool for less.',
      ),
    })
    await broken.promise
    // Sockets hold some megabytes that were on their way when the reading ended.
    expect(sent).toBeLessThan(messageBytesMax + onTheirWayBytesMax)
  },
)

test.each(['many names', 'many names by an event'])(
  'an answer with %s of fields fails its call before it is read',
  async (tool) => {
    await expect(connection.call({ tool, ...unit })).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('more than 100000 different names of fields'),
    })
  },
)

test('a server that talks while it works is heard in part, its answer is read, and others have their turns', async () => {
  const sentMessages = 20_000
  let heard = 0
  let turns = 0
  let isAnswered = false
  const countTurns = () => {
    turns += 1
    if (!isAnswered) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const { content } = await connection.call({
    tool: `chatter ${sentMessages}`,
    ...unit,
    onProgress: () => {
      heard += 1
    },
  })
  isAnswered = true
  expect(content).toEqual([{ type: 'text', text: 'done' }])
  expect(heard).toBeGreaterThan(0)
  expect(heard).toBeLessThan(sentMessages / 2)
  expect(turns).toBeGreaterThan(10)
})

test('a flood of messages ends its call, which costs nothing', async () => {
  const call = connection.call({
    tool: `chatter ${2 * connectionMessagesPerMinuteMax}`,
    ...unit,
    onProgress: () => {},
  })
  await expect(call).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('sends too many messages. Nothing was charged'),
  })
})

test.each(['initialize', 'tools/list'])(
  'a server that never answers %s is given up with a sentence',
  async (method) => {
    const opened = new Set<ServerResponse>()
    const silent = createServer((request, reply) => {
      let text = ''
      request.on('data', (part: Buffer) => {
        text += part
      })
      request.on('end', () => {
        opened.add(reply)
        const message = text === '' ? undefined : (JSON.parse(text) as Message)
        if (message?.id === undefined) reply.writeHead(message === undefined ? 405 : 202).end()
        else if (!text.includes(`"${method}"`)) answer(reply, JSON.parse(text) as Message)
      })
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${portOf(silent)}/mcp`
    const own = createMcpConnection({
      openTransport: () => createHttpTransport(address, { agent, admit: () => {}, headers: {} }),
      version: '0',
      log: silentLog,
    })
    await expect(listOrExplain(own, { address, security: 'none' }, 500)).rejects.toMatchObject({
      code: 'bad_request',
      message: `No MCP server answers at ${address}. It has not answered within 0.5 seconds. Check that the server runs and this is its address, and try again.`,
    })
    // Without waiting for its answer.
    await own.close()
    for (const reply of opened) reply.destroy()
    silent.close()
  },
)

test('a busy server is told as one, and one that refuses the key is an alert of the operator', async () => {
  await expect(connection.call({ tool: 'status 429', ...unit })).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 5,
  })
  await expect(connection.call({ tool: 'status 401', ...unit })).rejects.toMatchObject({
    code: 'upstream_error',
  })
  expect(alerts).toEqual([expect.stringContaining('Operator alert')])
  await expect(
    listOrExplain(
      { list: () => connection.call({ tool: 'status 401', ...unit }) as never },
      {
        address: 'https://mcp.example.com/mcp',
        security: 'none',
      },
    ),
  ).rejects.toMatchObject({
    message: expect.stringContaining('It asks for a key: give it by `"key"`.'),
  })
})

test('a stream that breaks off ends its call at once', async () => {
  await expect(connection.call({ tool: 'break off', ...unit })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('The answer broke off. Nothing was charged.'),
  })
})

test.each(['end without an answer', 'answer another', 'answer another by an event'])(
  'a server that does %s fails its call at once',
  async (tool) => {
    await expect(connection.call({ tool, ...unit })).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining(
        'It has sent no answer to this request. Nothing was charged.',
      ),
    })
  },
)

const oddOnes = Object.keys(oddAnswers).filter((name) => name !== 'no error')
test.each(oddOnes.flatMap((name) => [name, `${name} by an event`]))(
  'a server that answers with %s ends its call at once',
  async (tool) => {
    const startedAt = Date.now()
    await expect(connection.call({ tool, ...unit })).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('neither a result nor an error. Nothing was charged.'),
    })
    expect(Date.now() - startedAt).toBeLessThan(unit.timeoutMs / 2)
  },
)

test('a server that names no error beside its result is understood', async () => {
  for (const tool of ['no error', 'no error by an event'])
    expect(await connection.call({ tool, ...unit })).toMatchObject(done)
})

test('many events together may be larger, and progress never has the operator’s key', async () => {
  const heard: string[] = []
  const { content } = await connection.call({
    tool: 'tell',
    ...unit,
    onProgress: ({ message = '' }) => heard.push(message),
  })
  expect(content).toEqual([{ type: 'text', text: 'done' }])
  expect(heard.length).toBeGreaterThan(0)
  for (const message of heard) expect(message).toMatch(/^\[redacted\] x/)
})

test('a list of tools never has the operator’s key, and says what is above the limit', async () => {
  const list = await connection.list()
  expect(list.tools[0]?.description).toBe('Called with [redacted].')
  const api = describeTools(list, { address: 'https://mcp.example.com', security: 'none' })
  expect(api.operations).toHaveLength(toolsOffered - 1)
  expect(api.leftOut).toEqual([
    { where: 'further tools', why: 'An import has at most 2000 tools. Offer fewer at the server.' },
  ])
})
