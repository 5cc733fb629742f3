// The daily budget of a provider, counted by the gateway that runs the calls.
import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker, verify } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'

const weather = shareWeatherApi()
const gateway = shareGatewayOfWorker({ changes: 'offers' })
const operate = (method: string, at: string, body?: unknown) =>
  gateway().request(method, `/api/v1/admin/${at}`, { key: adminToken, body })

async function sellAt(name: string, rules: object[], budget: object) {
  await sell(gateway(), { address: weather().descriptionUrl, name, private: true, rules })
  await operate('PUT', `provider-keys/${name}`, { key: weatherKey })
  expect(await operate('PUT', `provider-budgets/${name}`, budget)).toMatchObject({ status: 200 })
}

async function statuses(name: string, count: number) {
  const account = await gateway().account(1_000)
  const found = []
  for (let turn = 0; turn < count; turn++)
    found.push((await account.call(`${name}/get-forecast`, { place: 'Bern' })).status)
  expect(await account.state()).toMatchObject({ heldCents: 0 })
  return found
}

test('calls stop at the one after the budget of calls is reached', async () => {
  await sellAt('counted', [{ match: '*', price: 1 }], { calls_per_day: 3 })
  expect(await statuses('counted', 6)).toEqual([200, 200, 200, 503, 503, 503])
  await operate('PUT', 'provider-budgets/counted', { calls_per_day: 5 })
  expect(await statuses('counted', 4)).toEqual([200, 200, 503, 503])
  const { body } = await operate('GET', 'provider-budgets')
  expect(
    body.provider_budgets.find(({ provider }: { provider: string }) => provider === 'counted'),
  ).toMatchObject({ calls_per_day: 5, calls_today: 5 })
})

test('calls stop at the one after the budget of costs is reached', async () => {
  await sellAt('costly', [{ match: '*', price: 9, cost: 4 }], { cost_cents_per_day: 5 })
  expect(await statuses('costly', 4)).toEqual([200, 200, 503, 503])
})

test('of calls at the same moment, only as many begin as the budget has left', async () => {
  await sellAt('crowded', [{ match: '*', price: 1 }], { calls_per_day: 3 })
  const account = await gateway().account(100)
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => account.call('crowded/get-forecast', { place: 'Bern' })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await account.state()).toMatchObject({ availableCents: 97, heldCents: 0 })
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('the steps of a plan count as calls of their provider', async () => {
  await sellAt('stepped', [{ match: '*', price: 1 }], { calls_per_day: 2 })
  const account = await gateway().account(100)
  const step = (id: string) => ({ id, action: 'stepped/get-forecast', params: { place: 'Bern' } })
  const steps = [step('a'), step('b')]
  const { body } = await account.call('tollway/run-plan', { steps, max_cost_cents: 10 })
  await account.call('tollway/result', { job_id: body.data.job_id, wait_seconds: 50 })
  expect((await account.call('stepped/get-forecast', { place: 'Bern' })).status).toBe(503)
})
