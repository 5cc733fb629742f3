import { expect, onTestFinished, test } from 'vitest'
import { createLogCapture } from '#test/log-capture.ts'
import { redisMissing, startRedis, whileRedisAnswers } from '#test/redis/redis-server.ts'
import { until } from '#test/until.ts'
import { systemClock } from '../clock.ts'
import { openSharedState } from '../replicas/open-shared-state.ts'
import { createVirtualClock } from '../virtual-clock.fixture.ts'
import { createHostPacers, createPacer, createPacers } from './pacing.ts'

test('of 30 concurrent calls at most 10 leave in any sliding second, in order of arrival', async () => {
  const { clock, run } = createVirtualClock()
  const pacer = createPacer({ windows: [{ requests: 10, windowMs: 1_000 }], clock })
  const leaving: { call: number; at: number }[] = []
  const calls = Array.from({ length: 30 }, async (_, call) => {
    await pacer.turn()
    leaving.push({ call, at: clock.now() })
  })
  await run()
  await Promise.all(calls)
  expect(leaving.map(({ call }) => call)).toEqual(Array.from({ length: 30 }, (_, call) => call))
  for (const { at } of leaving) {
    const within = leaving.filter((other) => other.at >= at && other.at < at + 1_000)
    expect(within.length).toBeLessThanOrEqual(10)
  }
  expect((leaving.at(-1)?.at ?? 0) - (leaving[0]?.at ?? 0)).toBe(2_000)
})

test('slowly arriving calls are counted over the sliding window, not per calendar second', async () => {
  const { clock, run, set } = createVirtualClock()
  const pacer = createPacer({ windows: [{ requests: 2, windowMs: 1_000 }], clock })
  const start = clock.now()
  await pacer.turn()
  set(start + 900)
  await pacer.turn()
  const third = pacer.turn().then(() => clock.now() - start)
  const fourth = pacer.turn().then(() => clock.now() - start)
  await run()
  expect(await Promise.all([third, fourth])).toEqual([1_000, 1_900])
})

test('several windows hold at once', async () => {
  const { clock, run } = createVirtualClock()
  const windows = [
    { requests: 2, windowMs: 1_000 },
    { requests: 3, windowMs: 60_000 },
  ]
  const pacer = createPacer({ windows, clock, waitMsMax: 120_000 })
  const start = clock.now()
  const calls = Array.from({ length: 4 }, () => pacer.turn().then(() => clock.now() - start))
  await run()
  expect(await Promise.all(calls)).toEqual([0, 0, 1_000, 60_000])
})

test('a call that would wait too long is refused at once with a time to retry', async () => {
  const { clock } = createVirtualClock()
  const windows = [{ requests: 1, windowMs: 86_400_000 }]
  const pacer = createPacer({ windows, clock })
  await pacer.turn()
  await expect(pacer.turn()).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 86_400,
  })
})

test('a full queue refuses calls until it has room again', async () => {
  const { clock, run } = createVirtualClock()
  const windows = [{ requests: 1, windowMs: 1_000 }]
  const pacer = createPacer({ windows, clock, queueMax: 2 })
  await pacer.turn()
  const queued = [pacer.turn(), pacer.turn()]
  await expect(pacer.turn()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3 })
  await run()
  await Promise.all(queued)
  const later = pacer.turn()
  await run()
  await expect(later).resolves.toBeUndefined()
})

test('a call that is aborted while it waits stops waiting', async () => {
  const { clock } = createVirtualClock()
  const pacer = createPacer({ windows: [{ requests: 1, windowMs: 1_000 }], clock })
  await pacer.turn()
  const controller = new AbortController()
  const waiting = pacer.turn(controller.signal)
  controller.abort(new Error('the caller left'))
  await expect(waiting).rejects.toThrow('the caller left')
})

test('a call that leaves the queue returns its own turn and no other', async () => {
  const { clock, run } = createVirtualClock()
  const windows = [
    { requests: 1, windowMs: 5_000 },
    { requests: 3, windowMs: 86_400_000 },
  ]
  const pacer = createPacer({ windows, clock })
  const start = clock.now()
  await pacer.turn()
  for (let left = 0; left < 5; left += 1) {
    const controller = new AbortController()
    const waiting = pacer.turn(controller.signal)
    controller.abort(new Error('the caller left'))
    await expect(waiting).rejects.toThrow('the caller left')
  }
  const next = [pacer.turn(), pacer.turn()].map((turn) => turn.then(() => clock.now() - start))
  await run()
  expect(await Promise.all(next)).toEqual([5_000, 10_000])
  await expect(pacer.turn()).rejects.toMatchObject({ code: 'rate_limited' })
})

