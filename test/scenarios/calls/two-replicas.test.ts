import { expect, test } from 'vitest'
import { shareGateway, shareGatewayOfWorker, startGateway, verify } from '#test/harness.ts'

const shared = shareGatewayOfWorker()
const second = shareGateway(() => ({ databaseUrl: shared().databaseUrl }))

test('two gateways on one database share balances, keys and idempotency', async () => {
  const [one, two] = [shared(), second()]
  const account = await one.account(10)
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      (turn % 2 === 0 ? one : two).call('test/echo', {}, { key: account.key }),
    ),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(5)
  expect(one.provider.asked.length + two.provider.asked.length).toBe(5)
  expect(await account.state()).toEqual({ availableCents: 0, heldCents: 0, transactions: 5 })
  expect(await verify(two)).toMatchObject({ ok: true })
})

test('one Idempotency-Key at two gateways runs once, and either replays it', async () => {
  const [one, two] = [shared(), second()]
  const account = await one.account(10)
  const options = { key: account.key, headers: { 'idempotency-key': 'once' } }
  const racing = await Promise.all([
    one.call('test/echo', {}, options),
    two.call('test/echo', {}, options),
  ])
  expect(racing.every((reply) => reply.status === 200 || reply.status === 409)).toBe(true)
  const replayed = await two.call('test/echo', {}, options)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  expect(one.provider.asked.length + two.provider.asked.length).toBe(1)
  expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
})

test('a gateway that stops lets its running calls end first', async () => {
  const two = shared()
  const one = await startGateway({ databaseUrl: two.databaseUrl })
  const account = await two.account(10)
  const running = one.call('test/slow', {}, { key: account.key })
  await one.provider.waiting(1)
  const closing = one.close()
  expect((await running).status).toBe(200)
  await closing
  const seen = await two.request('GET', '/api/v1/account', { key: account.key })
  expect(seen.body).toMatchObject({ available_cents: 8, held_cents: 0 })
})
