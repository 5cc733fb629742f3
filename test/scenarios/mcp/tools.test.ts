// The tools at /mcp, called by the official client at both revisions that the gateway speaks.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Client as ClientV1, StreamableHTTPClientTransport } from '#oracles/mcp-sdk.ts'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'
import { connectMcp, revisions } from '#test/mcp/client.ts'

const gateway = shareGatewayOfWorker()
const listTokensMax = 2_000
const surface = path.join(import.meta.dirname, 'tool-surface.json')

test('tools/list names the tools and takes at most 2,000 tokens', async () => {
  const client = await connectMcp(gateway().url)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['discover', 'describe', 'quote', 'run', 'batch', 'result', 'session', 'close', 'account'],
    'consult',
  ])
  expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(listTokensMax)
  for (const { name, annotations, outputSchema } of tools) {
    expect(outputSchema, name).toBeDefined()
    expect(annotations, name).toMatchObject({ readOnlyHint: expect.any(Boolean) })
  }
})

test('every part of an output schema has a type, and no text is said twice', async () => {
  const client = await connectMcp(gateway().url)
  const { tools } = await client.listTools()
  const texts: string[] = []
  const untyped: string[] = []
  const look = (part: unknown, place: string) => {
    if (typeof part !== 'object' || part === null) return
    const {
      description,
      type,
      properties = {},
      items,
    } = part as {
      description?: string
      type?: unknown
      properties?: object
      items?: object
    }
    if (description !== undefined) texts.push(description)
    if (type === undefined) untyped.push(place)
    for (const [name, inner] of Object.entries(properties)) look(inner, `${place}.${name}`)
    if (items !== undefined) look(items, `${place}[]`)
  }
  for (const { name, outputSchema, description = '' } of tools) {
    texts.push(description)
    look(outputSchema, name)
  }
  expect(untyped).toEqual([])
  expect(texts).toEqual([...new Set(texts)])
})

test('the tools are those of the committed file', async () => {
  const client = await connectMcp(gateway().url)
  const { tools } = await client.listTools()
  if (process.env.UPDATE_SNAPSHOTS === '1')
    await writeFile(surface, `${JSON.stringify(tools, null, 2)}\n`)
  expect(tools, 'Run this file with UPDATE_SNAPSHOTS=1 and commit tool-surface.json.').toEqual(
    JSON.parse(await readFile(surface, 'utf8')),
  )
})

test('a client of the first version of the official library lists the tools and pays for a call', async () => {
  const account = await gateway().account(10)
  const client = new ClientV1({ name: 'tests', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${account.key}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', gateway().url), {
    requestInit,
  })
  // The class has optional members that this compiler setting tells apart from undefined ones.
  await client.connect(transport as never)
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('run')
  const params = { action: 'test/echo', params: { text: 'hi' } }
  const answer = await client.callTool({ name: 'run', arguments: params })
  expect(answer.structuredContent).toMatchObject({ data: { echo: 'hi' }, charged_cents: 2 })
  expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
})

