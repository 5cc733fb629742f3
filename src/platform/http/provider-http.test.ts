import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpRequest, Log } from '#core/ports.ts'
import type { Upstream } from '#core/provider.ts'
import { systemClock } from '../clock.ts'
import { portOf } from './port.ts'
import { createProviderHttp } from './provider-http.ts'

type ParsedReply = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** A client of a loopback server that answers as the test tells it. */
async function connect(answer: ParsedReply, upstream: Partial<Upstream> & { key?: string } = {}) {
  const requests: {
    method: string
    url: string
    headers: IncomingMessage['headers']
    body: string
  }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body })
    answer(request, response, requests.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const alerts: object[] = []
  const ignore = () => {}
  const log: Log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (fields, message) => alerts.push({ ...fields, message }),
  }
  const port = portOf(server)
  const { key, ...rest } = upstream
  const http = createProviderHttp({
    providerId: 'test',
    upstream: { baseUrl: `http://127.0.0.1:${port}`, ...rest },
    key,
    userAgent: 'Tollway/test (operator@example.org)',
    clock: systemClock,
    log,
  })
  onTestFinished(async () => {
    await http.close()
    server.closeAllConnections()
    server.close()
  })
  return { http, requests, alerts, port }
}

const json =
  (body: unknown, status = 200, headers = {}): ParsedReply =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const get: HttpRequest = { method: 'GET', path: '/thing' }

test('a request carries query, headers, user agent and credential, without undefined values', async () => {
  const { http, requests } = await connect(json({ fine: true }), {
    key: 'secret-key',
    headers: { 'x-version': '7' },
    credential: {
      attach: (key) => ({ headers: { 'x-api-key': key }, query: { api_key: key } }),
    },
  })
  const body = await http.post(
    '/search',
    { q: 'tea', limit: undefined, deep: { yes: undefined, no: null } },
    { query: { page: 2, tag: ['a', 'b&c'], none: undefined, flag: false } },
  )
  expect(body).toEqual({ fine: true })
  const [seen] = requests
  expect(seen?.url).toBe('/search?page=2&tag=a&tag=b%26c&flag=false&api_key=secret-key')
  expect(JSON.parse(seen?.body ?? '')).toEqual({ q: 'tea', deep: { no: null } })
  expect(seen?.headers).toMatchObject({
    'content-type': 'application/json',
    'accept-encoding': 'gzip, br',
    'user-agent': 'Tollway/test (operator@example.org)',
    'x-version': '7',
    'x-api-key': 'secret-key',
  })
})

test('a placeholder of the base URL takes one host label and nothing else', async () => {
  const { http, requests, port } = await connect(json({}))
  const at = createProviderHttp({
    providerId: 'test',
    upstream: { baseUrl: `http://127.0.0.1:${port}/{lang}` },
    userAgent: 'Tollway/test',
    clock: systemClock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  onTestFinished(at.close)
  await at.get('/w', { host: { lang: 'zh-yue' } })
  expect(requests[0]?.url).toBe('/zh-yue/w')
  for (const lang of ['evil.example/', 'en@x', '', 'EN', '..', 'a'.repeat(64)]) {
    await expect(at.get('/w', { host: { lang } })).rejects.toMatchObject({ code: 'bad_request' })
  }
  await expect(at.get('/w')).rejects.toMatchObject({ code: 'bad_request' })
  expect(requests).toHaveLength(1)
  await expect(http.get('/w')).resolves.toEqual({})
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('a %s body is decompressed', async (encoding, compress) => {
  const { http } = await connect((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(compress('{"word":"größe"}'))
  })
  expect(await http.get('/thing')).toEqual({ word: 'größe' })
})

test('text is decoded by its charset, else as UTF-8, else as windows-1252', async () => {
  const answers = [
    { type: 'text/plain; charset=ISO-8859-1', bytes: Buffer.from('Caf\xe9', 'latin1') },
    { type: 'text/plain', bytes: Buffer.from('Café') },
    { type: 'text/plain; charset=nonsense', bytes: Buffer.from('Caf\xe9', 'latin1') },
  ]
  const { http } = await connect((_request, response, count) => {
    const { type, bytes } = answers[count - 1] ?? { type: '', bytes: Buffer.of() }
    response.writeHead(200, { 'content-type': type }).end(bytes)
  })
  for (const _ of answers) expect(await http.get('/thing', { as: 'text' })).toBe('Café')
})

test('a body that grows beyond the limit while it is decompressed is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, '0'))
  expect(bomb.length).toBeLessThan(50_000)
  const { http } = await connect(
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    },
    { responseBytesMax: 1_000_000 },
  )
  await expect(http.get('/thing')).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('larger than the 1 MB'),
  })
})

