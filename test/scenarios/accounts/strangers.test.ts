// Limits on the work that a caller without an account can cause, and the points that it costs.
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { generateApiKey } from '#accounts/keys/api-key.ts'
import { shareGateway, shareGatewayOfWorker, startGateway } from '#test/harness.ts'
import { sourceOf } from '../../../src/surfaces/doors/rate-limit.ts'

const shared = shareGatewayOfWorker()

const unknownFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, index]))

describe('bodies', () => {
  test('a quote with thousands of unknown fields is answered in a few kilobytes', async () => {
    const account = await shared().account(10)
    const reply = await account.call('test/echo?quote=true', unknownFields(19_000))
    expect(reply.status).toBe(400)
    expect(reply.body.message).toMatch(/"field_0".*and 18990 more/)
    expect(JSON.stringify(reply.body).length).toBeLessThan(3_000)
  })

  test('long names and thousands of wrong values are echoed in part', async () => {
    const account = await shared().account(10)
    const bodies = [
      { ['x'.repeat(500_000)]: 1 },
      { text: 'a', list: Array.from({ length: 15_000 }, () => 'wrong') },
    ]
    for (const body of bodies) {
      const reply = await account.call('test/echo?quote=true', body)
      expect(reply.status).toBe(400)
      expect(JSON.stringify(reply.body).length).toBeLessThan(6_000)
    }
    const signUp = await shared().request('POST', '/api/v1/agents', { body: unknownFields(1_500) })
    expect(signUp.status).toBe(400)
    expect(JSON.stringify(signUp.body).length).toBeLessThan(3_000)
  })

  test('a large body needs an API key or a payment: 413 says so, and the body is not read', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const body = { text: 'x'.repeat(70_000) }
    for (const path of ['/api/run/test/echo', '/api/v1/agents', '/api/llm/v1/chat/completions']) {
      const refused = await gateway.request('POST', path, { body })
      expect(refused.status, path).toBe(413)
      expect(JSON.stringify(refused.body)).toMatch(/64000 bytes.*API key or a payment/)
    }
    const paying = await gateway.call('test/echo', body, { headers: { 'payment-signature': 'x' } })
    expect(paying.status).not.toBe(413)
    expect((await account.call('test/echo', body)).status).not.toBe(413)
  })

  test('a large body without an announced length is refused once it is too long', async () => {
    const reply = await sendInChunks(shared().url, '/api/run/test/echo', [
      '{"text":"',
      'x'.repeat(40_000),
      'x'.repeat(40_000),
    ])
    expect(reply.status).toBe(413)
    expect(reply.body).toMatch(/64000 bytes/)
  })

  test('an action that takes documents also quotes them to a stranger', async () => {
    const reply = await shared().call('test/document?quote=true', { document: 'x'.repeat(200_000) })
    expect(reply.status).toBe(200)
    expect(reply.body.data.price.cents).toBe(2)
  })

  test('a body that is not UTF-8 is refused before it costs anything', async () => {
    const account = await shared().account(10)
    const send = (text: string) =>
      fetch(new URL('/api/run/test/echo', shared().url), {
        method: 'POST',
        headers: { authorization: `Bearer ${account.key}` },
        body: Buffer.from(text, 'latin1'),
      })
    const reply = await send('{"text":"caf\xe9"}')
    expect([reply.status, (await reply.json()).message]).toEqual([
      400,
      'The body is not UTF-8. Send its text in that encoding.',
    ])
    expect(await account.state()).toMatchObject({ availableCents: 10 })
  })

  test('many small values and deep nesting are refused before they are validated', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const many = await gateway.call('test/echo', { list: Array.from({ length: 3_000 }, () => 1) })
    expect(many).toMatchObject({ status: 413, body: { error: 'payload_too_large' } })
    const deep = `${'['.repeat(60_000)}1${']'.repeat(60_000)}`
    for (const path of ['/api/run/test/echo', '/api/llm/v1/chat/completions']) {
      const reply = await gateway.request('POST', path, { key: account.key, raw: `{"a":${deep}}` })
      expect(reply.status, path).toBe(400)
      expect(JSON.stringify(reply.body)).toMatch(/nested deeper than 100/)
    }
  })
})

