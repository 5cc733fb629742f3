// Actions that a client pins as tools of their own, by ?tools=.
import { expect, test } from 'vitest'
import { shareGateway } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'

const gateway = shareGateway()

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
    body: { error: { message: expect.stringContaining(message), data: { error: 'bad_request' } } },
  })
})
