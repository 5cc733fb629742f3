// kill -9 between what an upstream has done and its charge: the caller is not charged, the key of the call is free, and
// a free call of the day is given back.
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { adminToken } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { startWeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { until } from '#test/until.ts'
import { type KillableGateway, startKillableGateway } from '../../payments/killable-gateway.ts'

async function request(
  gateway: KillableGateway,
  method: string,
  at: string,
  options: Options = {},
) {
  const { key = adminToken, body, headers } = options
  const reply = await fetch(gateway.url + at, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}

interface Options {
  readonly key?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

test('a gateway that is killed while the upstream works charges nothing, and the next one answers the same key', async () => {
  const weather = await startWeatherApi()
  onTestFinished(() => weather.close())
  const dataDir = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  const env = {
    DATABASE_URL: await createTestDatabase(),
    DATA_DIR: dataDir,
    WEATHER_API_KEY: weatherKey,
  }
  const first = await startKillableGateway(env)
  await sell(
    { request: (method, at, options) => request(first, method, at, options) },
    {
      address: weather.descriptionUrl,
      name: 'weather',
      private: true,
      rules: [
        { match: 'get-status', price: 4, free_per_day: 1 },
        { match: '*', price: 3 },
      ],
    },
  )
  const opened = await request(first, 'POST', '/api/v1/admin/accounts', {
    body: { balance_cents: 100 },
  })
  const { api_key: key } = opened.body
  const call = (gateway: KillableGateway) =>
    request(gateway, 'POST', '/api/run/weather/get-forecast', {
      key,
      body: { place: 'Bern', days: 1 },
      headers: { 'idempotency-key': 'the-same' },
    })
  const callFree = (gateway: KillableGateway) =>
    request(gateway, 'POST', '/api/run/weather/get-status', { key, body: {} })
  weather.fault = 'hangs'
  const lost = [call(first), callFree(first)].map((each) => each.catch(() => 'lost'))
  await until(async () => weather.asked.length === 2)
  await first.kill()
  expect(await Promise.all(lost)).toEqual(['lost', 'lost'])

  weather.fault = 'none'
  const second = await startKillableGateway(env)
  onTestFinished(() => second.kill())
  const account = async () => (await request(second, 'GET', '/api/v1/account', { key })).body
  await until(async () => (await account()).held_cents === 0)
  expect(await account()).toMatchObject({ available_cents: 100 })
  const { body } = await call(second)
  expect(body).toMatchObject({ ok: true, charged_cents: 3 })
  const again = await call(second)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await account()).toMatchObject({ available_cents: 97, held_cents: 0 })
  expect((await callFree(second)).body).toMatchObject({ ok: true, charged_cents: 0 })
  expect((await callFree(second)).body).toMatchObject({ ok: true, charged_cents: 4 })
})
