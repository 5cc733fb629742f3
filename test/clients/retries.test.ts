// What the client repeats when the network or the gateway fails, and that no call is paid twice.

import type { RetryPolicy } from '@tollway/client'
import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { openBreakingProxy } from './breaking-proxy.ts'
import { openClient } from './open-client.ts'

const gateway = shareGatewayOfWorker()

async function open(retry: RetryPolicy = {}) {
  const account = await gateway().account(100)
  const proxy = await openBreakingProxy(gateway().url)
  return { account, proxy, tollway: openClient(proxy, account, { retry }) }
}
const refusal = (code: string) => expect.objectContaining({ name: 'TollwayError', code })

describe('a paid call is charged once', () => {
  test('when its answer breaks off in the middle', async () => {
    const { account, proxy, tollway } = await open()
    proxy.next('cut answer', 'cut answer')
    const answer = await tollway.run('test/echo', { text: 'once' })
    expect(answer).toMatchObject({ data: { echo: 'once' }, chargedCents: 2, replayed: true })
    expect(new Set(proxy.seen.map(({ key }) => key)).size).toBe(1)
    expect(proxy.seen).toHaveLength(3)
    expect(await account.state()).toMatchObject({ availableCents: 98, transactions: 1 })
  })

  test('when the request is lost', async () => {
    const { account, proxy, tollway } = await open()
    proxy.next('lose request')
    expect(await tollway.run('test/echo', {})).toMatchObject({ replayed: false })
    expect(await account.state()).toMatchObject({ availableCents: 98, transactions: 1 })
  })

  test.each([
    { status: 429, headers: { 'retry-after': '0' }, body: '{"error":"rate_limited"}' },
    { status: 503, headers: { 'retry-after': '0' }, body: '{"error":"unavailable"}' },
    { status: 503, headers: { 'retry-after': '0' }, body: '{"error":"payment_pending"}' },
    { status: 502, body: '<html>Bad gateway</html>' },
  ])('when it is answered with $status $body at first', async (fault) => {
    const { account, proxy, tollway } = await open()
    proxy.next(fault)
    expect((await tollway.run('test/echo', {})).chargedCents).toBe(2)
    expect(proxy.seen).toHaveLength(2)
    expect(await account.state()).toMatchObject({ availableCents: 98, transactions: 1 })
  })

  test('when it still runs while it is repeated', async () => {
    const { account, proxy, tollway } = await open({ failuresMax: 2 })
    proxy.next('cut answer')
    const idempotencyKey = crypto.randomUUID()
    const first = openClient(gateway(), account).run('test/slow', {}, { idempotencyKey })
    await gateway().provider.waiting(1)
    const second = tollway.run('test/slow', {}, { idempotencyKey })
    await expect.poll(() => proxy.seen.length).toBeGreaterThan(2)
    gateway().provider.release()
    expect((await second).data).toEqual((await first).data)
    expect(await account.state()).toMatchObject({ availableCents: 98, transactions: 1 })
  })
})

describe('the client does not repeat', () => {
  test.each(['bad_request', 'all_blocked', 'upstream_error', 'content_policy_violation'])(
    'work that failed with %s',
    async (code) => {
      const { account, proxy, tollway } = await open()
      await expect(tollway.run('test/fails', { code })).rejects.toThrow(refusal(code))
      expect(proxy.seen).toHaveLength(1)
      expect((await account.state()).availableCents).toBe(100)
    },
  )

  test('a call that the balance does not cover', async () => {
    const { proxy, tollway } = await open()
    await expect(tollway.run('test/purchase', { costs: 3 }, { maxCostCents: 500 })).rejects.toThrow(
      refusal('insufficient_balance'),
    )
    expect(proxy.seen).toHaveLength(1)
  })

  test('what an answer of an unknown order would buy twice', async () => {
    const { proxy, tollway } = await open()
    proxy.next({
      status: 503,
      headers: { 'retry-after': '0' },
      body: '{"error":"outcome_unknown"}',
    })
    await expect(tollway.run('test/echo', {})).rejects.toThrow(refusal('outcome_unknown'))
    expect(proxy.seen).toHaveLength(1)
  })

  test('for longer than the caller allows', async () => {
    const { proxy, tollway } = await open({ giveUpAfterMs: 1_000 })
    proxy.next({ status: 429, headers: { 'retry-after': '60' }, body: '{"error":"rate_limited"}' })
    await expect(tollway.run('test/echo', {})).rejects.toMatchObject({ retryAfterMs: 60_000 })
    expect(proxy.seen).toHaveLength(1)
  })

  test('after as many failures as the caller allows', async () => {
    const { account, proxy, tollway } = await open({ failuresMax: 2 })
    proxy.next('lose request', 'lose request')
    await expect(tollway.run('test/echo', {})).rejects.toThrow(refusal('connection_failed'))
    expect(proxy.seen).toHaveLength(2)
    expect((await account.state()).transactions).toBe(0)
  })

  test('after the caller has left', async () => {
    const { proxy, tollway } = await open()
    proxy.next({ status: 503, headers: { 'retry-after': '60' }, body: '{"error":"unavailable"}' })
    const leaving = new AbortController()
    const running = tollway.run('test/echo', {}, { signal: leaving.signal })
    await expect.poll(() => proxy.seen.length).toBe(1)
    leaving.abort(new Error('the caller left'))
    await expect(running).rejects.toThrow('the caller left')
    expect(proxy.seen).toHaveLength(1)
  })

  test('for a wallet that refuses to pay', async () => {
    let asked = 0
    const account = await gateway().account(0)
    const tollway = openClient(gateway(), account, {
      fetch: async () => {
        asked++
        throw new Error('The user declined to pay.')
      },
    })
    await expect(tollway.run('test/echo', {})).rejects.toThrow('The user declined to pay.')
    expect(asked).toBe(1)
  })
})
