import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Clock } from '#core/ports.ts'
import { createEgressFetcher } from './fetcher.ts'
import { createEgressGuard } from './guard.ts'
import { type LoopbackServer, serve } from './loopback.fixture.ts'
import { createProxiedDial, readOperatorProxy } from './operator-proxies.ts'
import { type FakeProxy, serveProxy } from './operator-proxy.fixture.ts'

let page: LoopbackServer
let one: FakeProxy
let other: FakeProxy
const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  page = await serve((_incoming, response) => void response.end('the page'))
  one = await serveProxy()
  other = await serveProxy()
  closers.push(page.close, one.close, other.close)
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function fetchThrough(
  proxies: readonly FakeProxy[],
  options: { address?: string; clock?: Clock; signal?: AbortSignal } = {},
) {
  const clock = options.clock ?? { now: () => Date.now(), sleep: async () => {} }
  // The guard sees public addresses; the proxy resolves the names itself.
  const guard = createEgressGuard({
    lookup: async (host) => (host.startsWith('private') ? ['10.0.0.1'] : ['93.184.216.34']),
  })
  const dial = createProxiedDial({ guard, proxies: proxies.map(({ proxy }) => proxy), clock })
  const fetcher = createEgressFetcher({ guard, dial })
  closers.push(fetcher.close)
  return fetcher.fetch({
    url: options.address ?? `http://page.example:${page.port}/`,
    bytesMax: 1_000,
    timeoutMs: 5_000,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
}

test('a page is fetched through the proxy, which receives the page’s host name and the proxy credentials', async () => {
  const reply = await fetchThrough([one])
  expect(reply.body.toString()).toBe('the page')
  expect(one.asked).toEqual([`page.example:${page.port}`])
})

test.each([
  'http://127.0.0.1/',
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://localhost/',
  'http://private.example/',
  'http://page.example:25/',
  'ftp://page.example/',
])('%s is refused before a proxy is contacted', async (address) => {
  await expect(fetchThrough([one], { address })).rejects.toMatchObject({ name: 'EgressRefusal' })
  expect(one.asked).toEqual([])
})

test('proxies take turns', async () => {
  const agents = [one, other]
  const clock = { now: () => Date.now(), sleep: async () => {} }
  const guard = createEgressGuard({ lookup: async () => ['93.184.216.34'] })
  const dial = createProxiedDial({ guard, proxies: agents.map(({ proxy }) => proxy), clock })
  for (let count = 0; count < 4; count += 1)
    (await dial({ host: 'page.example', port: page.port })).destroy()
  expect(agents.map(({ asked }) => asked.length)).toEqual([2, 2])
})

test.each([409, 429, 502, 503, 'drop'] as const)(
  'a proxy that answers %s is asked again, after a pause',
  async (mood) => {
    one.moods.push(mood, mood)
    const pauses: number[] = []
    const sleep = async (ms: number) => void pauses.push(ms)
    const reply = await fetchThrough([one], { clock: { now: () => Date.now(), sleep } })
    expect(reply.body.toString()).toBe('the page')
    expect(one.asked).toHaveLength(3)
    expect(pauses).toHaveLength(2)
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(250)
    expect(pauses[0]).not.toBe(pauses[1])
  },
)

test('a proxy that stays busy is a failure that does not reveal its address', async () => {
  one.moods.push(409, 409, 409, 409, 409)
  const failure = await fetchThrough([one]).catch((thrown: Error) => thrown)
  expect(failure).toMatchObject({ name: 'FetchFailure', reason: 'proxies_busy' })
  expect(one.asked).toHaveLength(4)
  expect(`${failure} ${JSON.stringify(failure)}`).not.toMatch(/operator|p@ss|127\.0\.0\.1/)
})

test('refused connections are tried again one at a time', async () => {
  const slow = await serveProxy({ together: 5 })
  closers.push(slow.close)
  slow.moods.push(...Array(5).fill(409))
  const clock: Clock = { now: () => Date.now(), sleep: async () => {} }
  const guard = createEgressGuard({ lookup: async () => ['93.184.216.34'] })
  const dial = createProxiedDial({ guard, proxies: [slow.proxy], clock })
  const open = () => dial({ host: 'page.example', port: page.port })
  const sockets = await Promise.all(Array.from({ length: 5 }, open))
  for (const socket of sockets) socket.destroy()
  expect(slow.crowds).toEqual([1, 2, 3, 4, 5, 1, 1, 1, 1, 1])
})

test.each([407, 403, 400])('a refusal with %s is final', async (mood) => {
  one.moods.push(mood)
  await expect(fetchThrough([one])).rejects.toMatchObject({ reason: 'connection' })
  expect(one.asked).toHaveLength(1)
})

test('an aborted call stops waiting for a proxy', async () => {
  one.moods.push(409)
  const controller = new AbortController()
  const clock: Clock = {
    now: () => Date.now(),
    sleep(_ms, signal) {
      controller.abort(new Error('gone'))
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    },
  }
  const { signal } = controller
  await expect(fetchThrough([one], { clock, signal })).rejects.toThrow('gone')
})

test.each([
  'socks5://user:secret@proxy.example:1080',
  'proxy.example:8080',
  'http://user:secret@proxy.example:8080/path',
  'http://user:secret@',
  '',
])('%j is not a proxy, and the error does not repeat it', (text) => {
  expect(() => readOperatorProxy(text)).toThrow(TypeError)
  expect(() => readOperatorProxy(text)).not.toThrow(/secret/)
})