test.each<[string, ParsedReply]>([
  [
    'cut in the middle of its body',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"half":')
      setTimeout(() => response.destroy(), 20)
    },
  ],
  [
    'cut in the middle of its gzip',
    (_request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync('{"a":1}').subarray(0, 15))
    },
  ],
  [
    'garbage instead of JSON',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":')
    },
  ],
  [
    'a page instead of JSON',
    (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html>secret vendor text</html>')
    },
  ],
  [
    'an encoding that was not requested',
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x')
    },
  ],
  [
    'a redirect',
    (_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end()
    },
  ],
  ['status 500', json({ message: 'secret vendor text' }, 500)],
  ['status 503', json({ message: 'secret vendor text' }, 503)],
  ['an unknown status', json({}, 418)],
])('an answer that is %s is upstream_error, without the vendor’s words', async (_name, answer) => {
  const { http, requests } = await connect(answer)
  const error = await http.get('/thing').catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'upstream_error' })
  expect(`${error.message} ${error.cause?.message}`).not.toContain('secret')
  expect(requests).toHaveLength(1)
})

test.each<[string, ParsedReply]>([
  ['headers', () => {}],
  [
    'body',
    (_request, response) => {
      response.writeHead(200).write('{')
    },
  ],
])('slow %s end with the call’s own time limit', async (_name, answer) => {
  const { http } = await connect(answer, { timeoutMs: 150 })
  await expect(http.get('/thing')).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('in time'),
  })
})

test('an aborted call ends with the reason of its signal', async () => {
  const { http } = await connect((_request, response) => {
    response.writeHead(200).write('{')
  })
  const controller = new AbortController()
  const waiting = http.withSignal(controller.signal).get('/thing')
  setTimeout(() => controller.abort(new Error('the deadline of the action')), 50)
  await expect(waiting).rejects.toThrow('the deadline of the action')
})

test('a GET whose connection broke before any answer is repeated once, a POST never', async () => {
  const breaking = await connect((request) => request.socket.destroy())
  await expect(breaking.http.get('/thing')).rejects.toMatchObject({ code: 'upstream_error' })
  expect(breaking.requests).toHaveLength(2)
  await expect(breaking.http.post('/thing', {})).rejects.toMatchObject({ code: 'upstream_error' })
  expect(breaking.requests).toHaveLength(3)

  const recovering = await connect((request, response, count) => {
    if (count === 1) request.socket.destroy()
    else response.end('{"second":true}')
  })
  expect(await recovering.http.get('/thing')).toEqual({ second: true })
})

test.each([
  [400, 'bad_request', 0],
  [422, 'bad_request', 0],
  [401, 'upstream_error', 1],
  [402, 'upstream_error', 1],
  [403, 'upstream_error', 1],
  [404, 'not_found', 0],
  [409, 'upstream_busy', 0],
])('status %i is %s, and alerts the operator %i times', async (status, code, alertsExpected) => {
  const { http, alerts } = await connect(json({ error: 'secret vendor text' }, status), {
    key: 'secret-key',
    credential: { attach: (key) => ({ query: { api_key: key } }) },
  })
  const error = await http.get('/thing').catch((thrown) => thrown)
  expect(error).toMatchObject({ code })
  expect(alerts).toHaveLength(alertsExpected)
  expect(JSON.stringify([error.message, error.cause?.message, alerts])).not.toContain('secret')
})

test.each([
  ['17', 17],
  ['0', 1],
  ['1.2', 2],
  [undefined, 5],
  ['soon', 5],
  [() => new Date(Date.now() + 30_000).toUTCString(), 30],
  [() => new Date(Date.now() - 30_000).toUTCString(), 1],
])('a 429 with Retry-After %s says how long to wait', async (header, seconds) => {
  const value = typeof header === 'function' ? header() : header
  const { http } = await connect(json({}, 429, value === undefined ? {} : { 'retry-after': value }))
  const error = await http.get('/thing').catch((thrown) => thrown)
  expect(error.code).toBe('rate_limited')
  expect(Math.abs(error.retryAfterSeconds - seconds)).toBeLessThanOrEqual(1)
})

test('a failure reported with status 200 is recognised before the body is read as an answer', async () => {
  const { http, alerts } = await connect(json({ ok: false, reason: 'busy' }), {
    failure: ({ status, body }) =>
      status === 200 && (body as { ok?: boolean }).ok === false
        ? { code: 'rate_limited', retryAfterSeconds: 3 }
        : undefined,
  })
  await expect(http.get('/thing')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 3,
  })
  expect(alerts).toEqual([])
})

test('a failure reported in plain text is recognised although JSON was requested', async () => {
  const { http } = await connect(
    (_request, response) => {
      response.writeHead(403).end('<Error><Code>Slow down</Code></Error>')
    },
    { failure: ({ body }) => (String(body).includes('Slow down') ? 'rate_limited' : undefined) },
  )
  await expect(http.get('/thing')).rejects.toMatchObject({ code: 'rate_limited' })
})