describe('points', () => {
  const metered = shareGateway({ env: { RATE_LIMIT_PER_MINUTE: '100' } })

  test('a quote, a large body and an open action count for more than a small request', async () => {
    const gateway = metered()
    const remaining = async (send: () => Promise<{ headers: Headers }>) =>
      Number((await send()).headers.get('ratelimit-remaining'))
    expect(await remaining(() => gateway.request('GET', '/healthz'))).toBe(99)
    expect(await remaining(() => gateway.call('test/echo?quote=true', {}))).toBe(97)
    const query = { query: 'weather' }
    expect(await remaining(() => gateway.call('tollway/discover', query))).toBe(87)
    const body = { text: 'x'.repeat(48_000) }
    expect(await remaining(() => gateway.request('POST', '/nowhere', { body }))).toBe(83)
    const inChunks = await sendInChunks(gateway.url, '/api/run/test/echo', [JSON.stringify(body)])
    expect(inChunks.headers['ratelimit-remaining']).toBe('79')
  })

  test('a large body counts little for a caller with a key, and as a stranger’s when it is refused', async () => {
    const gateway = metered()
    const account = await gateway.account(100)
    const remaining = async (body: unknown) =>
      Number((await account.call('test/document', body)).headers.get('ratelimit-remaining'))
    expect(await remaining({ document: 'x'.repeat(300_000) })).toBe(98)
    expect(await remaining({ unknown: 'x'.repeat(319_900) })).toBe(77)
  })

  test('a flood of well-formed but unknown keys does not reach the database, and valid keys keep working', async () => {
    const gateway = await startGateway({ env: { RATE_LIMIT_PER_MINUTE: '50' } })
    const account = await gateway.account(100)
    expect((await account.call('test/echo', {})).status).toBe(200)
    const guess = () => gateway.call('test/echo', {}, { key: generateApiKey() })
    const statuses = (await Promise.all(Array.from({ length: 80 }, guess))).map((r) => r.status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30)
    await gateway.database.query('alter table api_key rename to api_key_away')
    expect((await guess()).status).toBe(429)
    await gateway.database.query('alter table api_key_away rename to api_key')
    // The source is used up, the account is not.
    expect((await account.call('test/echo', {})).status).toBe(200)
  })

  test('an account that has used up its limit is refused without asking the database', async () => {
    const gateway = await startGateway({ env: { RATE_LIMIT_PER_MINUTE: '3' } })
    const account = await gateway.account(100)
    for (let calls = 0; calls < 3; calls += 1)
      expect((await account.call('test/free', {})).status).toBe(200)
    await gateway.database.query('alter table api_key rename to api_key_away')
    expect((await account.call('test/free', {})).status).toBe(429)
  })

  test('IPv6 addresses of one subscriber are one source, and IPv4 is the same by either family', () => {
    expect(sourceOf('2001:db8:1:2:3:4:5:6')).toBe(sourceOf('2001:db8:1:2:ffff::1'))
    expect(sourceOf('2001:db8:1:3::1')).not.toBe(sourceOf('2001:db8:1:2::1'))
    expect(sourceOf('::ffff:192.0.2.7')).toBe(sourceOf('192.0.2.7'))
    expect(sourceOf('192.0.2.8')).not.toBe(sourceOf('192.0.2.7'))
  })
})

describe('every response', () => {
  test.each([
    ['an address that cannot be decoded', 'GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a name that is too long', `GET /api/jobs/${'x'.repeat(300)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['headers that are too large', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['no HTTP at all', 'HELO\r\n\r\n'],
  ])('%s: a refusal in our form, with the rate-limit headers', async (_title, bytes) => {
    const answer = await sendBytes(shared().url, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    for (const name of ['limit', 'remaining', 'reset', 'policy'])
      expect(answer.toLowerCase()).toContain(`\r\nratelimit-${name}: `)
    expect(answer).toMatch(/\r\n\r\n\{"ok":false,"error":"[a-z_]+","message":"[^"]+"/)
  })

  test('the catalog is compressed for clients that accept gzip, and not sent to clients that have it', async () => {
    const { url } = shared()
    const plain = await get(url, '/api/run', { 'accept-encoding': 'gzip;q=0, identity' })
    const packed = await get(url, '/api/run', { 'accept-encoding': 'gzip' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
    const etag = packed.headers.etag ?? ''
    const again = await get(url, '/api/run', { 'if-none-match': `W/${etag}` })
    expect(again.status).toBe(304)
    expect(again.bytes).toHaveLength(0)
    expect(again.headers['ratelimit-limit']).toBeDefined()
  })
})

async function sendInChunks(url: string, path: string, parts: readonly string[]) {
  const outgoing = httpRequest(new URL(path, url), { method: 'POST' })
  const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  for (const part of parts) outgoing.write(part)
  outgoing.end()
  const reply = await answered
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) }
}

function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
    socket.on('data', (chunk: string) => {
      received += chunk
      if (/\r\n\r\n[\s\S]*\}$/.test(received)) socket.destroy()
    })
  })
}

function get(url: string, path: string, headers: Record<string, string>) {
  return new Promise<{
    status: number | undefined
    headers: import('node:http').IncomingHttpHeaders
    bytes: Buffer
  }>((resolve, reject) => {
    const outgoing = httpRequest(new URL(path, url), { headers }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () =>
        resolve({ status: reply.statusCode, headers: reply.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}
