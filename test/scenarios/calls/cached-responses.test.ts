// A cached answer of a public record is marked as cached and costs the same.
import { expect, test } from 'vitest'
import { shareGatewayOfWorker, startGateway } from '#test/harness.ts'

const shared = shareGatewayOfWorker()

test('the second caller receives the same answer, marked as cached, for the same price, and the provider is not asked', async () => {
  const gateway = shared()
  const [one, two] = [await gateway.account(10), await gateway.account(10)]
  const first = await one.call('test/cached', { text: 'tea' })
  expect(first.body).toMatchObject({ data: { echo: 'tea' }, charged_cents: 2 })
  expect(first.body.data).not.toHaveProperty('cached')
  const second = await two.call('test/cached', { text: 'tea' })
  expect(second.body).toMatchObject({ data: { echo: 'tea', cached: true }, charged_cents: 2 })
  await two.call('test/cached', { text: 'coffee' })
  expect(gateway.provider.asked).toEqual([{ text: 'tea' }, { text: 'coffee' }])
  expect(await two.state()).toMatchObject({ availableCents: 6 })
  const { body } = await gateway.request('GET', '/api/run/test/cached')
  expect(body.limits).toMatchObject({ cache_seconds: 60 })
})

test('an operator can turn the cache off', async () => {
  const gateway = await startGateway({ env: { RESPONSE_CACHE_MB: '0' } })
  const account = await gateway.account(10)
  await account.call('test/cached', { text: 'tea' })
  await account.call('test/cached', { text: 'tea' })
  expect(gateway.provider.asked).toHaveLength(2)
})