test('a clock that is set back within a long window does not delay new calls', async () => {
  const { clock, set } = createVirtualClock()
  const pacer = createPacer({
    windows: [{ requests: 2, windowMs: 86_400_000 }],
    clock,
  })
  await pacer.turn()
  set(clock.now() - 3_600_000)
  await expect(pacer.turn()).resolves.toBeUndefined()
})

test('a clock that is set back does not delay calls that already wait', async () => {
  let nowMs = 10_000_000
  let sleeps = 0
  const sleep = async () => {
    sleeps += 1
    if (sleeps > 1) throw new Error('It is still waiting.')
    nowMs -= 3_600_000
  }
  const clock = { now: () => nowMs, sleep }
  const pacer = createPacer({ windows: [{ requests: 1, windowMs: 1_000 }], clock })
  await pacer.turn()
  await expect(pacer.turn()).resolves.toBeUndefined()
})

test('a clock that is set back does not delay calls', async () => {
  const { clock, set } = createVirtualClock()
  const pacer = createPacer({ windows: [{ requests: 1, windowMs: 1_000 }], clock })
  await pacer.turn()
  set(clock.now() - 500_000)
  await expect(pacer.turn()).resolves.toBeUndefined()
})

test('services with one credential share one pacer, others do not', async () => {
  const { clock } = createVirtualClock()
  const pacers = createPacers({ clock })
  const windows = [{ requests: 1, windowMs: 60_000 }]
  expect(pacers('key-1', windows)).toBe(pacers('key-1', windows))
  await pacers('key-1', windows).turn()
  await expect(pacers('key-1', windows).turn()).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(pacers('key-2', windows).turn()).resolves.toBeUndefined()
})

test('a window of one host counts the requests to that host, in addition to the windows of all hosts', async () => {
  const { clock, run } = createVirtualClock()
  const start = clock.now()
  const pacing = createHostPacers(
    [
      { requests: 2, windowMs: 1_000 },
      { requests: 1, windowMs: 5_000, host: 'slow' },
    ],
    (windows) => createPacer({ windows, clock }),
  )
  const turns = ['slow', 'fast', 'slow', 'fast'].map((host) =>
    pacing(host)
      .turn()
      .then(() => [host, clock.now() - start]),
  )
  await run()
  expect(await Promise.all(turns)).toEqual([
    ['slow', 0],
    ['fast', 0],
    ['slow', 5_000],
    ['fast', 1_000],
  ])
})

test.skipIf(redisMissing)(
  'gateways with one Redis keep to the limits of a vendor together, and each does while Redis is away',
  async () => {
    const redis = await startRedis()
    const log = createLogCapture()
    const { clock, run, sleeping } = createVirtualClock()
    const windows = [{ requests: 2, windowMs: 60_000 }]
    const open = async () => {
      const options = { url: redis.url, secret: async () => 'one', log }
      const { turns, close } = await openSharedState({ ...options, clock: systemClock })
      onTestFinished(close)
      return (name: string) =>
        createPacer({ windows, clock, shared: turns && { turns, name }, waitMsMax: 300_000 })
    }
    const gateways = [await open(), await open()] as const
    /** Minutes after which the requests leave, which gateways send by turns. */
    async function minutesOf(name: string, requests: number, senders: readonly Sender[]) {
      const start = clock.now()
      let left = 0
      const pacers = senders.map((sender) => sender(name))
      const calls = Array.from({ length: requests }, async (_, call) => {
        await pacers[call % pacers.length]?.turn()
        left += 1
        return Math.round((clock.now() - start) / 60_000)
      })
      await until(async () => sleeping() + left === requests)
      await run()
      return (await Promise.all(calls)).toSorted()
    }
    type Sender = (typeof gateways)[number]

    let round = 0
    await whileRedisAnswers(log, async () => {
      round += 1
      expect(await minutesOf(`together ${round}`, 6, gateways)).toEqual([0, 0, 1, 1, 2, 2])
    })
    await whileRedisAnswers(log, async () => {
      round += 1
      const gone = new AbortController()
      const pacer = gateways[0](`given back ${round}`)
      const given = Array.from({ length: 4 }, () => pacer.turn(gone.signal))
      await until(async () => sleeping() === 2)
      gone.abort(new Error('The call has ended.'))
      await Promise.allSettled(given)
      // The two that left count, and those that did not wait any more do not.
      const next = gateways[1](`given back ${round}`).turn()
      let hasLeft = false
      void next.then(() => {
        hasLeft = true
      })
      await until(async () => sleeping() === 1 || hasLeft)
      const before = clock.now()
      await run()
      await next
      expect(Math.round((clock.now() - before) / 60_000)).toBe(1)
    })
    await redis.kill()
    expect(await minutesOf('alone', 4, [gateways[0]])).toEqual([0, 0, 1, 1])
  },
)