describe.each(revisions)('at revision %s', (revision) => {
  const connect = (key?: string) =>
    connectMcp(gateway().url, { revision, ...(key !== undefined && { key }) })

  test('a paid call answers with the envelope and charges once', async () => {
    const account = await gateway().account(10)
    const client = await connect(account.key)
    const answer = await client.callTool({
      name: 'run',
      arguments: { action: 'test/echo', params: { text: 'hi' } },
    })
    expect(answer.isError).toBeFalsy()
    expect(answer.structuredContent).toEqual({
      ok: true,
      data: { echo: 'hi' },
      charged_cents: 2,
      charged_usd: '0.020000',
      balance_remaining_cents: 8,
      balance_remaining_usd: '0.080000',
      transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(answer.content).toMatchObject([{ type: 'text', text: expect.stringContaining('"hi"') }])
    expect(await account.state()).toEqual({ availableCents: 8, heldCents: 0, transactions: 1 })
    expect(await verify(gateway())).toMatchObject({ ok: true })
  })

  test('discover works without a key, and its hit can be described and quoted', async () => {
    const client = await connect()
    const found = await client.callTool({
      name: 'discover',
      arguments: { query: 'search scholarly works', limit: 1 },
    })
    const { data } = found.structuredContent as {
      data: { hits: { service: string; action: string; example: object }[] }
    }
    const [{ service, action, example } = { service: '', action: '', example: {} }] = data.hits
    const described = await client.callTool({
      name: 'describe',
      arguments: { actions: [`${service}/${action}`] },
    })
    expect(described.structuredContent).toMatchObject({
      ok: true,
      data: { actions: [{ service, action, input_schema: { type: 'object' } }] },
    })
    const quoted = await client.callTool({
      name: 'quote',
      arguments: { action: `${service}/${action}`, params: example },
    })
    expect(quoted.structuredContent).toMatchObject({
      ok: true,
      charged_cents: 0,
      data: { price: { kind: expect.any(String), cents: expect.any(Number) } },
    })
  })

  test('a refused call says which call fixes it, and is free', async () => {
    const account = await gateway().account(1)
    const client = await connect(account.key)
    const run = (action: string, params: object, more: object = {}) =>
      client.callTool({ name: 'run', arguments: { action, params, ...more } })
    const refusals = [
      {
        answer: await run('test/echo', {}),
        error: 'insufficient_balance',
        next: { tool: 'account', arguments: {} },
      },
      {
        answer: await run('test/echo', { text: 7 }),
        error: 'bad_request',
        next: { tool: 'describe', arguments: { actions: ['test/echo'] } },
      },
      {
        answer: await run('test/court-records', {}),
        error: 'not_found',
        next: { tool: 'discover', arguments: { query: 'test court records' } },
      },
      {
        answer: await run('test/echo', {}, { max_cost_cents: 1 }),
        error: 'max_cost_exceeded',
        next: { tool: 'quote', arguments: { action: 'test/echo', params: {} } },
      },
    ]
    for (const { answer, error, next } of refusals) {
      expect(answer.isError).toBe(true)
      expect(answer.structuredContent).toMatchObject({ ok: false, error, charged_cents: 0, next })
    }
    expect(await account.state()).toEqual({ availableCents: 1, heldCents: 0, transactions: 0 })
    const unknown = client.callTool({ name: 'court-records', arguments: {} })
    await expect(unknown).rejects.toMatchObject({
      data: { next: { tool: 'discover', arguments: { query: 'court records' } } },
    })
  })

  test('consult plans calls whose plan can be quoted, and runs none of them', async () => {
    const account = await gateway().account(10)
    const client = await connect(account.key)
    const planned = await client.callTool({
      name: 'consult',
      arguments: { intent: 'find the page about Ada Lovelace in the encyclopedia and read it' },
    })
    expect(planned.structuredContent).toMatchObject({
      ok: true,
      charged_cents: 0,
      data: { mode: 'call', plan: expect.any(Object) },
    })
    const { data } = planned.structuredContent as { data: { plan: object } }
    const quoted = await client.callTool({
      name: 'quote',
      arguments: { action: 'tollway/run-plan', params: data.plan },
    })
    expect(quoted.structuredContent).toMatchObject({ ok: true, data: { price: {} } })
    expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
  })

  test('without a key a paid call is refused in a way that makes clients sign in', async () => {
    const client = await connect()
    const refused = client.callTool({ name: 'run', arguments: { action: 'test/echo' } })
    await expect(refused).rejects.toThrow(/invalid_token/)
  })

  test('the same idempotency key answers again without a second charge', async () => {
    const account = await gateway().account(10)
    const client = await connect(account.key)
    const again = () =>
      client.callTool({
        name: 'run',
        arguments: { action: 'test/echo', idempotency_key: `mcp-${revision}` },
      })
    const [first, second] = [await again(), await again()]
    expect(second.structuredContent).toMatchObject({
      data: (first.structuredContent as { data: object }).data,
    })
    expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
  })

  test('account shows the balance of the key, and arguments that do not fit are named', async () => {
    const account = await gateway().account(10)
    const client = await connect(account.key)
    const shown = await client.callTool({ name: 'account', arguments: {} })
    expect(shown.structuredContent).toMatchObject({
      data: { account_id: account.id, available_cents: 10, open_sessions: [] },
    })
    const wrong = await client.callTool({ name: 'run', arguments: { acton: 'test/echo' } })
    expect(wrong).toMatchObject({
      isError: true,
      structuredContent: { error: 'bad_request', message: expect.stringContaining('acton') },
    })
  })
})

describe('actions that a client pins by ?tools=', () => {
  test('a pinned action is a tool with its own schema, and runs, charges and refuses as run does', async () => {
    const account = await gateway().account(3)
    const client = await connectMcp(gateway().url, {
      key: account.key,
      tools: ['test/echo', 'test/echo', 'test/free'],
    })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).slice(-2)).toEqual(['test__echo', 'test__free'])
    expect(tools.at(-2)?.inputSchema).toMatchObject({
      properties: { text: { type: 'string' }, max_cost_cents: { type: 'integer' } },
    })
    const call = (sent: Record<string, unknown>) =>
      client.callTool({ name: 'test__echo', arguments: sent })
    expect((await call({ text: 'pinned' })).structuredContent).toMatchObject({
      data: { echo: 'pinned' },
      charged_cents: 2,
    })
    expect(await call({ text: 7 })).toMatchObject({
      isError: true,
      structuredContent: { next: { tool: 'describe', arguments: { actions: ['test/echo'] } } },
    })
    expect(await call({ text: 'low', max_cost_cents: 1 })).toMatchObject({
      structuredContent: {
        error: 'max_cost_exceeded',
        next: { tool: 'quote', arguments: { action: 'test/echo', params: { text: 'low' } } },
      },
    })
  })

  test.each([
    { query: 'tools=test/nothing', message: 'test/nothing' },
    { query: 'tool=test/echo', message: 'one query parameter' },
    { query: `tools=${Array.from({ length: 21 }, (_, at) => `a/${at}`)}`, message: 'At most 20' },
  ])('?$query is refused with a sentence', async ({ query, message }) => {
    const reply = await gateway().request('POST', `/mcp?${query}`, {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headers: { accept: 'application/json, text/event-stream' },
    })
    expect(reply).toMatchObject({
      status: 400,
      body: {
        error: {
          message: expect.stringContaining(message),
          data: { error: 'bad_request', next: { request: 'tools/list' } },
        },
      },
    })
  })
})
