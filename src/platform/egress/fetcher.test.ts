import { createServer } from 'node:net'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portOf } from '../http/port.ts'
import { createEgressFetcher, type EgressFetcher, type EgressRequest } from './fetcher.ts'
import { createEgressGuard } from './guard.ts'
import { type LoopbackServer, serve } from './loopback.fixture.ts'

/** Twenty times the limit. Compressed in advance, so that compressing does not use up the time of the fetch. */
const bomb = gzipSync(Buffer.alloc(20_000_000))
const text = 'Ten thousand words. '.repeat(500)
/** Compressed text that a browser would show the beginning of. */
const long = Array.from({ length: 50_000 }, (_each, index) => `Sack ${index} of rye. `).join('')
const damaged = gzipSync(long, { level: 0 })
damaged.fill(0xff, damaged.length >> 1)
let server: LoopbackServer
let internal: LoopbackServer
let fetcher: EgressFetcher
const listener = createServer()

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  internal = await serve((_incoming, response) => void response.end('secret'), '::')
  server = await serve((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://x')
    const send = (encoding: string, body: Buffer) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(body)
    const redirect = (location: string, headers = {}) =>
      void response.writeHead(302, { location, ...headers }).end()
    const answers: Record<string, () => void> = {
      '/gzip': () => send('gzip', gzipSync(text)),
      '/br': () => send('br', brotliCompressSync(text)),
      '/zstd': () => send('zstd', zstdCompressSync(text)),
      '/deflate': () => send('deflate', deflateSync(text)),
      '/deflate-raw': () => send('deflate', deflateRawSync(text)),
      '/twice': () => send('gzip, br', brotliCompressSync(gzipSync(text))),
      '/gzip-cut': () => send('gzip', gzipSync(text).subarray(0, -8)),
      '/damaged': () => send('gzip', damaged),
      '/not-gzip': () => send('gzip', Buffer.from(text)),
      '/often': () => send('gzip, gzip, gzip, gzip', gzipSync(text)),
      '/unknown': () => send('compress', Buffer.from(text)),
      '/bomb': () => send('gzip', bomb),
      '/loop': () => redirect('/loop'),
      '/five': () => {
        const left = Number(searchParams.get('left') ?? 5)
        if (left === 0) response.end('arrived')
        else redirect(`/five?left=${left - 1}#part`)
      },
      '/private': () => redirect(`http://127.0.0.1:${internal.port}/`),
      '/private-name': () => redirect(`http://internal.example:${internal.port}/`),
      '/file': () => redirect('file:///etc/passwd'),
      '/userinfo': () => redirect(`http://user:secret@${server.host}/echo`),
      '/home': () => redirect('/echo', { 'set-cookie': 'site=1' }),
      '/away': () => redirect(`http://other.example:${server.port}/echo`),
      '/away-and-back': () => redirect(`http://other.example:${server.port}/back`),
      '/back': () => redirect(`http://127.0.0.1:${server.port}/echo`),
      '/cookie': () => {
        if (incoming.headers.cookie === 'seen=1; a=b') response.end('welcome back')
        else redirect('/cookie', { 'set-cookie': ['seen=1; Path=/; HttpOnly', 'a=b'] })
      },
      '/echo': () => void response.end(JSON.stringify(incoming.headers)),
      '/huge': () => {
        response.writeHead(200)
        const chunk = Buffer.alloc(64_000, 'x')
        const pump = () => {
          while (response.write(chunk) && !response.destroyed);
        }
        response.on('drain', pump)
        pump()
      },
      '/cut': () => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('half of it', () => response.destroy())
      },
      '/chunks-cut': () => {
        response.writeHead(200)
        response.write('half of it', () => response.destroy())
      },
      '/silent': () => {},
      '/drip': () => void response.writeHead(200).write('a'),
      '/missing': () => void response.writeHead(404).end('no such page'),
    }
    answers[pathname]?.()
  })
  const guard = createEgressGuard({
    allow: [server.host],
    lookup: async () => ['127.0.0.1'],
  })
  fetcher = createEgressFetcher({ guard })
})

afterAll(async () => {
  await fetcher.close()
  listener.close()
  await Promise.all([server.close(), internal.close()])
})

const get = (path: string, options: Partial<EgressRequest> = {}) =>
  fetcher.fetch({
    url: `${server.origin}${path}`,
    bytesMax: 1_000_000,
    timeoutMs: 30_000,
    ...options,
  })

