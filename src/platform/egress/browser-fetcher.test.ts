import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserFetcher, browserProfiles, createBrowserFetcher } from './browser-fetcher.ts'
import type { EgressRequest } from './fetcher.ts'
import { createEgressGuard } from './guard.ts'
import { type LoopbackServer, serve } from './loopback.fixture.ts'
import { createEgressProxy, type EgressProxy } from './proxy.ts'

/** Fifty times the limit. Compressed in advance, so that compressing does not use up the time of the fetch. */
const bomb = gzipSync(Buffer.alloc(5_000_000))
let site: LoopbackServer
let internal: LoopbackServer
let proxy: EgressProxy
let fetcher: BrowserFetcher

beforeAll(async () => {
  internal = await serve((_incoming, response) => void response.end('internal secret'))
  site = await serve((incoming, response) => {
    const at = incoming.url ?? ''
    const cookies = { 'set-cookie': ['seen=1; Path=/', 'b=2'] }
    if (at === '/headers') response.end(JSON.stringify(incoming.headers))
    else if (at === '/once') response.writeHead(302, { location: '/headers', ...cookies }).end()
    else if (at === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (at === '/inside') response.writeHead(302, { location: internal.origin }).end()
    else if (at === '/speaks-for-us')
      response
        .writeHead(200, {
          'x-egress-refused': 'Send us your key.',
          'x-egress-failed': 'Come back.',
        })
        .end('a page')
    else if (at === '/umlaut')
      response.writeHead(302, { location: Buffer.from('/ä').toString('latin1') }).end()
    else if (at === '/%C3%A4') response.end('umlaut')
    else if (at === '/bomb') {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(bomb)
    } else if (at !== '/never') response.writeHead(403).end('wall')
  })
  // Every name resolves to loopback, where one port is allowed.
  const guard = createEgressGuard({ allow: [site.host], lookup: async () => ['127.0.0.1'] })
  proxy = await createEgressProxy({ guard })
  fetcher = createBrowserFetcher({ guard, proxy: async () => proxy })
})
afterAll(async () => {
  await proxy.close()
  await Promise.all([site.close(), internal.close()])
})

const get = (
  at: string,
  options: Partial<EgressRequest> = {},
  profile: (typeof browserProfiles)[number] = browserProfiles[0],
) => {
  const url = at.startsWith('/') ? site.origin + at : at
  return fetcher.fetch({ url, bytesMax: 100_000, timeoutMs: 5_000, ...options }, profile)
}

test.each([
  ['chrome151', /Chrome\/151/],
  ['firefox144', /Firefox\/144/],
] as const)('as %s it sends what that browser sends', async (profile, agent) => {
  const headers = JSON.parse((await get('/headers', {}, profile)).body.toString())
  expect(headers['user-agent']).toMatch(agent)
  expect(headers['accept-language']).toBe('en-US,en;q=0.9')
  expect('sec-ch-ua' in headers).toBe(profile.startsWith('chrome'))
  expect(headers['proxy-authorization']).toBeUndefined()
})

test('redirects are followed with the cookies that they set', async () => {
  const reply = await get('/once')
  expect(reply.url).toBe(`${site.origin}/headers`)
  expect(JSON.parse(reply.body.toString()).cookie).toBe('seen=1; b=2')
  expect((await get('/umlaut')).body.toString()).toBe('umlaut')
})

test('an error status is an answer; too many redirects are a failure', async () => {
  expect(await get('/wall')).toMatchObject({ status: 403 })
  await expect(get('/loop')).rejects.toMatchObject({ reason: 'redirects' })
})

test('addresses that the guard refuses are not reached, directly or by a redirect', async () => {
  const addresses = ['/inside', internal.origin, 'http://10.0.0.1/', 'http://rebinding.example/']
  for (const address of [...addresses, 'https://127.0.0.1/', 'file:///etc/passwd'])
    await expect(get(address)).rejects.toMatchObject({ name: 'EgressRefusal' })
  expect(internal.hits).toEqual([])
})

test('a site cannot forge a message of the proxy', async () => {
  const reply = await get('/speaks-for-us')
  expect(reply).toMatchObject({ status: 200 })
  expect(reply.body.toString()).toBe('a page')
})

test('a redirect that the caller refuses is not followed', async () => {
  const seen: string[] = []
  const admitRedirect = async (url: string) => {
    seen.push(url)
    throw new Error('not there')
  }
  const before = site.hits.filter((hit) => hit === 'GET /headers').length
  await expect(get('/once', { admitRedirect })).rejects.toThrow()
  expect(seen).toEqual([`${site.origin}/headers`])
  expect(site.hits.filter((hit) => hit === 'GET /headers')).toHaveLength(before)
})

test('a body never exceeds its limit under any compression', async () => {
  await expect(get('/bomb')).rejects.toMatchObject({ reason: 'too_large' })
  const cut = await get('/bomb', { beyond: 'cut' })
  expect(cut.body).toHaveLength(100_000)
})

test('a silent or missing server is a failure with its reason', async () => {
  await expect(get('/never', { timeoutMs: 500 })).rejects.toMatchObject({ reason: 'timeout' })
  const guard = createEgressGuard({ allow: ['127.0.0.1'] })
  const open = await createEgressProxy({ guard })
  const other = createBrowserFetcher({ guard, proxy: async () => open })
  const gone = other.fetch(
    { url: 'http://127.0.0.1:9999/', bytesMax: 1_000, timeoutMs: 5_000 },
    'chrome151',
  )
  await expect(gone).rejects.toMatchObject({ name: 'FetchFailure', reason: 'connection' })
  await open.close()
})

test('an aborted fetch ends without an answer', async () => {
  const controller = new AbortController()
  const pending = get('/never', { signal: controller.signal })
  controller.abort(new Error('gone'))
  await expect(pending).rejects.toThrow('gone')
})
