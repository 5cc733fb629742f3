import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

describe('one Idempotency-Key', () => {
  const shared = shareGatewayOfWorker()
  const key = { 'idempotency-key': 'order-1' }

  test('with the same body replays the stored answer and charges nothing', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const first = await account.call('test/echo', { text: 'a' }, key)
    const other = await account.call('test/echo', { text: 'b' })
    const again = await account.call('test/echo', { text: 'a' }, key)
    expect(other.body.balance_remaining_cents).toBe(6)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(gateway.provider.asked).toHaveLength(2)
    expect(await account.state()).toMatchObject({ availableCents: 6, transactions: 2 })
  })

  test('ignores the order of fields and white space', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const send = (raw: string) =>
      gateway.request('POST', '/api/run/test/echo', { key: account.key, headers: key, raw })
    await send('{"text":"a","max_cost_cents":5}')
    const again = await send('{ "max_cost_cents": 5,\n "text": "a" }')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test.each([
    { title: 'another body', action: 'test/echo', body: { text: 'b' } },
    { title: 'another action', action: 'test/retiring', body: { text: 'a' } },
    { title: 'another ceiling', action: 'test/echo', body: { text: 'a', max_cost_cents: 9 } },
  ])('with $title is 422 and costs nothing', async ({ action, body }) => {
    const gateway = shared()
    const account = await gateway.account(10)
    await account.call('test/echo', { text: 'a' }, key)
    const reply = await account.call(action, body, key)
    expect(reply.status).toBe(422)
    expect(reply.body.error).toBe('idempotency_key_reused')
    expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
  })

  test('while the first call runs is 409 with Retry-After', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const first = account.call('test/slow', {}, key)
    await gateway.provider.waiting(1)
    const second = await account.call('test/slow', {}, key)
    expect(second.status).toBe(409)
    expect(second.body.error).toBe('idempotency_in_progress')
    expect(second.headers.get('retry-after')).toBe('1')
    gateway.provider.release()
    expect((await first).status).toBe(200)
    expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
  })

  test('runs once when two first calls race', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const racing = Array.from({ length: 10 }, () => account.call('test/slow', {}, key))
    await gateway.provider.waiting(1)
    gateway.provider.release()
    const statuses = (await Promise.all(racing)).map((reply) => reply.status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
    expect(gateway.provider.asked).toHaveLength(1)
    expect(await account.state()).toEqual({ availableCents: 98, heldCents: 0, transactions: 1 })
  })

  test('of a failed call can be used again', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const failed = await account.call('test/fails', { code: 'upstream_error' }, key)
    expect(failed.status).toBe(500)
    const next = await account.call('test/echo', { text: 'other' }, key)
    expect(next.status).toBe(200)
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('belongs to its account: another account’s call with it runs', async () => {
    const gateway = shared()
    const [one, two] = [await gateway.account(10), await gateway.account(10)]
    await one.call('test/echo', { text: 'a' }, key)
    const reply = await two.call('test/echo', { text: 'b' }, key)
    expect(reply.body).toMatchObject({ ok: true, data: { echo: 'b' } })
  })

  test('makes a free action repeatable too', async () => {
    const gateway = shared()
    const account = await gateway.account(0)
    await account.call('test/free', { text: 'a' }, key)
    const again = await account.call('test/free', { text: 'a' }, key)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(gateway.provider.asked).toHaveLength(1)
  })
})
