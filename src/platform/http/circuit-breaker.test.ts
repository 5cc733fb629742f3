import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SharedRecords } from '#core/replicas/shared-state.ts'
import { createLogCapture } from '#test/log-capture.ts'
import { redisMissing, startRedis, whileRedisAnswers } from '#test/redis/redis-server.ts'
import { systemClock } from '../clock.ts'
import { openSharedState } from '../replicas/open-shared-state.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'

const origin = 'https://api.example.org'

const log = createLogCapture()
let records: SharedRecords | undefined
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  if (redisMissing !== undefined) return
  const { url } = await startRedis((end) => endings.unshift(end))
  const secret = async () => 'of the database'
  const shared = await openSharedState({ url, secret, clock: systemClock, log })
  endings.unshift(shared.close)
  records = shared.records
})
afterAll(async () => {
  for (const end of endings) await end()
})

let names = 0

/** With Redis, two gateways take turns to ask; they know the same. */
function start(where: 'this process' | 'Redis') {
  let nowMs = 1_000_000
  names += 1
  const shared = records && where === 'Redis' ? { records, name: `test ${names}` } : undefined
  const clock = { now: () => nowMs }
  const breaker = createCircuitBreaker({ clock, shared })
  const other = shared === undefined ? breaker : createCircuitBreaker({ clock, shared })
  let asked = 0
  const ask = async (outcome: 'alive' | 'down' | 'unknown', at = origin) => {
    asked += 1
    const one = asked % 2 === 0 ? breaker : other
    await one.enter(at)
    await one.leave(at, outcome)
  }
  const fail = async (times: number) => {
    for (let time = 0; time < times; time += 1) await ask('down')
  }
  return { breaker, other, ask, fail, pass: (ms: number) => (nowMs += ms) }
}
const refused = expect.objectContaining({
  code: 'upstream_error',
  data: { reason: 'circuit_open' },
})

const implementations = [
  { where: 'this process', missing: undefined },
  { where: 'Redis', missing: redisMissing },
] as const

const proving = (body: () => Promise<void>) => () => whileRedisAnswers(log, body)

describe.each(implementations)('circuits in $where', ({ where, missing }) => {
  test.skipIf(missing)(
    'consecutive failures open the circuit of that origin alone; an answer in between resets the count',
    proving(async () => {
      const { breaker, other, ask, fail } = start(where)
      await fail(4)
      await ask('alive')
      await fail(4)
      expect(breaker.circuits()).toEqual([])
      await fail(1)
      await expect(breaker.enter(origin)).rejects.toThrow(refused)
      await expect(other.enter(origin)).rejects.toMatchObject({ retryAfterSeconds: 15 })
      await ask('alive', 'https://other.example.org')
      expect(breaker.circuits()).toEqual([
        { origin, state: 'open', failures: 5, retryAt: new Date(1_015_000).toISOString() },
      ])
    }),
  )

  test.skipIf(missing)(
    'after the pause one call probes, and the others are refused until it ends',
    proving(async () => {
      const { breaker, other, fail, pass, ask } = start(where)
      await fail(5)
      pass(15_000)
      const probes = await Promise.allSettled([breaker.enter(origin), other.enter(origin)])
      expect(probes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(breaker.circuits()).toMatchObject([{ state: 'half_open' }])
      await breaker.leave(origin, 'alive')
      expect(breaker.circuits()).toEqual([])
      await ask('alive')
      await ask('alive')
    }),
  )

  test.skipIf(missing)(
    'a failed probe doubles the pause up to a limit; an abandoned probe is repeated',
    proving(async () => {
      const { breaker, ask, fail, pass } = start(where)
      await fail(5)
      pass(15_000)
      await ask('down')
      await expect(breaker.enter(origin)).rejects.toMatchObject({ retryAfterSeconds: 30 })
      for (let probes = 0; probes < 9; probes += 1) {
        pass(240_000)
        await ask('down')
      }
      await expect(breaker.enter(origin)).rejects.toMatchObject({ retryAfterSeconds: 240 })
      pass(240_000)
      await ask('unknown')
      await ask('alive')
    }),
  )

  test.skipIf(missing)(
    'calls that started before the circuit opened do not extend the pause',
    proving(async () => {
      const { breaker, fail } = start(where)
      for (let call = 0; call < 8; call += 1) await breaker.enter(origin)
      for (let call = 0; call < 8; call += 1) await breaker.leave(origin, 'down')
      expect(breaker.circuits()).toMatchObject([{ retryAt: new Date(1_015_000).toISOString() }])
      await expect(fail(1)).rejects.toThrow(refused)
    }),
  )
})