test('a status that the action handles is passed to it, as text if it is not JSON', async () => {
  const { http } = await connect((_request, response, count) => {
    response.writeHead(404).end(count === 1 ? '{"why":"none"}' : 'Not here')
  })
  const request = { ...get, accept: [404] }
  expect(await http.send(request)).toMatchObject({ status: 404, body: { why: 'none' } })
  expect(await http.send(request)).toMatchObject({ status: 404, body: 'Not here' })
})

test('requests wait for a turn in the provider’s pacing windows', async () => {
  const { http, requests } = await connect(json({}), {
    pacing: [{ requests: 1, windowMs: 60_000 }],
  })
  await http.get('/thing')
  await expect(http.get('/thing')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(requests).toHaveLength(1)
})

test('bytes are sent and received as they are, and a request may leave the key out', async () => {
  const bytes = Buffer.from([0, 255, 10, 13, 195])
  const { http, requests } = await connect(
    async (_request, response) => {
      response.end(bytes)
    },
    { key: 'secret-key', credential: { attach: (key) => ({ headers: { 'x-api-key': key } }) } },
  )
  const headers = { 'content-type': 'application/octet-stream' }
  const request = { method: 'POST', path: '/exec', as: 'bytes', headers, bytes } as const
  expect((await http.send(request)).body).toEqual(bytes)
  await http.send({ ...request, anonymous: true })
  expect(requests.map((sent) => [sent.headers['x-api-key'], sent.headers['content-type']])).toEqual(
    [
      ['secret-key', 'application/octet-stream'],
      [undefined, 'application/octet-stream'],
    ],
  )
})

test('a request may have a signal and a time limit of its own', async () => {
  const { http } = await connect(() => {})
  const controller = new AbortController()
  const waiting = http.send({ ...get, signal: controller.signal })
  controller.abort(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
  const late = http.send({ ...get, timeoutMs: 100 })
  await expect(late).rejects.toMatchObject({ data: { reason: 'timeout' } })
})

test('an address that the provider names receives the key only if it is the provider’s own', async () => {
  const { http, requests, port } = await connect(json({}), { hosts: ['*.example.org'] })
  await http.get('/box', { at: `http://127.0.0.1:${port}/toolbox` })
  expect(requests.map(({ url }) => url)).toEqual(['/toolbox/box'])
  for (const at of [
    'https://example.com',
    'https://evilexample.org',
    'http://proxy.example.org',
    'nonsense',
  ])
    await expect(http.get('/box', { at })).rejects.toMatchObject({ code: 'upstream_error' })
})

test('a key may travel in the body', async () => {
  const { http, requests } = await connect(json({}), {
    key: 'secret-key',
    credential: { attach: (key) => ({ body: { clientKey: key } }) },
  })
  await http.post('/createTask', { task: { type: 'X' } })
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    task: { type: 'X' },
    clientKey: 'secret-key',
  })
})

const faults = [
  { answer: json({}, 500), opens: true },
  { answer: json({}, 401), opens: true },
  { answer: json({}, 402), opens: true },
  { answer: ((request) => request.socket.destroy()) as ParsedReply, opens: true },
  { answer: json({}, 400), opens: false },
  { answer: json({}, 404), opens: false },
  { answer: json({}, 429), opens: false },
  // These failures concern the request, not the provider: a caller with slow pages must not block the others.
  { answer: json({}, 504), opens: false },
]
test.each(faults)(
  '%# a provider that is down is left alone, one that refuses is not',
  async (row) => {
    const { http, requests } = await connect(row.answer)
    for (let call = 0; call < 8; call += 1) await http.post('/thing', {}).catch(() => {})
    expect(requests).toHaveLength(row.opens ? 5 : 8)
    expect(http.circuits()).toMatchObject(row.opens ? [{ state: 'open', failures: 5 }] : [])
  },
)

test('bytes that callers get as they are hide the key in headers and queries too', async () => {
  const key = 'sk~live!0123456789'
  const { http } = await connect(
    (request, response) => {
      const link = `<https://api.example${request.url}>; rel="next"`
      response.writeHead(200, { link, 'x-key-seen': key, etag: '"1"' }).end(request.url)
    },
    { key, credential: { attach: (value) => ({ query: { api_key: value } }) } },
  )
  const reply = await http.send({ method: 'GET', path: '/x', as: 'bytes', hidesKey: true })
  expect(reply.headers).toMatchObject({
    link: '<https://api.example/x?api_key=[redacted]>; rel="next"',
    'x-key-seen': '[redacted]',
    etag: '"1"',
  })
  expect(String(reply.body)).toBe('/x?api_key=[redacted]')
})
