import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { openSharedState } from '#platform/replicas/open-shared-state.ts'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { redisMissing, startRedis } from '#test/redis/redis-server.ts'
import { silentLog } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { createResponseCache } from './response-cache.ts'

test('an answer is reused within its lifetime, for the same action and input only', async () => {
  const { clock, set } = createVirtualClock()
  const cache = createResponseCache({ clock, bytesMax: 10_000 })
  cache.keep('a/b', { q: 1 }, '{"n":1}', 60)
  expect(await cache.find('a/b', { q: 1 })).toBe('{"n":1}')
  expect(await cache.find('a/b', { q: 2 })).toBeUndefined()
  expect(await cache.find('a/c', { q: 1 })).toBeUndefined()
  set(clock.now() + 60_000)
  expect(await cache.find('a/b', { q: 1 })).toBeUndefined()
})

test('beyond its limit in bytes the cache drops the least recently used answers, and stores none that is too large', async () => {
  const { clock } = createVirtualClock()
  const cache = createResponseCache({ clock, bytesMax: 4_000 })
  const text = 'x'.repeat(200)
  for (let question = 0; question < 9; question += 1) cache.keep('a/b', question, text, 60)
  expect(await cache.find('a/b', 0)).toBe(text)
  cache.keep('a/b', 9, text, 60)
  expect(await cache.find('a/b', 0)).toBe(text)
  expect(await cache.find('a/b', 1)).toBeUndefined()
  cache.keep('a/b', 'large', 'x'.repeat(2_000), 60)
  expect(await cache.find('a/b', 'large')).toBeUndefined()
  expect(await cache.find('a/b', 0)).toBe(text)
})

test.skipIf(redisMissing)(
  'with Redis an answer is reused by all gateways of the database, and no other reads it',
  async () => {
    const redis = await startRedis()
    const open = async (secret: string) => {
      const options = { url: redis.url, secret: async () => secret, log: silentLog }
      const shared = await openSharedState({ ...options, clock: systemClock })
      const cache = createResponseCache({
        clock: systemClock,
        bytesMax: 10_000,
        shared: shared.cache,
      })
      return { ...cache, close: shared.close }
    }
    const gateways = [await open('one'), await open('one'), await open('other')] as const
    gateways[0].keep('a/b', { q: 1 }, '{"n":1}', 60)
    await until(async () => (await gateways[1].find('a/b', { q: 1 })) === '{"n":1}')
    expect(await gateways[1].find('a/b', { q: 2 })).toBeUndefined()
    expect(await gateways[2].find('a/b', { q: 1 })).toBeUndefined()
    // What it has read once, a gateway knows by itself.
    redis.hang()
    expect(await gateways[1].find('a/b', { q: 1 })).toBe('{"n":1}')
    expect(await gateways[1].find('a/b', { q: 3 })).toBeUndefined()
    redis.goOn()
    for (const { close } of gateways) await close()
  },
)
