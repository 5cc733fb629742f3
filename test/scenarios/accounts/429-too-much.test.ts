import { describe, expect, test } from 'vitest'
import { shareGateway } from '#test/harness.ts'

const fewAtOnce = shareGateway({ env: { RATE_LIMIT_PER_MINUTE: '50', CALLS_IN_FLIGHT_MAX: '2' } })
const fewPerMinute = shareGateway({ env: { RATE_LIMIT_PER_MINUTE: '3' } })

describe('rate limits', () => {
  test('every response carries the four headers, including errors and free pages', async () => {
    const gateway = fewAtOnce()
    const account = await gateway.account(10)
    const replies = [
      await account.call('test/echo', {}),
      await account.call('test/echo', { colour: 'red' }),
      await account.call('test/fails', { code: 'crash' }),
      await account.get('/api/v1/account'),
      await gateway.call('test/echo', {}),
      await gateway.request('GET', '/api/run'),
      await gateway.request('GET', '/nowhere'),
      await gateway.request('GET', '/healthz'),
    ]
    for (const { headers } of replies) {
      expect(headers.get('ratelimit-limit')).toBe('50')
      expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(50)
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0)
      expect(headers.get('ratelimit-policy')).toBe('50;w=60')
    }
  })

  test('past the limit: 429 with Retry-After, nothing runs, and other accounts are not affected', async () => {
    const gateway = fewPerMinute()
    const account = await gateway.account(100)
    for (let calls = 0; calls < 3; calls += 1)
      expect((await account.call('test/echo', {})).status).toBe(200)
    const refused = await account.call('test/echo', {})
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ ok: false, error: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(gateway.provider.asked).toHaveLength(3)
    const other = await gateway.account(100)
    expect((await other.call('test/echo', {})).status).toBe(200)
  })

  test('guessed keys count against the address', async () => {
    const gateway = fewPerMinute()
    const statuses = []
    for (let guesses = 0; guesses < 4; guesses += 1) {
      statuses.push((await gateway.call('test/echo', {}, { key: 'tw_live_guess' })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

test('past the calls that may run at once: 429 too_many_inflight, until one of them ends', async () => {
  const gateway = fewAtOnce()
  const account = await gateway.account(100)
  const running = [account.call('test/slow', {}), account.call('test/slow', {})]
  await gateway.provider.waiting(2)
  const third = await account.call('test/echo', {})
  expect(third.status).toBe(429)
  expect(third.body.error).toBe('too_many_inflight')
  expect(third.headers.get('retry-after')).toBe('1')
  gateway.provider.release()
  for (const reply of await Promise.all(running)) expect(reply.status).toBe(200)
  expect((await account.call('test/echo', {})).status).toBe(200)
  expect(await account.state()).toEqual({ availableCents: 94, heldCents: 0, transactions: 3 })
})
