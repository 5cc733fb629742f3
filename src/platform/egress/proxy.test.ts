import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgressGuard } from './guard.ts'
import { type LoopbackServer, serve } from './loopback.fixture.ts'
import type { EgressPass } from './passes.ts'
import { createEgressProxy, type EgressProxy } from './proxy.ts'

let server: LoopbackServer
let internal: LoopbackServer
let proxy: EgressProxy

beforeAll(async () => {
  internal = await serve((_incoming, response) => void response.end('secret'), '::')
  server = await serve((incoming, response) => {
    if (incoming.url === '/big') response.end(Buffer.alloc(300_000, 'x'))
    else response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }))
  })
  proxy = await createEgressProxy({
    guard: createEgressGuard({ allow: [server.host], lookup: async () => ['127.0.0.1'] }),
  })
})

afterAll(async () => {
  await proxy.close()
  await Promise.all([server.close(), internal.close()])
})

const authorization = (pass: { username: string; password: string }) =>
  `Basic ${Buffer.from(`${pass.username}:${pass.password}`).toString('base64')}`

function through(url: string, pass?: EgressPass): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = pass ? { 'proxy-authorization': authorization(pass) } : {}
    const outgoing = request(proxy.url, { path: url, headers, agent: false }, (reply) => {
      let body = ''
      reply.on('data', (chunk) => {
        body += chunk
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }))
      reply.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** The first bytes of the proxy's answers to a CONNECT and to the data sent after it. */
function tunnel(target: string, pass: EgressPass | undefined, sent = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    const proof = pass ? `Proxy-Authorization: ${authorization(pass)}\r\n` : ''
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
      if (sent !== '' && received.startsWith('HTTP/1.1 200 Connection')) {
        socket.write(sent)
        sent = ''
      }
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${proof}\r\n`)
  })
}

test('plain requests reach hosts that the guard admits, without the pass and other hop-by-hop headers', async () => {
  const { status, body } = await through(`${server.origin}/a?b=c`, proxy.issue())
  expect(status).toBe(200)
  const seen = JSON.parse(body)
  expect(seen.url).toBe('/a?b=c')
  expect(seen.headers.host).toBe(server.host)
  expect(seen.headers).not.toHaveProperty('proxy-authorization')
})

test('tunnels reach hosts that the guard admits', async () => {
  const sent = `GET /t HTTP/1.1\r\nHost: ${server.host}\r\nConnection: close\r\n\r\n`
  expect(await tunnel(server.host, proxy.issue(), sent)).toContain('"url":"/t"')
})

test('without a valid pass nothing is fetched', async () => {
  const before = server.hits.length
  const revoked = proxy.issue()
  revoked.revoke()
  const forged = { ...proxy.issue(), password: 'x'.repeat(32) }
  for (const pass of [undefined, revoked, forged]) {
    expect((await through(`${server.origin}/`, pass)).status).toBe(407)
    expect(await tunnel(server.host, pass)).toMatch(/^HTTP\/1\.1 407 /)
  }
  expect(server.hits).toHaveLength(before)
})

test.each([
  '127.0.0.1',
  'localhost',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'rebinding.example',
])('neither a request nor a tunnel to %s reaches a server of this machine', async (host) => {
  const pass = proxy.issue()
  expect((await through(`http://${host}:${internal.port}/`, pass)).status).toBe(403)
  expect(await tunnel(`${host}:${internal.port}`, pass)).toMatch(/^HTTP\/1\.1 403 /)
  expect(internal.hits).toEqual([])
})

test('a request that is not a proxy request is refused', async () => {
  const pass = proxy.issue()
  expect((await through('/etc/passwd', pass)).status).toBe(400)
  expect((await through('file:///etc/passwd', pass)).status).toBe(400)
  expect(await tunnel('host:port', pass)).toMatch(/^HTTP\/1\.1 502 /)
})

test('using up the bytes of a pass ends that pass and no other', async () => {
  const small = proxy.issue({ bytesMax: 100_000 })
  await expect(through(`${server.origin}/big`, small)).rejects.toThrow()
  expect(small.bytes()).toBeGreaterThan(100_000)
  expect((await through(`${server.origin}/`, small)).status).toBe(403)
  expect((await through(`${server.origin}/big`, proxy.issue())).body).toHaveLength(300_000)
})
