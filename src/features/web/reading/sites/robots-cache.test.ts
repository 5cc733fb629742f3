import { expect, test } from 'vitest'
import { FetchFailure, type FetchFailureReason } from '#platform/egress/failure.ts'
import type { EgressFetcher, EgressRequest } from '#platform/egress/fetcher.ts'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { silentLog } from '#test/silent-log.ts'
import { createRobotsCache, robotsBytesMax } from './robots-cache.ts'

const page = 'https://example.com/a'
const hourMs = 3_600_000
const { signal } = new AbortController()

/** Answers every request with what the last call of `answer` said. */
function arrange(options: { originsMax?: number } = {}) {
  const asked: EgressRequest[] = []
  let next: () => Promise<{ status: number; body: string }> = async () => ({
    status: 404,
    body: '',
  })
  const fetcher: EgressFetcher = {
    async fetch(request) {
      asked.push(request)
      const { status, body } = await next()
      return { url: request.url, status, headers: {}, body: Buffer.from(body) }
    },
    close: async () => {},
  }
  const { clock, set } = createVirtualClock()
  const cache = createRobotsCache({
    fetcher,
    clock,
    log: silentLog,
    userAgent: 'Tollway/1',
    ...options,
  })
  return {
    asked,
    allows: async (url = page) => (await cache.rulesFor(url, signal)).allows(url),
    rulesFor: cache.rulesFor,
    pass: (ms: number) => set(clock.now() + ms),
    answer(status: number, body = '') {
      next = async () => ({ status, body })
    },
    fail(reason: FetchFailureReason) {
      next = () => Promise.reject(new FetchFailure(reason, 'no'))
    },
    hold(held: Promise<{ status: number; body: string }>) {
      next = () => held
    },
  }
}

const closed = 'User-agent: *\nDisallow: /'

test('the file of an origin is asked for once a day, under our own name', async () => {
  const { asked, allows, answer, pass } = arrange()
  answer(200, closed)
  expect(await allows()).toBe(false)
  answer(200, '')
  pass(24 * hourMs - 1)
  expect(await allows('https://example.com/b')).toBe(false)
  expect(asked).toMatchObject([
    {
      url: 'https://example.com/robots.txt',
      headers: { 'user-agent': 'Tollway/1' },
      bytesMax: robotsBytesMax,
      beyond: 'cut',
    },
  ])
  pass(1)
  expect(await allows()).toBe(true)
})

test('each scheme, host and port has its own', async () => {
  const { asked, allows } = arrange()
  for (const url of ['http://a.example/', 'https://a.example/', 'https://a.example:444/x'])
    await allows(url)
  expect(asked.map(({ url }) => url)).toEqual([
    'http://a.example/robots.txt',
    'https://a.example/robots.txt',
    'https://a.example:444/robots.txt',
  ])
})

test.each([404, 401, 403, 429])('a site that answers %i allows everything', async (status) => {
  const { allows, answer } = arrange()
  answer(status, closed)
  expect(await allows()).toBe(true)
})

test('a server in trouble allows nothing for an hour', async () => {
  const { allows, answer, pass } = arrange()
  answer(503)
  expect(await allows()).toBe(false)
  answer(200)
  pass(hourMs - 1)
  expect(await allows()).toBe(false)
  pass(1)
  expect(await allows()).toBe(true)
})

test.each(['timeout', 'connection', 'encoding'] as const)(
  'no answer (%s) allows nothing for five minutes',
  async (reason) => {
    const { allows, fail, answer, pass } = arrange()
    fail(reason)
    expect(await allows()).toBe(false)
    answer(200)
    pass(300_000)
    expect(await allows()).toBe(true)
  },
)

test('a file that redirects in circles is none', async () => {
  const { allows, fail } = arrange()
  fail('redirects')
  expect(await allows()).toBe(true)
})

test('all who ask at once share one request, and one who leaves does not end it', async () => {
  const { asked, rulesFor, hold } = arrange()
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>()
  hold(promise)
  const controller = new AbortController()
  const leaving = rulesFor(page, controller.signal)
  const staying = rulesFor(page, signal)
  controller.abort(new Error('the caller left'))
  await expect(leaving).rejects.toThrow('the caller left')
  resolve({ status: 200, body: closed })
  expect((await staying).allows(page)).toBe(false)
  expect(asked).toHaveLength(1)
})

test('the origins asked about the longest ago are forgotten first', async () => {
  const { asked, allows } = arrange({ originsMax: 2 })
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await allows(`https://${name}.example/`)
  expect(asked.map(({ url }) => new URL(url).hostname[0])).toEqual(['a', 'b', 'c', 'b'])
})

test('what is remembered is bounded by its size too', async () => {
  const { asked, allows, answer } = arrange()
  const rule = (_each: unknown, n: number) => `Disallow: /${n}${'x'.repeat(1_000)}\n`
  answer(200, `User-agent: *\n${Array.from({ length: 450 }, rule).join('')}`)
  for (let n = 0; n < 60; n += 1) await allows(`https://${n}.example/`)
  await allows('https://59.example/')
  expect(asked).toHaveLength(60)
  await allows('https://0.example/')
  expect(asked).toHaveLength(61)
})

test('of a file that is too long the line that was cut does not count', async () => {
  const { allows, answer } = arrange()
  const head = 'User-agent: *\nDisallow: /shut\n'
  const cut = 'Disallow: /'
  const filling = '#'.repeat(robotsBytesMax - head.length - cut.length - 1)
  answer(200, `${head}${filling}\n${cut}`)
  expect(await allows()).toBe(true)
  expect(await allows('https://example.com/shut')).toBe(false)
})
