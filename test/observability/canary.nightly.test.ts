// A gateway at its most talkative log level, with a secret in each place where a secret can be. Its output and what it
// sends to a collector have none of them, and its traces have the ids by which operators find a call.
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import type { AtEnd } from '#test/database.ts'
import {
  adminToken,
  type GatewayProcess,
  startGatewayProcess,
} from '../simulation/gateway-process.ts'
import { type CollectorStub, startCollector } from './collector-stub.ts'

/** Each is found wherever it stands, also in a longer text. */
const secrets = {
  provider: 'canary-provider-credential',
  model: 'canary-model-credential',
  collector: 'canary-collector-header',
  statusUrlKey: 'canary-status-url-key-0123456789abcdef',
  sealingKey: 'canary-sealing-key-0123456789abcdef',
  query: 'canary-query',
  header: 'canary-header',
  body: 'canary-body',
  broken: 'canary-broken-body',
  pageUrl: 'canary-page-url',
  password: 'canary-password',
  prompt: 'canary-prompt',
  reply: 'canary-vendor-reply',
}

const ends: (() => unknown)[] = []
const atEnd: AtEnd = (end) => void ends.unshift(end)
let collector: CollectorStub
let gateway: GatewayProcess
let url = ''
let printed = ''
let apiKey = ''
let call: { transactionId: string; requestId: string }
const traceId = '0af7651916cd43dd8448eb211c80319c'

afterAll(async () => {
  for (const end of ends) await end()
})

/** A vendor that repeats what it was sent, in refusals, in failures, and in answers that do not fit. */
async function startVendor(): Promise<string> {
  const refuse = (echo: string) => ({ error: `${secrets.reply} ${echo}` })
  const replies: (readonly [number, (echo: string) => unknown])[] = [
    [200, () => ({ results: [], costDollars: { total: 0.005 } })],
    [401, refuse],
    [500, (echo) => `${secrets.reply} ${echo}`],
    [200, (echo) => ({ results: [{ url: 5, title: echo }], note: secrets.reply })],
    [200, (echo) => `{"broken ${secrets.reply} ${echo}`],
  ]
  const server = createServer(async (request, response) => {
    const echo = `${JSON.stringify(request.headers)} ${request.url} ${await text(request)}`
    const isModel = request.url?.startsWith('/models') === true
    const next = () => (replies.length > 1 ? replies.shift() : replies[0])
    const [status, body] = (isModel ? ([401, refuse] as const) : next()) ?? []
    const answer = body?.(echo)
    response
      .writeHead(status ?? 500, { 'content-type': 'application/json' })
      .end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${portOf(server)}`
}

const ask = (at: string, { headers, ...init }: RequestInit = {}) =>
  fetch(new URL(at, url), {
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
  })
const run = (action: string, body: object, headers: Record<string, string> = {}) =>
  ask(`/api/run/${action}`, { method: 'POST', body: JSON.stringify(body), headers })

beforeAll(async () => {
  collector = await startCollector(atEnd)
  const vendor = await startVendor()
  const dataDir = await makeDataDirectory()
  atEnd(() => removeDataDirectory(dataDir))
  const llmConfig = path.join(dataDir, 'llm.json')
  const serves = ['lab/*']
  await writeFile(
    llmConfig,
    JSON.stringify({
      upstreams: {
        lab: { wire: 'openai', base_url: `${vendor}/models`, api_key: 'LAB_API_KEY', serves },
      },
      tiers: { cheap: ['lab/one'], mid: ['lab/one'], best: ['lab/one'] },
      prices: { 'lab/one': { prompt: 1, completion: 4 } },
    }),
  )
  gateway = startGatewayProcess(dataDir, {
    LOG_LEVEL: 'debug',
    NS_SEMANTIC_API_KEY: secrets.provider,
    NS_SEMANTIC_BASE_URL: vendor,
    LLM_CONFIG: llmConfig,
    LAB_API_KEY: secrets.model,
    STATUS_URL_KEY: secrets.statusUrlKey,
    PROVIDER_SEALING_KEY: secrets.sealingKey,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${secrets.collector}`,
    OTEL_SERVICE_NAME: 'canary',
  })
  atEnd(() => gateway.kill())
  for (const stream of [gateway.child.stdout, gateway.child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  url = await gateway.listening
  apiKey = (await readFile(path.join(dataDir, 'starter-key'), 'utf8')).trim()
  call = await plantSecrets()
  expect(await gateway.stop()).toBe(0)
})

async function plantSecrets() {
  const query = { query: `who wrote ${secrets.body}?` }
  const paid = await run('ns_semantic/search', query, {
    'x-request-id': 'request-of-the-canary',
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    cookie: `session=${secrets.header}`,
    'x-api-key': secrets.header,
  })
  const { transaction_id: transactionId } = await paid.json()
  // Each of these meets another reply of the vendor.
  for (let failure = 0; failure < 6; failure += 1) await run('ns_semantic/search', query)
  await run('ns_semantic/search', { query: 5, [secrets.body]: secrets.body })
  await run('tollway/onescrape', {
    urls: [
      `http://user:${secrets.password}@127.0.0.1:1/page?sig=${secrets.pageUrl}#${secrets.pageUrl}`,
    ],
  })
  await ask(`/docs/missing?token=${secrets.query}`)
  await ask(`/api/v1/account?api_key=${secrets.query}&x=%00`)
  await ask('/api/v1/account', { headers: { authorization: `Bearer ${secrets.header}` } })
  await ask('/api/v1/admin/health', { headers: { authorization: `Bearer ${adminToken}` } })
  await ask('/api/run/ns_semantic/search', { method: 'POST', body: `{"query": "${secrets.broken}` })
  await ask('/api/v1/keys', {
    method: 'POST',
    body: JSON.stringify({ name: secrets.body, day_cents: -1 }),
  })
  await ask('/api/llm/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({
      model: 'lab/one',
      messages: [{ role: 'user', content: secrets.prompt }],
    }),
  })
  await ask('/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: secrets.body },
    }),
  })
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(`GET /?token=${secrets.query} HTTP/9.9\r\nx-secret: ${secrets.header}\r\n\r\n`)
  socket.on('error', () => {})
  await once(socket.resume(), 'close')
  return { transactionId, requestId: 'request-of-the-canary' }
}

