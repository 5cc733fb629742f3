import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountCaller } from '#core/caller.ts'
import { createLocalCounters } from '#platform/replicas/local-counters.ts'
import { createKeyRates } from './key-rates.ts'

function setUp(limits: Pick<AccountCaller, 'requestsPerMinute' | 'tokensPerMinute'>) {
  let now = 1_000_000
  const clock = { now: () => now }
  const { begin } = createKeyRates({ clock, counters: createLocalCounters({ clock }) })
  const caller = {
    kind: 'account',
    accountId: 'a',
    keyId: 'k',
    isLimited: true,
    ...limits,
  } as const
  const pass = (ms: number) => {
    now += ms
  }
  return { begin: (tokens?: number, keyId = 'k') => begin({ ...caller, keyId }, tokens), pass }
}

test('a call beyond requests_per_minute is told when the minute ends', async () => {
  const { begin, pass } = setUp({ requestsPerMinute: 2 })
  await begin()
  pass(20_000)
  await begin()
  await expect(begin()).rejects.toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      retryAfterSeconds: 40,
      data: expect.objectContaining({ limit: 'requests_per_minute', most: 2, used: 2 }),
    }),
  )
  // Another key counts by itself.
  await begin(0, 'other')
  pass(40_000)
  await begin()
})

test('tokens are reserved while a call runs, and counted when it ends', async () => {
  const { begin, pass } = setUp({ tokensPerMinute: 100 })
  const end = await begin(80)
  await expect(begin(30)).rejects.toThrow(expect.objectContaining({ code: 'rate_limited' }))
  await end(10)
  const second = await begin(90)
  await expect(begin(1)).rejects.toThrow(expect.objectContaining({ code: 'rate_limited' }))
  pass(60_000)
  // What a call of the last minute uses belongs to that minute.
  await begin(100)
  await second(90)
  await expect(begin(1)).rejects.toThrow(expect.objectContaining({ code: 'rate_limited' }))
})

test('a call that may use more than a minute has is refused without a time to wait', async () => {
  const { begin } = setUp({ tokensPerMinute: 100 })
  await expect(begin(101)).rejects.toThrow(
    expect.objectContaining({ code: 'bad_request', retryAfterSeconds: undefined }),
  )
})

test('a key without rates is not counted', async () => {
  const { begin } = setUp({})
  for (let call = 0; call < 1_000; call += 1) await (await begin(1_000_000))(0)
})

test('in no minute are more tokens used than the limit, however calls overlap', async () => {
  const step = fc.record({
    tokens: fc.integer({ min: 1, max: 60 }),
    share: fc.integer({ min: 0, max: 100 }),
    ends: fc.boolean(),
    ms: fc.integer({ min: 0, max: 20_000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { begin, pass } = setUp({ tokensPerMinute: 100 })
      let windowEnds = 0
      let now = 0
      let reserved = 0
      const open: { end: (used: number) => Promise<void>; used: number }[] = []
      for (const { tokens, share, ends, ms } of steps) {
        now += ms
        pass(ms)
        if (now >= windowEnds) open.length = 0
        try {
          const end = await begin(tokens)
          if (now >= windowEnds) {
            windowEnds = now + 60_000
            reserved = 0
          }
          const used = Math.floor((tokens * share) / 100)
          reserved += used
          open.push({ end, used })
          expect(reserved).toBeLessThanOrEqual(100)
        } catch (refusal) {
          expect(refusal).toMatchObject({ code: 'rate_limited' })
        }
        const last = ends ? open.pop() : undefined
        await last?.end(last.used)
      }
    }),
  )
})
