import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SharedCounters } from '#core/replicas/shared-state.ts'
import { createLogCapture } from '#test/log-capture.ts'
import {
  type RedisServer,
  redisMissing,
  startRedis,
  whileRedisAnswers,
} from '#test/redis/redis-server.ts'
import { silentLog } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { systemClock as clock } from '../clock.ts'
import { createLocalCounters } from './local-counters.ts'
import { openSharedState } from './open-shared-state.ts'
import { answerMsMax } from './redis-link.ts'

const minuteMs = 60_000
let names = 0
const nameOf = () => {
  names += 1
  return `name ${names}`
}

let server: RedisServer
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  if (redisMissing === undefined) server = await startRedis((end) => endings.unshift(end))
})
afterAll(async () => {
  for (const end of endings) await end()
})

async function openGateway(secret = 'of the database', log = silentLog) {
  const shared = await openSharedState({
    url: server.url,
    secret: async () => secret,
    clock,
    log,
  })
  endings.unshift(shared.close)
  return shared.counters
}

const implementations = [
  { where: 'this process', open: async () => createLocalCounters({ clock }), missing: undefined },
  { where: 'Redis', open: () => openGateway(), missing: redisMissing },
]

const usedOf = async (counters: SharedCounters, name: string) =>
  (await counters.take([{ name, points: 0, most: 1_000_000, windowMs: minuteMs }])).windows[0]?.used

describe.each(implementations)('counters in $where', ({ open, missing }) => {
  let counters: SharedCounters
  beforeAll(async () => {
    if (missing === undefined) counters = await open()
  })
  const take = async (name: string, points: number, rest: object = {}) =>
    await counters.take([{ name, points, most: 10, windowMs: minuteMs, ...rest }])

  test.skipIf(missing)('admit up to the most of a window, and count no refusal', async () => {
    const name = nameOf()
    const first = await take(name, 6)
    expect(first).toMatchObject({ refusedBy: undefined, windows: [{ used: 6 }] })
    expect(first.windows[0]?.leftMs).toBeLessThanOrEqual(minuteMs)
    expect(first.windows[0]?.leftMs).toBeGreaterThan(minuteMs / 2)
    expect(await take(name, 5)).toMatchObject({ refusedBy: 0, windows: [{ used: 6 }] })
    expect(await take(name, 4)).toMatchObject({ refusedBy: undefined, windows: [{ used: 10 }] })
    expect((await take(nameOf(), 10)).refusedBy).toBeUndefined()
  })

  test.skipIf(missing)('count all or none of those that are counted together', async () => {
    const [one, two] = [nameOf(), nameOf()]
    await take(two, 9)
    const both = [
      { name: one, points: 2, most: 10, windowMs: minuteMs },
      { name: two, points: 2, most: 10, windowMs: minuteMs },
    ]
    expect((await counters.take(both)).refusedBy).toBe(1)
    expect([await usedOf(counters, one), await usedOf(counters, two)]).toEqual([0, 9])
  })

  test.skipIf(missing)('count beyond the most where that is asked for', async () => {
    const name = nameOf()
    expect((await take(name, 12, { evenBeyond: true })).refusedBy).toBe(0)
    expect(await usedOf(counters, name)).toBe(12)
  })

  test.skipIf(missing)('adjust the window that is named, or the current one', async () => {
    const name = nameOf()
    const { windows } = await take(name, 8)
    await counters.adjust(name, -5, windows[0]?.id)
    await counters.adjust(name, -2)
    await counters.adjust(name, -1, '17')
    expect(await usedOf(counters, name)).toBe(1)
    await counters.adjust(name, -100)
    expect(await usedOf(counters, name)).toBe(0)
  })

  test.skipIf(missing)('begin a new window when the last one is over', async () => {
    const name = nameOf()
    const old = (await take(name, 10, { windowMs: 300 })).windows[0]
    await until(async () => (await take(name, 10, { windowMs: 300_000 })).refusedBy === undefined)
    await counters.adjust(name, -10, old?.id)
    expect(await usedOf(counters, name)).toBe(10)
  })
})

describe.skipIf(redisMissing)('counters of several gateways', () => {
  const takeOne = (name: string) => [{ name, points: 1, most: 300, windowMs: minuteMs }]
  const admitted = async (gateways: readonly SharedCounters[], name: string, each: number) => {
    const verdicts = await Promise.all(
      Array.from({ length: each * gateways.length }, (_, turn) =>
        gateways[turn % gateways.length]?.take(takeOne(name)),
      ),
    )
    return verdicts.filter((verdict) => verdict?.refusedBy === undefined).length
  }

  test('let through for one burst exactly what one lets through', async () => {
    const log = createLogCapture()
    const gateways = await Promise.all([1, 2, 3, 4].map(() => openGateway(undefined, log)))
    const passed = await whileRedisAnswers(log, () => admitted(gateways, nameOf(), 200))
    expect(passed).toBe(300)
  })

  test('do not mix with those of another database', async () => {
    const [one, other] = [await openGateway(), await openGateway('of another database')]
    const name = nameOf()
    await one.take(takeOne(name))
    expect(await usedOf(other, name)).toBe(0)
  })

  test('go on with what each knows while Redis is killed, and count together when it is back', async () => {
    const log = createLogCapture()
    const gateways = [await openGateway(undefined, log), await openGateway()]
    const name = nameOf()
    expect(await admitted(gateways, name, 50)).toBe(100)
    await server.kill()
    // Each knows all that was counted so far, up to the last answer.
    const alone = await admitted(gateways, name, 400)
    expect(alone).toBeGreaterThanOrEqual(2 * (300 - 100))
    expect(alone).toBeLessThanOrEqual(2 * (300 - 50))
    await server.start()
    // The new server is empty, but the gateways remember.
    await until(async () => log.text().includes('Redis answers again'))
    expect(await admitted(gateways, name, 50)).toBe(0)
    const fresh = nameOf()
    await until(async () => {
      await gateways[1]?.take(takeOne(fresh))
      return (await usedOf(gateways[0] as SharedCounters, fresh)) !== 0
    })
    expect(log.messages('warn')[0]).toContain('Until it is back, this gateway counts alone.')
  })

  test('wait once while Redis hangs, and ask it again when it answers', async () => {
    const gateways = [await openGateway(), await openGateway()] as const
    const name = nameOf()
    await admitted(gateways, name, 10)
    server.hang()
    const begun = performance.now()
    const rounds = 100
    for (let round = 0; round < rounds; round += 1) await gateways[0].take(takeOne(name))
    // One of them found out. A machine that is busy may take its time.
    expect(performance.now() - begun).toBeLessThan((rounds / 2) * answerMsMax)
    server.goOn()
    const fresh = nameOf()
    await until(async () => {
      await gateways[0].take(takeOne(fresh))
      return (await usedOf(gateways[1], fresh)) !== 0
    })
  })
})
