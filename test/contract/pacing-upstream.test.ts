// The actual pace of requests to a provider: a loopback server records the time of each request, on a clock that
// advances only when every admitted request has been answered.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { courts } from '#catalog/ns_courts/provider.ts'
import { filings } from '#catalog/ns_filings/provider.ts'
import { nonprofit } from '#catalog/ns_nonprofit/provider.ts'
import { press } from '#catalog/ns_press/provider.ts'
import type { CallError } from '#core/errors.ts'
import { baseUrlName, type Provider } from '#core/provider.ts'
import { portOf } from '#platform/http/port.ts'
import { createService } from '#platform/http/service.ts'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { silentLog } from '#test/silent-log.ts'

/** Sends `calls` concurrent requests, and the same number again after each wait in `again`. */
async function ask(provider: Provider, calls: number, key?: string) {
  const virtual = createVirtualClock()
  const startMs = virtual.clock.now()
  const arrivals: number[] = []
  const agents: (string | undefined)[] = []
  const server = createServer((request, response) => {
    arrivals.push(virtual.clock.now() - startMs)
    agents.push(request.headers['user-agent'])
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${portOf(server)}`
  const service = createService(provider, {
    variables: new Map([
      [baseUrlName(provider), base],
      ...(key === undefined ? [] : [[`${provider.id.toUpperCase()}_API_KEY`, key] as const]),
    ]),
    userAgent: 'Tollway/test (tests@example.org)',
    clock: virtual.clock,
    log: silentLog,
  })
  onTestFinished(async () => {
    await service.close()
    server.closeAllConnections()
    server.close()
  })
  async function burst(count: number) {
    const refusals: CallError[] = []
    let open = count
    const sent = Array.from({ length: count }, () =>
      service.http
        .get('/anything')
        .catch((error) => refusals.push(error))
        .finally(() => {
          open -= 1
        }),
    )
    while (open > 0) {
      await new Promise(setImmediate)
      if (virtual.sleeping() === open) virtual.step()
    }
    await Promise.all(sent)
    return refusals
  }
  const refusals = await burst(calls)
  const wait = (seconds: number) => virtual.set(virtual.clock.now() + seconds * 1_000)
  return { arrivals, agents, refusals, burst, wait }
}

const within = (arrivals: readonly number[], windowMs: number) =>
  Math.max(
    ...arrivals.map(
      (at) => arrivals.filter((other) => other >= at && other < at + windowMs).length,
    ),
  )

test('30 concurrent calls of filings all arrive, at most 10 in any second, with the operator’s contact', async () => {
  const { arrivals, refusals, agents } = await ask(filings, 30)
  expect(refusals).toEqual([])
  expect(arrivals).toHaveLength(30)
  expect(within(arrivals, 1_000)).toBe(10)
  expect(new Set(agents)).toEqual(new Set(['Tollway/test (tests@example.org)']))
})

test('nonprofits are asked once a second, and a call that would wait too long is refused with a time to retry', async () => {
  const { arrivals, refusals } = await ask(nonprofit, 15)
  expect(within(arrivals, 1_000)).toBe(1)
  expect(arrivals).toHaveLength(11)
  expect(refusals).toHaveLength(4)
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 11 })
})

test('the press is asked once in five seconds', async () => {
  const { arrivals, refusals } = await ask(press, 4)
  expect(arrivals).toEqual([0, 5_000, 10_000])
  expect(refusals).toMatchObject([{ code: 'rate_limited', retryAfterSeconds: 15 }])
})

test('courts: five a minute, then 429 with the rest of the minute', async () => {
  const { arrivals, refusals, burst, wait } = await ask(courts, 6)
  expect(arrivals).toEqual([0, 0, 0, 0, 0])
  expect(refusals).toMatchObject([{ code: 'rate_limited', retryAfterSeconds: 60 }])
  wait(60)
  expect(await burst(5)).toEqual([])
})

test.each([
  ['without a key', undefined, 100],
  ['with a key', 'test-key', 125],
])('courts, %s: fifty an hour and so many a day', async (_title, key, perDay) => {
  const { arrivals, burst, wait } = await ask(courts, 5, key)
  for (let minute = 1; minute < 10; minute += 1) {
    wait(60)
    expect(await burst(5)).toEqual([])
  }
  wait(60)
  const [hourly] = await burst(1)
  expect(hourly).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_000 })
  while (arrivals.length < perDay) {
    wait(3_600)
    for (let minute = 0; minute < 10 && arrivals.length < perDay; minute += 1) {
      expect(await burst(5)).toEqual([])
      wait(60)
    }
  }
  wait(3_600)
  const [daily] = await burst(1)
  expect(daily?.code).toBe('rate_limited')
  expect(daily?.retryAfterSeconds).toBeGreaterThan(3_600)
  expect(arrivals).toHaveLength(perDay)
})
