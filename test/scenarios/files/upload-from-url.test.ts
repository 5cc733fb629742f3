// A file that the gateway fetches from a public address.
import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { type Gateway, startGateway } from '#test/harness.ts'

const song = Buffer.concat([Buffer.from('ID3'), randomBytes(300_000)])
const bytesMax = 100_000_000
/** Replies that have begun, and end with the test. */
const slow: ServerResponse[] = []
let server: LoopbackServer
let gateway: Gateway
const endings: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  server = await serve((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '', 'http://x')
    const answers: Record<string, () => void> = {
      '/slow': () => {
        response.writeHead(200).write('a')
        slow.push(response)
      },
      '/my%20song.mp3': () =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end(song),
      '/packed': () =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(song)),
      '/moved': () => void response.writeHead(302, { location: '/my%20song.mp3' }).end(),
      '/inside': () => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/huge': () => void response.writeHead(200, { 'content-length': bytesMax + 1 }).end(),
      '/bomb': () =>
        void response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(bytesMax + 1))),
      '/broken': () => {
        response.writeHead(200, { 'content-length': 10 }).write('12345')
        response.destroy()
      },
    }
    const answer = answers[pathname] ?? (() => void response.writeHead(404).end())
    answer()
  }, '127.0.0.1')
  gateway = await startGateway({ env: { EGRESS_ALLOW: server.host } }, (work) =>
    endings.unshift(work),
  )
})
afterAll(async () => {
  for (const end of endings) await end()
  await server.close()
})

const at = (path: string) => `http://${server.host}${path}`

test.each(['/my%20song.mp3', '/packed', '/moved'])('%s is stored as it is', async (path) => {
  const account = await gateway.account(10)
  const fields = { tags: ['music'], note: 'loud' }
  const { status, body } = await account.call('files/upload_from_url', { url: at(path), ...fields })
  expect([status, body]).toMatchObject([
    200,
    {
      charged_cents: 1,
      data: {
        ...fields,
        size: song.length,
        mime: 'audio/mpeg',
        source: 'url',
        status: 'stored',
        filename: path === '/packed' ? 'packed' : 'my song.mp3',
        sha256: createHash('sha256').update(song).digest('hex'),
      },
    },
  ])
  const served = await fetch(body.data.get_url)
  expect(Buffer.from(await served.arrayBuffer())).toEqual(song)
})

test.each([
  ['/nothing', 502, 'document_unavailable'],
  ['/inside', 502, 'document_unavailable'],
  ['/broken', 502, 'document_unavailable'],
  ['/huge', 413, 'payload_too_large'],
  ['/bomb', 413, 'payload_too_large'],
  ['http://127.0.0.1:9/', 400, 'bad_url'],
  ['http://10.0.0.1/', 400, 'bad_url'],
  ['file:///etc/passwd', 400, 'bad_url'],
])('%s is refused with %i, is free and leaves nothing', async (path, status, code) => {
  const account = await gateway.account(10)
  const url = path.startsWith('/') ? at(path) : path
  const refused = await account.call('files/upload_from_url', { url })
  expect([refused.status, refused.body.error]).toEqual([status, code])
  const { files, used_bytes } = (await account.call('files/list', {})).body.data
  expect([files, used_bytes]).toEqual([[], 0])
  expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
})

test('an account with many slow files leaves connections to their host for others', async () => {
  const [busy, other] = [await gateway.account(100), await gateway.account(10)]
  const calls = Array.from({ length: 20 }, () =>
    busy.call('files/upload_from_url', { url: at('/slow') }),
  )
  await expect.poll(() => slow.length).toBeGreaterThan(4)
  const { status } = await other.call('files/upload_from_url', { url: at('/my%20song.mp3') })
  expect(status).toBe(200)
  let ended = 0
  const ending = setInterval(() => {
    for (; ended < slow.length; ended++) slow[ended]?.end()
  }, 20)
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  clearInterval(ending)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
