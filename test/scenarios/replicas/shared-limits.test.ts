import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken, type Gateway, type Reply, startGateway } from '#test/harness.ts'
import { createLogCapture } from '#test/log-capture.ts'
import {
  type RedisServer,
  redisMissing,
  startRedis,
  whileRedisAnswers,
} from '#test/redis/redis-server.ts'
import { until } from '#test/until.ts'

/** Requests per minute of an account or an address. */
const most = 100
const tolerance = 0.02
const atOnce = 20

describe.skipIf(redisMissing)('two gateways with one Redis', () => {
  const log = createLogCapture()
  const endings: (() => Promise<void>)[] = []
  let redis: RedisServer
  let gateways: readonly [Gateway, Gateway]
  beforeAll(async () => {
    const atEnd = (end: () => Promise<void>) => void endings.unshift(end)
    redis = await startRedis(atEnd)
    const env = {
      REDIS_URL: redis.url,
      RATE_LIMIT_PER_MINUTE: String(most),
      TRUST_PROXY: '127.0.0.1',
    }
    const one = await startGateway({ env, log }, atEnd)
    gateways = [one, await startGateway({ env, log, databaseUrl: one.databaseUrl }, atEnd)]
  })
  afterAll(async () => {
    for (const end of endings) await end()
  })

  let addresses = 0
  /** Requests of a key count for their address until a gateway knows the key, so each has an address of its own. */
  function elsewhere() {
    addresses += 1
    return { 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` }
  }

  /** Sends requests by turns to both gateways, many at once. Resolves to those that were let through. */
  async function burst(requests: number, send: (gateway: Gateway) => Promise<Reply>) {
    const replies: Reply[] = []
    while (replies.length < requests) {
      const wave = Math.min(atOnce, requests - replies.length)
      const sending = Array.from({ length: wave }, (_, turn) =>
        send(gateways[turn % 2 === 0 ? 0 : 1]),
      )
      replies.push(...(await Promise.all(sending)))
    }
    for (const { status } of replies) expect([200, 429]).toContain(status)
    return replies.filter(({ status }) => status === 200).length
  }

  const isAbout = (count: number, expected: number) => {
    expect(count).toBeGreaterThanOrEqual(expected * (1 - tolerance))
    expect(count).toBeLessThanOrEqual(expected * (1 + tolerance))
  }

  const fromAddress = (address: string) => (gateway: Gateway) =>
    gateway.request('GET', '/api/run', { headers: { 'x-forwarded-for': address } })

  test('let an account send as much as one gateway does', async () => {
    const passed = await whileRedisAnswers(log, async () => {
      const { key } = await gateways[0].account(0)
      return await burst(2 * most, (to) =>
        to.request('GET', '/api/v1/account', { key, headers: elsewhere() }),
      )
    })
    isAbout(passed, most)
  })

  test('let an address send as much as one gateway does', async () => {
    let turn = 0
    const passed = await whileRedisAnswers(log, async () => {
      turn += 1
      return await burst(2 * most, fromAddress(`192.0.2.${turn}`))
    })
    isAbout(passed, most)
  })

  test('let a key call as often as its limit says', async () => {
    const account = await gateways[0].account(1_000)
    const passed = await whileRedisAnswers(log, async () => {
      const created = await gateways[0].request('POST', '/api/v1/keys', {
        key: account.key,
        body: { name: 'slow', requests_per_minute: 5 },
      })
      const { api_key: key } = created.body
      return await burst(15, (to) => to.call('test/echo', {}, { key, headers: elsewhere() }))
    })
    expect(passed).toBe(5)
  })

  test('fail no paid call while Redis hangs, is killed and comes back', async () => {
    const account = await gateways[0].account(1_000)
    const pay = async (calls: number) =>
      expect(
        await burst(calls, (to) =>
          to.call('test/echo', {}, { key: account.key, headers: elsewhere() }),
        ),
      ).toBe(calls)
    await pay(10)
    redis.hang()
    await pay(20)
    // One after the other, so a gateway that waits for Redis would wait again and again.
    const begun = performance.now()
    const rounds = 20
    for (let round = 0; round < rounds; round += 1) await fromAddress('198.51.100.8')(gateways[0])
    expect(performance.now() - begun).toBeLessThan(rounds * 250)
    redis.goOn()
    await pay(10)
    await redis.kill()
    await pay(20)
    // Each lets through what it would let through alone.
    const alone = await burst(3 * most, fromAddress('198.51.100.9'))
    expect(alone).toBeGreaterThan(most)
    expect(alone).toBeLessThanOrEqual(2 * most)
    await redis.start()
    await until(async () => log.text().includes('Redis answers again'))
    await pay(10)
    let asked = 0
    await until(async () => {
      asked += 1
      return (await burst(2 * most, fromAddress(`203.0.113.${asked}`))) <= most * (1 + tolerance)
    })
    expect(await account.state()).toMatchObject({ transactions: 70, heldCents: 0 })
  })

  test('refuse a revoked key and a frozen account at once, with Redis and while it is away', async () => {
    const states = [async () => {}, () => redis.kill()]
    for (const enter of states) {
      await enter()
      const account = await gateways[0].account(100)
      const call = (gateway: Gateway, key: string) => gateway.call('test/echo', {}, { key })
      const { key } = account
      const second = await gateways[0].request('POST', '/api/v1/keys', { key, body: { name: 'b' } })
      for (const gateway of gateways)
        expect((await call(gateway, second.body.api_key)).status).toBe(200)
      const path = `/api/v1/keys/${second.body.key_id}`
      expect((await gateways[0].request('DELETE', path, { key })).status).toBe(200)
      for (const gateway of gateways)
        expect((await call(gateway, second.body.api_key)).status).toBe(401)
      const freeze = `/api/v1/admin/accounts/${account.id}/freeze`
      const frozen = await gateways[1].request('POST', freeze, {
        key: adminToken,
        body: { reason: 'A test of several gateways.' },
      })
      expect(frozen.status).toBe(200)
      for (const gateway of gateways) expect((await call(gateway, key)).status).toBe(403)
    }
    await redis.start()
  })
})