test.each(['/gzip', '/br', '/zstd', '/deflate', '/deflate-raw', '/twice', '/gzip-cut'])(
  'the body of %s is decompressed',
  async (path) => {
    expect((await get(path)).body.toString()).toBe(text)
  },
)

test.each(['/often', '/unknown', '/damaged', '/not-gzip'])(
  'the encoding of %s is refused',
  async (path) => {
    await expect(get(path)).rejects.toMatchObject({ reason: 'encoding' })
  },
)

test.each(['/bomb', '/huge'])('%s is cut off at the size limit', async (path) => {
  await expect(get(path)).rejects.toMatchObject({ reason: 'too_large' })
})

test.each([
  ['/huge', 'x'.repeat(300_000)],
  ['/bomb', '\0'.repeat(300_000)],
  ['/gzip', text],
])('of %s the beginning is taken where that is of use', async (path, beginning) => {
  const reply = await get(path, { bytesMax: 300_000, beyond: 'cut' })
  expect(reply.body.toString()).toBe(beginning)
})

test('what a filter takes out of a body does not count against its limit', async () => {
  const filter = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) yield piece.subarray(0, 1)
  }
  const thin = () => ({ sourceBytesMax: 25_000_000, filter })
  const reply = await get('/bomb', { bytesMax: 10_000, thin })
  expect(reply.body.length).toBeGreaterThan(0)
  const small = () => ({ sourceBytesMax: 300_000, filter })
  await expect(get('/bomb', { bytesMax: 10_000, thin: small })).rejects.toMatchObject({
    reason: 'too_large',
  })
})

test.each([
  ['/huge', 'size'],
  ['/damaged', 'encoding'],
  ['/cut', 'connection'],
  ['/drip', 'time'],
] as const)('of %s, whose body breaks off, the beginning is salvaged', async (path, cut) => {
  const reply = await get(path, { beyond: 'salvage', bodyTimeoutMs: 500 })
  expect(reply.cut).toBe(cut)
  expect(reply.body.length).toBeGreaterThan(0)
  if (path === '/damaged') expect(reply.body.toString()).toMatch(/^Sack 0 of rye\. Sack 1 /)
})

test('a whole body is not called cut, and of nothing is nothing salvaged', async () => {
  expect(await get('/gzip', { beyond: 'salvage' })).not.toHaveProperty('cut')
  const empty = get('/not-gzip', { beyond: 'salvage' })
  await expect(empty).rejects.toMatchObject({ reason: 'encoding' })
})

test('five redirects are followed, and a sixth is not', async () => {
  const reply = await get('/five')
  expect(reply).toMatchObject({ url: `${server.origin}/five?left=0`, status: 200 })
  expect(reply.body.toString()).toBe('arrived')
  await expect(get('/five?left=6')).rejects.toMatchObject({ reason: 'redirects' })
  await expect(get('/loop')).rejects.toMatchObject({ reason: 'redirects' })
})

test('a redirect to a private address is refused before it is dialled', async () => {
  const refusal = { reason: 'not_public', isOfRedirect: true }
  await expect(get('/private')).rejects.toMatchObject(refusal)
  await expect(get('/private-name')).rejects.toMatchObject({ reason: 'not_public' })
  await expect(get('/file')).rejects.toMatchObject({ reason: 'scheme' })
  expect(internal.hits).toEqual([])
})

