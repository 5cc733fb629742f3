import { expect, test } from 'vitest'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { createPoliteness, type PoliteRequest } from './politeness.ts'
import { crawlDelayMsMax } from './robots.ts'

const host = 'example.com'
const open = () => Promise.withResolvers<void>()

function arrange(options: { atOnceMax?: number; delayMs?: number; waitingMax?: number } = {}) {
  const { clock, run, set } = createVirtualClock()
  const politeness = createPoliteness({ clock, ...options })
  const start = clock.now()
  const entered: { name: string; at: number }[] = []
  const ask = (
    name: string,
    request: Partial<PoliteRequest> = {},
    task: () => Promise<void> = async () => {},
  ) =>
    politeness.run({ host, party: politeness, ...request }, () => {
      entered.push({ name, at: clock.now() - start })
      return task()
    })
  return { politeness, clock, run, set, entered, ask }
}

test('between two starts there is a pause, the one that the site asks for or a small one', async () => {
  const { entered, ask, run } = arrange()
  const all = [
    ask('a', { delayMs: 1_000 }),
    ask('b'),
    ask('c', { delayMs: 0 }),
    ask('d', { delayMs: 86_400_000 }),
    ask('e'),
  ]
  await run()
  await Promise.all(all)
  expect(entered.map(({ at }) => at)).toEqual([0, 1_000, 1_200, 1_200, 1_200 + crawlDelayMsMax])
})

test('only so many are under way at once, and the next enters when one has ended, well or not', async () => {
  const { entered, ask, run } = arrange({ delayMs: 0 })
  const [first, second] = [open(), open()]
  const all = [
    ask('a', {}, () => first.promise),
    ask('b', {}, () => second.promise).catch(() => {}),
    ask('c'),
    ask('d'),
  ]
  await run()
  expect(entered.map(({ name }) => name)).toEqual(['a', 'b'])
  second.reject(new Error('no answer'))
  await Promise.all([all[2], all[3]])
  first.resolve()
  await Promise.all(all)
  expect(entered.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
})

test('parties take turns, so a large job does not hold up a small one', async () => {
  const { entered, ask, run } = arrange({ atOnceMax: 1 })
  const [large, small, other] = [{}, {}, {}]
  const all = [
    ...[1, 2, 3, 4].map((n) => ask(`large ${n}`, { party: large })),
    ...[1, 2].map((n) => ask(`small ${n}`, { party: small })),
    ask('other', { party: other }),
  ]
  await run()
  await Promise.all(all)
  expect(entered.map(({ name }) => name)).toEqual([
    'large 1',
    'large 2',
    'small 1',
    'other',
    'large 3',
    'small 2',
    'large 4',
  ])
})

test('hosts do not wait for each other', async () => {
  const { entered, ask } = arrange({ atOnceMax: 1 })
  const held = open()
  const first = ask('a', {}, () => held.promise)
  await ask('b', { host: 'other.example' })
  expect(entered).toHaveLength(2)
  held.resolve()
  await first
})

test('one that is aborted while it waits leaves, and those behind it move up', async () => {
  const { entered, ask, run } = arrange({ atOnceMax: 1 })
  const held = open()
  const first = ask('a', {}, () => held.promise)
  const controller = new AbortController()
  const second = ask('b', { signal: controller.signal })
  const third = ask('c')
  controller.abort(new Error('the caller left'))
  await expect(second).rejects.toThrow('the caller left')
  await expect(ask('d', { signal: controller.signal })).rejects.toThrow('the caller left')
  held.resolve()
  await run()
  await Promise.all([first, third])
  expect(entered.map(({ name }) => name)).toEqual(['a', 'c'])
})

test('when all waiting requests are aborted, the timer stops, and the next request is served', async () => {
  const { entered, ask, run, clock } = arrange()
  await ask('a', { delayMs: 1_000 })
  const controller = new AbortController()
  const left = ask('b', { signal: controller.signal })
  controller.abort(new Error('the caller left'))
  await expect(left).rejects.toThrow('the caller left')
  const before = clock.now()
  await run()
  expect(clock.now()).toBe(before)
  const next = ask('c')
  await run()
  await next
  expect(entered).toEqual([
    { name: 'a', at: 0 },
    { name: 'c', at: 1_000 },
  ])
})

test('more than may wait are refused', async () => {
  const { ask, run } = arrange({ waitingMax: 2 })
  const all = [ask('a'), ask('b'), ask('c')]
  await expect(ask('d')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 })
  await run()
  await Promise.all(all)
  await run()
  const later = ask('e')
  await run()
  await expect(later).resolves.toBeUndefined()
})

test('hosts at rest are forgotten when there are many', async () => {
  const { ask, politeness, set, clock } = arrange()
  for (let index = 0; index < 3_000; index += 1) {
    await ask('a', { host: `${index}.example` })
    set(clock.now() + 1_000)
  }
  expect(politeness.hosts).toBeLessThanOrEqual(1_000)
})

test('a clock that is set back does not hold anyone up', async () => {
  const { entered, ask, run, set, clock } = arrange()
  await ask('a')
  set(clock.now() - 3_600_000)
  const next = ask('b')
  await run()
  await next
  expect(entered[1]?.at).toBe(crawlDelayMsMax - 3_600_000)
})
