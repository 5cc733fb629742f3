// What reaches /mcp before any tool: hosts, origins, credentials, and bodies that are not messages.
import { request as requestByNode } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

const gateway = shareGatewayOfWorker()
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const accept = { accept: 'application/json, text/event-stream' }

/** `fetch` does not let a program choose the Host header. */
async function statusWith(headers: Record<string, string>): Promise<[number, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number, string]>()
  const sent = requestByNode(new URL('/mcp', gateway().url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...accept, ...headers },
  })
  sent.on('response', async (response) => {
    resolve([response.statusCode ?? 0, await text(response)])
  })
  sent.on('error', reject)
  sent.end(JSON.stringify(listTools))
  return await promise
}

test.each([{ host: 'rebound.example' }, { host: 'localhost', origin: 'https://rebound.example' }])(
  'a page that was rebound to this machine is refused: %j',
  async (headers) => {
    expect(await statusWith({ host: 'localhost' })).toMatchObject([200, expect.any(String)])
    const [status, body] = await statusWith(headers)
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({
      jsonrpc: '2.0',
      error: { data: { error: 'forbidden' } },
    })
  },
)

test('a wrong key is refused with 401 before any tool, as a JSON-RPC error', async () => {
  const reply = await gateway().request('POST', '/mcp', {
    key: 'tw_wrong',
    body: listTools,
    headers: accept,
  })
  expect(reply).toMatchObject({
    status: 401,
    body: { jsonrpc: '2.0', error: { data: { error: 'invalid_token' } } },
  })
  expect(reply.headers.get('www-authenticate')).toContain('Bearer')
})

const callTool = (name: string, args: object, _meta?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, ...(_meta && { _meta }) },
})

test.each([
  { call: 'a paid run', body: callTool('run', { action: 'test/echo' }) },
  {
    call: 'a paid run that asks for progress',
    body: callTool('run', { action: 'test/echo', wait_seconds: 5 }, { progressToken: 1 }),
  },
  { call: 'account', body: callTool('account', {}) },
])('$call without an account asks to sign in: 401 with the metadata', async ({ body }) => {
  const reply = await gateway().request('POST', '/mcp', { body, headers: accept })
  expect(reply).toMatchObject({
    status: 401,
    body: {
      jsonrpc: '2.0',
      error: { data: { error: 'invalid_token', next: { request: 'POST /api/v1/agents' } } },
    },
  })
  const [, metadata = ''] =
    /resource_metadata="([^"]+)"/.exec(reply.headers.get('www-authenticate') ?? '') ?? []
  const described = await (await fetch(metadata)).json()
  expect(described).toMatchObject({ resource: `${gateway().url}/mcp` })
})

test('what is free answers without an account', async () => {
  for (const body of [
    callTool('discover', { query: 'papers about lithium' }),
    callTool('quote', { action: 'test/echo', params: {} }),
  ]) {
    const reply = await gateway().request('POST', '/mcp', { body, headers: accept })
    expect(reply).toMatchObject({
      status: 200,
      body: { result: { structuredContent: { ok: true } } },
    })
  }
})

test.each([
  { raw: '{"jsonrpc":' },
  { raw: '[]' },
  { raw: '{"jsonrpc":"1.0","id":1,"method":"tools/list"}' },
])('$raw is refused as a JSON-RPC error', async ({ raw }) => {
  const reply = await gateway().request('POST', '/mcp', { raw, headers: accept })
  expect(reply).toMatchObject({
    status: 400,
    body: { jsonrpc: '2.0', error: { code: expect.any(Number) } },
  })
})

test('no stream and no session are offered: GET and DELETE answer 405', async () => {
  for (const method of ['GET', 'DELETE']) {
    const reply = await gateway().request(method, '/mcp', { headers: accept })
    expect([method, reply.status, reply.headers.get('allow')]).toEqual([
      method,
      405,
      'POST, OPTIONS',
    ])
  }
})

test('each message of a batch counts against the rate limit', async () => {
  const { key } = await gateway().account(0)
  const remaining = async (body: unknown) => {
    const reply = await gateway().request('POST', '/mcp', { key, headers: accept, body })
    return Number(reply.headers.get('ratelimit-remaining'))
  }
  const first = await remaining(listTools)
  expect(await remaining(Array(20).fill(listTools))).toBe(first - 20)
})