test.each([
  (port: number) => `http://127.0.0.1:${port}/`,
  (port: number) => `http://localhost:${port}/`,
  (port: number) => `http://2130706433:${port}/`,
  (port: number) => `http://0177.0.0.1:${port}/`,
  (port: number) => `http://0x7f.1:${port}/`,
  (port: number) => `http://0.0.0.0:${port}/`,
  (port: number) => `http://[::1]:${port}/`,
  (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
  (port: number) => `http://rebinding.example:${port}/`,
])('%s does not reach a server of this machine', async (address) => {
  const ask = { url: address(internal.port), bytesMax: 1_000, timeoutMs: 2_000 }
  await expect(fetcher.fetch(ask)).rejects.toMatchObject({ reason: 'not_public' })
  expect(internal.hits).toEqual([])
})

test('a name is resolved once and its checked address dialled, even if the name changes a moment later', async () => {
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const asked: string[] = []
  const rebinding = createEgressFetcher({
    guard: createEgressGuard({
      lookup: async (host) => {
        asked.push(host)
        return answers.shift() ?? []
      },
    }),
  })
  const ask = { url: `http://rebinding.example:${internal.port}/`, bytesMax: 1_000, timeoutMs: 300 }
  await expect(rebinding.fetch(ask)).rejects.toMatchObject({ name: 'FetchFailure' })
  expect(asked).toEqual(['rebinding.example'])
  expect(internal.hits).toEqual([])
  await rebinding.close()
})

test('a name that the operator allowed is dialled under its own Host', async () => {
  const opened = createEgressFetcher({
    guard: createEgressGuard({
      allow: [`wiki.corp:${server.port}`],
      lookup: async () => ['127.0.0.1'],
    }),
  })
  const reply = await opened.fetch({
    url: `http://wiki.corp:${server.port}/echo`,
    bytesMax: 10_000,
    timeoutMs: 2_000,
  })
  expect(JSON.parse(reply.body.toString()).host).toBe(`wiki.corp:${server.port}`)
  await opened.close()
})

test('cookies set on the way are sent on, but credentials in a redirect are not', async () => {
  expect((await get('/cookie')).body.toString()).toBe('welcome back')
  expect((await get('/userinfo')).body.toString()).not.toContain('authorization')
})

test('the status of the last answer is kept', async () => {
  expect(await get('/missing')).toMatchObject({ status: 404 })
})

test.each(['/cut', '/chunks-cut'])('%s, a body cut short, is a failure', async (path) => {
  await expect(get(path)).rejects.toMatchObject({ reason: 'connection' })
})

test.each(['/silent', '/drip'])('%s fails at its timeout', async (path) => {
  await expect(get(path, { timeoutMs: 150 })).rejects.toMatchObject({ reason: 'timeout' })
})

test('the signal of the caller ends a fetch with its own reason', async () => {
  const controller = new AbortController()
  const pending = get('/drip', { signal: controller.signal })
  controller.abort(new Error('the caller left'))
  await expect(pending).rejects.toThrow('the caller left')
})

test('over TLS the checked address is dialled and the name stays in SNI', async () => {
  const hello = new Promise<Buffer>((resolve) => {
    listener.once('connection', (socket) =>
      socket.once('data', (data) => {
        resolve(data)
        socket.destroy()
      }),
    )
  })
  const port = portOf(listener)
  const guard = createEgressGuard({ allow: ['wiki.corp'], lookup: async () => ['127.0.0.1'] })
  const secure = createEgressFetcher({ guard })
  const ask = { url: `https://wiki.corp:${port}/`, bytesMax: 1_000, timeoutMs: 3_000 }
  await expect(secure.fetch(ask)).rejects.toMatchObject({ reason: 'connection' })
  expect((await hello).includes('wiki.corp')).toBe(true)
  await secure.close()
})

test('a call that is aborted or out of time does not wait for its connection', async () => {
  const controller = new AbortController()
  const guard = createEgressGuard({ lookup: async () => ['93.184.216.34'] })
  const dialling = Promise.withResolvers<void>()
  const opensNever = createEgressFetcher({
    guard,
    dial: ({ signal }) => {
      dialling.resolve()
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    },
  })
  const ask = { url: 'http://page.example/', bytesMax: 1_000 }
  const aborted = opensNever.fetch({ ...ask, timeoutMs: 60_000, signal: controller.signal })
  await dialling.promise
  controller.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  await expect(opensNever.fetch({ ...ask, timeoutMs: 50 })).rejects.toMatchObject({
    name: 'FetchFailure',
    reason: 'timeout',
  })
  await opensNever.close()
})

const ownHeaders = { authorization: 'Bearer of the caller', cookie: 'session=1' }
const echoed = async (path: string) =>
  JSON.parse((await get(path, { ownHeaders, headers: { 'x-all': 'all' } })).body.toString())

test('own headers and cookies go to the host that was named, and stay with it through its redirects', async () => {
  expect(await echoed('/echo')).toMatchObject({ ...ownHeaders, 'x-all': 'all' })
  expect(await echoed('/home')).toMatchObject({ ...ownHeaders, cookie: 'site=1; session=1' })
})

test('own headers and cookies never go to another host, and come back only with the own host', async () => {
  const away = await echoed('/away')
  expect(away).toMatchObject({ host: `other.example:${server.port}`, 'x-all': 'all' })
  expect(away).not.toHaveProperty('authorization')
  expect(away).not.toHaveProperty('cookie')
  expect(await echoed('/away-and-back')).toMatchObject(ownHeaders)
})
