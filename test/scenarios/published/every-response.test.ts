// Every response, successful or not, carries the id of its request and headers for other origins. Every address answers
// all methods.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { adminToken, shareGateway } from '#test/harness.ts'
import { createLogCapture } from '#test/log-capture.ts'

const log = createLogCapture()
const gateway = shareGateway({ log })

const responses = [
  ['GET', '/', 200],
  ['GET', '/healthz', 200],
  ['GET', '/api/run', 200],
  ['GET', '/nothing/here', 404],
  ['GET', '/%E0%A4%A', 400],
  ['POST', '/healthz', 405],
  ['OPTIONS', '/api/run', 204],
  ['HEAD', '/api/run', 200],
  ['POST', '/api/run/test/echo', 401],
  ['GET', '/api/v1/account', 401],
  ['GET', '/api/v1/admin/health', 401],
  ['GET', '/api/llm/v1/models', 200],
] as const

test.each(responses)(
  '%s %s: %i with the X-Request-Id that was sent',
  async (method, at, status) => {
    const id = 'order.42:retry-1'
    const reply = await gateway().request(method, at, { headers: { 'x-request-id': id } })
    expect([reply.status, reply.headers.get('x-request-id')]).toEqual([status, id])
  },
)

test('a request without an id, or with an id that is unsafe to log, receives a new one', async () => {
  const ids = []
  for (const sent of [undefined, '', 'two words', 'a"b', 'x'.repeat(129)]) {
    const headers = sent === undefined ? {} : { 'x-request-id': sent }
    const reply = await gateway().request('GET', '/healthz', { headers })
    ids.push(reply.headers.get('x-request-id'))
  }
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  expect(new Set(ids).size).toBe(ids.length)
})

test('log lines about a request name its id', async () => {
  const before = log.text().length
  const account = await gateway().account(10)
  const call = (id: string) => account.call('test/fails', { code: 'crash' }, { 'x-request-id': id })
  await Promise.all(['first-request', 'second-request'].map(call))
  const told = log
    .text()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('A call failed.'))
    .map((line) => JSON.parse(line) as { requestId?: string })
  expect(told.map(({ requestId }) => requestId).sort()).toEqual(['first-request', 'second-request'])
})

test('a failed call names its transaction, which has the same error', async () => {
  const account = await gateway().account(10)
  for (const action of ['test/fails', 'test/hangs', 'test/nonsense']) {
    const body = action === 'test/fails' ? { code: 'all_blocked' } : {}
    const reply = await account.call(action, body)
    expect(reply.status).toBeGreaterThanOrEqual(500)
    const read = await account.get(`/api/v1/transactions/${reply.body.transaction_id}`)
    expect(read.body).toMatchObject({ status: 'failed', error: reply.body.error, action })
  }
  const refused = await account.call('test/echo', { unknown: 1 })
  expect([refused.status, refused.body.transaction_id]).toEqual([400, undefined])
})

test('a page of another origin can use all routes except the operator’s', async () => {
  const preflight = (at: string, method: string) =>
    gateway().request('OPTIONS', at, {
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,idempotency-key,x-stainless-lang',
      },
    })
  const names = (reply: { headers: Headers }, header: string) =>
    (reply.headers.get(header) ?? '').toLowerCase().split(/ *, */)
  for (const [at, method] of [
    ['/api/run/test/echo', 'POST'],
    ['/api/v1/keys/1', 'PATCH'],
    ['/api/llm/v1/chat/completions', 'POST'],
    ['/api/v1/topups', 'POST'],
  ] as const) {
    const reply = await preflight(at, method)
    expect(reply.status).toBe(204)
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(names(reply, 'access-control-allow-methods')).toContain(method.toLowerCase())
    for (const header of [
      'authorization',
      'idempotency-key',
      'payment-signature',
      'x-payment',
      'x-stainless-lang',
      'content-type',
      'x-request-id',
    ])
      expect(names(reply, 'access-control-allow-headers')).toContain(header)
  }
  const called = await gateway().call(
    'test/echo',
    {},
    { headers: { origin: 'https://shop.example' } },
  )
  expect(called.headers.get('access-control-allow-origin')).toBe('*')
  for (const header of [
    'payment-required',
    'payment-response',
    'www-authenticate',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'ratelimit-policy',
    'retry-after',
    'idempotency-replayed',
    'x-request-id',
  ])
    expect(names(called, 'access-control-expose-headers')).toContain(header)
  for (const method of ['OPTIONS', 'GET']) {
    const reply = await gateway().request(method, '/api/v1/admin/health', { key: adminToken })
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  }
})

const takes = [
  ['/healthz', 'GET, HEAD, OPTIONS'],
  ['/api/run/test/echo', 'GET, HEAD, POST, OPTIONS'],
  ['/api/v1/keys', 'POST, GET, HEAD, OPTIONS'],
  ['/api/v1/agents', 'POST, OPTIONS'],
  ['/api/llm/v1/chat/completions', 'HEAD, POST, OPTIONS'],
  ['/api/v1/admin/accounts', 'POST, GET, HEAD, OPTIONS'],
] as const
test.each(takes)('%s accepts %s, and answers other methods with 405', async (at, allow) => {
  const account = await gateway().account(0)
  const key = at.includes('admin') ? adminToken : account.key
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const reply = await gateway().request(method, at, { key })
    if (method === 'OPTIONS') expect(reply.status).toBe(204)
    else if (allow.split(', ').includes(method)) {
      expect(reply.status).not.toBe(405)
      continue
    } else expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe(allow)
  }
})

test('HEAD answers like GET, without the body', async () => {
  const account = await gateway().account(10)
  for (const at of [
    '/',
    '/healthz',
    '/api/run',
    '/openapi.json',
    '/api/v1/account',
    '/api/v1/keys/x',
  ]) {
    const [head, get] = [
      await gateway().request('HEAD', at, { key: account.key }),
      await gateway().request('GET', at, { key: account.key }),
    ]
    expect([head.status, head.headers.get('content-type')]).toEqual([
      get.status,
      get.headers.get('content-type'),
    ])
    expect(head.body).toBe('')
  }
})

test('a request without a Host, or with an unknown Expect, is answered in the usual form', async () => {
  const { hostname, port } = new URL(gateway().url)
  const refused = {
    400: 'POST /api/run/test/free HTTP/1.1\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
    401: 'POST /api/run/test/free HTTP/1.1\r\nhost: gateway\r\nexpect: a-miracle\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
  }
  for (const [status, request] of Object.entries(refused)) {
    const socket = connect(Number(port), hostname)
    socket.write(request)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    for (const header of ['x-request-id', 'access-control-allow-origin', 'ratelimit-remaining'])
      expect(head.toLowerCase()).toContain(`\r\n${header}: `)
    expect(JSON.parse(body)).toMatchObject({ ok: false, error: expect.any(String) })
  }
  // RFC 9112: requests of HTTP/1.0 need no Host.
  const old = connect(Number(port), hostname)
  old.write('GET /healthz HTTP/1.0\r\n\r\n')
  expect(await text(old)).toContain('HTTP/1.1 200 ')
})