test('the gateway has talked about what failed, in its log and to the collector', () => {
  expect(printed).toContain('a provider refuses this gateway')
  expect(printed).toContain('an upstream refuses this gateway')
  expect(collector.lines.map(({ body }) => body)).toContainEqual(
    expect.stringContaining('a provider refuses this gateway'),
  )
  expect(collector.spans.length).toBeGreaterThan(30)
  expect(collector.headers[0]).toMatchObject({ authorization: `Bearer ${secrets.collector}` })
})

test.each([...Object.entries(secrets), ['admin token', adminToken] as const])(
  'the secret in %s is in no line of the log and in nothing that the collector was sent',
  (_place, secret) => {
    const told = `${printed}\n${collector.text()}`
    const at = told.indexOf(secret)
    expect(at === -1 ? undefined : told.slice(Math.max(0, at - 300), at + 300)).toBeUndefined()
  },
)

test('neither is the API key', () => {
  expect(apiKey).toMatch(/^tw_live_/)
  expect(`${printed}\n${collector.text()}`).not.toContain(apiKey)
})

test('a trace leads from the request over the call to the provider, with the ids of request and transaction', () => {
  expect([...collector.services]).toEqual(['canary'])
  const spans = collector.spans.filter((span) => span.traceId === traceId)
  const named = (name: string) => {
    const found = spans.filter((span) => span.name === name)
    expect(found).toHaveLength(1)
    return found[0]
  }
  const request = named('POST /api/run/:service/:action')
  const asked = named('call ns_semantic/search')
  const ran = named('run ns_semantic/search')
  const upstream = named('upstream ns_semantic')
  expect(request?.parentSpanId).toBe('b7ad6b7169203331')
  expect(request?.attributes).toMatchObject({
    'http.response.status_code': 200,
    'tollway.request_id': call.requestId,
  })
  expect(asked?.parentSpanId).toBe(request?.spanId)
  expect(ran?.parentSpanId).toBe(asked?.spanId)
  expect(ran?.attributes).toMatchObject({
    'tollway.transaction_id': call.transactionId,
    'tollway.outcome': 'ok',
  })
  expect(upstream?.parentSpanId).toBe(ran?.spanId)
  expect(spans).toHaveLength(4)
})

test('a line of the log belongs to the trace of its request', () => {
  const line = collector.lines.find(({ body }) => body.includes('a provider refuses this gateway'))
  expect(line?.severityText).toBe('ERROR')
  expect(line?.traceId).toMatch(/^[0-9a-f]{32}$/)
  const request = collector.spans.find(
    ({ traceId, attributes }) =>
      traceId === line?.traceId && attributes['tollway.request_id'] === line?.attributes.requestId,
  )
  expect(request).toBeDefined()
})
