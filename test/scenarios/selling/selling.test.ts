// An operator sells an API of their own by its description.
import { expect, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { adminToken, shareGateway, startGateway, verify } from '#test/harness.ts'
import { previewSale, sell } from '#test/selling/sell.ts'
import { type Fault, shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { until } from '#test/until.ts'

const weather = shareWeatherApi()
const gateway = shareGateway({ env: { WEATHER_API_KEY: weatherKey } })

const rules = [
  { match: '#admin', price: 'not sold' },
  { match: 'GET /status', price: 'free' },
  { match: 'search*', price: 1, per: { field: 'names', unit: 'station', at_most: 20 } },
  { match: '*', price: 3 },
]
const sale = (more: object = {}) => ({
  address: weather().descriptionUrl,
  name: 'weather',
  private: true,
  rules,
  ...more,
})

test('a preview shows each action with its price, and what is left out and why, and sells nothing', async () => {
  const { status, body } = await previewSale(gateway(), sale({ name: 'preview_only' }))
  expect(status).toBe(200)
  expect(body).toMatchObject({ title: 'Alpine Weather', kind: 'openapi', needs_key: true })
  expect(body.actions).toEqual([
    {
      action: 'preview_only/get-forecast',
      price: '3¢',
      summary: 'The forecast for a place.',
      change: 'new',
      price_before: null,
      what_changed: null,
      is_deprecated: false,
    },
    {
      action: 'preview_only/search-stations',
      price: '1¢ per station (0¢ to 20¢)',
      summary: 'Find stations.',
      change: 'new',
      price_before: null,
      what_changed: null,
      is_deprecated: false,
    },
    {
      action: 'preview_only/get-status',
      price: 'free',
      summary: 'Whether the API works.',
      change: 'new',
      price_before: null,
      what_changed: null,
      is_deprecated: false,
    },
  ])
  expect(body.left_out).toEqual([
    { where: 'DELETE /admin/stations/{id}', why: 'A price rule leaves it out.' },
  ])
  const { status: found } = await gateway().request('GET', '/api/run/preview_only/get-forecast')
  expect(found).toBe(404)
})

test('a sold operation is quoted, validated, called with the operator’s key and charged like any action', async () => {
  await sell(gateway(), sale())
  const account = await gateway().account(100)
  const wrong = await account.call('weather/get-forecast', { place: 'Bern', days: 11, town: 'x' })
  expect(wrong.status).toBe(400)
  expect(wrong.body.message).toContain('days')
  expect(weather().asked).toEqual([])

  const forecast = await account.call('weather/get-forecast', { place: 'Zürich/West', days: 2 })
  expect(forecast.body).toMatchObject({
    data: { place: 'Zürich/West', days: [{ celsius: 0 }, { celsius: 1 }] },
    charged_cents: 3,
    balance_remaining_cents: 97,
  })
  expect(weather().asked.map(({ line }) => line)).toEqual([
    'GET /forecast/Z%C3%BCrich%2FWest?days=2',
  ])
  const stations = await account.call('weather/search-stations', { names: ['a', 'b'] })
  expect(stations.body).toMatchObject({
    data: { stations: [{ name: 'a' }, { name: 'b' }] },
    charged_cents: 2,
  })
  expect(weather().asked.at(-1)?.body).toBe('{"names":["a","b"]}')
  const free = await account.call('weather/get-status', {})
  expect(free.body).toMatchObject({ data: { ok: true }, charged_cents: 0 })
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('a caller’s text never leads to another path of the API', async () => {
  await sell(gateway(), sale())
  const account = await gateway().account(100)
  for (const place of ['..', '.', '', '%2e%2e', '../status', 'north/east'])
    await account.call('weather/get-forecast', { place })
  expect(weather().asked.map(({ line }) => line)).toEqual(['GET /forecast/north%2Feast'])
})

test('it is found, described and listed like any action', async () => {
  await sell(gateway(), sale())
  const account = await gateway().account(10)
  const found = await account.call('tollway/discover', {
    query: 'alpine weather forecast of a place',
  })
  expect(found.body.data.hits.map(({ action }: { action: string }) => action)).toContain(
    'get-forecast',
  )
  const described = await account.get('/api/run/weather/get-forecast')
  expect(described.body).toMatchObject({
    mode: 'live',
    input_schema: { properties: { days: { type: 'integer', maximum: 10 } }, required: ['place'] },
    example: { input: { place: 'Bern', days: 3 }, cents: 3 },
  })
  const openApi = await account.get('/openapi.json')
  expect(openApi.body.paths['/api/run/weather/get-forecast'].post.summary).toBe(
    'The forecast for a place.',
  )
  expect(JSON.stringify(openApi.body)).not.toContain('"#/$defs/')
  const docs = await account.get('/docs/actions/weather/get-forecast')
  expect(docs.status).toBe(200)
})

test.each<[Fault, number]>([
  ['status 500', 500],
  ['status 402', 500],
  ['breaks off', 500],
  ['not JSON', 500],
  ['wrong content', 500],
  ['redirects to a private address', 500],
])('an upstream with the fault "%s" is not paid for, and nothing leaks', async (fault, status) => {
  await sell(gateway(), sale())
  const account = await gateway().account(100)
  weather().fault = fault
  const reply = await account.call('weather/get-forecast', { place: 'Bern' })
  expect([reply.status, reply.body.error]).toEqual([status, 'upstream_error'])
  expect(JSON.stringify(reply.body)).not.toContain(weatherKey)
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  expect(weather().strayed).toEqual([])
})

test.each<Fault>(['a page in HTML', 'nothing'])(
  'an answer with "%s" where JSON of any shape is described is not paid for',
  async (fault) => {
    await sell(gateway(), sale())
    const account = await gateway().account(100)
    weather().fault = fault
    const reply = await account.call('weather/get-status', {})
    expect([reply.status, reply.body.error]).toEqual([500, 'upstream_error'])
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  },
)

test.each<Fault>(['null', 'a text in JSON', 'a list'])(
  'an answer with "%s" where an object is described is not paid for, and the caller reads why',
  async (fault) => {
    await sell(gateway(), sale())
    const account = await gateway().account(100)
    weather().fault = fault
    const reply = await account.call('weather/get-status', {})
    expect([reply.status, reply.body.error]).toEqual([500, 'upstream_error'])
    expect(reply.body.message).toMatch(
      /^The provider’s answer does not have the form that its description promises\. Nothing was/,
    )
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  },
)

test('a byte order mark before the JSON of an answer is ignored', async () => {
  await sell(gateway(), sale())
  const account = await gateway().account(100)
  weather().fault = 'a byte order mark'
  const { body } = await account.call('weather/get-forecast', { place: 'Bern' })
  expect(body).toMatchObject({ ok: true, data: { days: [{ celsius: 3 }] }, charged_cents: 3 })
})

test('an answer after its time is not paid for', async () => {
  await sell(gateway(), sale({ rules: [{ match: '*', price: 3, timeout_seconds: 1 }] }))
  const account = await gateway().account(100)
  weather().fault = 'hangs'
  const reply = await account.call('weather/get-forecast', { place: 'Bern' })
  expect(reply.body).toMatchObject({ error: 'upstream_error', ok: false })
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

test('an answer with the operator’s key in it is delivered without the key', async () => {
  await sell(gateway(), sale())
  const account = await gateway().account(100)
  weather().fault = 'repeats the key'
  const { body } = await account.call('weather/get-forecast', { place: 'Bern' })
  expect(body).toMatchObject({
    ok: true,
    data: { place: 'Key: [redacted]', encoded: '[redacted]' },
  })
})

test('a pasted key is not sent to another host, nor kept when its API is forgotten', async () => {
  const name = 'moving'
  const paste = () =>
    gateway().request('PUT', `/api/v1/admin/provider-keys/${name}`, {
      key: adminToken,
      body: { key: weatherKey, test: false },
    })
  const source = async () => {
    const { body } = await gateway().request('GET', '/api/v1/admin/provider-keys', {
      key: adminToken,
    })
    return body.provider_keys.find(({ provider }: { provider: string }) => provider === name)
      ?.source
  }
  await sell(gateway(), sale({ name }))
  expect((await paste()).status).toBe(200)
  await sell(gateway(), sale({ name, price: 2, rules: undefined }))
  expect(await source()).toBe('pasted')
  const elsewhere = sale({ name, server: weather().url.replace('127.0.0.1', 'localhost') })
  const preview = await previewSale(gateway(), elsewhere)
  expect(preview.body.new_hosts).toEqual([expect.stringContaining('localhost')])
  await sell(gateway(), elsewhere)
  expect(await source()).toBe('none')
  expect((await paste()).status).toBe(200)
  await gateway().request('DELETE', `/api/v1/admin/sold-apis/${name}?forget=true`, {
    key: adminToken,
  })
  await sell(gateway(), elsewhere)
  expect(await source()).toBe('none')
})

test('a second run shows the difference, keeps names, and retires what is gone with a sentence', async () => {
  await sell(gateway(), sale())
  weather().edit((description) => {
    const { '/forecast/{place}': forecast, '/status': status } = description.paths
    forecast.get.operationId = 'forecastOfPlace'
    forecast.get.summary = 'The weather of the next days.'
    description.paths = {
      '/forecast/{place}': forecast,
      '/status': status,
      '/alerts': {
        get: {
          operationId: 'getAlerts',
          summary: 'Alerts.',
          responses: { 200: { description: 'x' } },
        },
      },
    }
  })
  const body = await sell(
    gateway(),
    sale({
      rules: [
        { match: 'get-status', price: 1 },
        { match: '*', price: 3 },
      ],
    }),
  )
  const changes = body.actions.map(({ action, change }: Record<string, string>) => [action, change])
  expect(Object.fromEntries(changes)).toEqual({
    'weather/get-forecast': 'changed',
    'weather/get-status': 'price',
    'weather/get-alerts': 'new',
    'weather/search-stations': 'retired',
    'weather/remove-station': 'retired',
  })
  const told = body.actions.map((each: Record<string, string>) => [each.action, each.what_changed])
  expect(Object.fromEntries(told)).toEqual({
    'weather/get-forecast': 'has another title',
    'weather/get-status': null,
    'weather/get-alerts': null,
    'weather/search-stations': null,
    'weather/remove-station': null,
  })
  const account = await gateway().account(100)
  const gone = await account.call('weather/search-stations', { names: ['a'] })
  expect([gone.status, gone.body.error]).toEqual([503, 'provider_not_configured'])
  expect(gone.body.message).toContain('The API has not had this operation since')
})

test('a plan may take a field that the API does not describe, and is warned of a likely mistake', async () => {
  const schemaOf = (description: { paths: Record<string, never> }) =>
    (description.paths['/stations'] as UntypedJson).post.responses[200].content['application/json']
      .schema
  const preview = async (pointer: string) => {
    const steps = [
      { id: 'find', action: 'weather/search-stations', params: { names: ['a'] } },
      { id: 'say', action: 'test/echo', params: { text: { $step: 'find', pointer } } },
    ]
    const plan = {
      name: 'likely',
      title: 'Say one.',
      input: { type: 'object' },
      steps,
      example: {},
    }
    return await gateway().request('POST', '/api/v1/admin/plans?preview=true', {
      key: adminToken,
      body: plan,
    })
  }
  await sell(gateway(), sale())
  expect((await preview('/stations/0/name')).body.warnings).toEqual([])
  const warned = await preview('/station/0/name')
  expect([warned.status, warned.body.warnings]).toEqual([
    200,
    [
      'The description of the answer of step "find" has nothing at /station/0/name. Did you mean /stations?',
    ],
  ])
  weather().edit((description) => {
    schemaOf(description).additionalProperties = false
  })
  await sell(gateway(), sale())
  const refused = await preview('/station/0/name')
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringContaining('never has anything at /station/0/name. Did you mean /stations?'),
  ])
})

test('what differs from the preview is not sold', async () => {
  const { body } = await previewSale(gateway(), sale({ name: 'moved' }))
  weather().edit((description) => {
    description.paths['/status'].get.summary = 'Something else.'
  })
  const saved = await gateway().request('PUT', '/api/v1/admin/sold-apis/moved', {
    key: adminToken,
    body: { ...sale({ name: 'moved' }), digest: body.digest },
  })
  expect([saved.status, saved.body.error]).toEqual([409, 'stale_etag'])
})

test('it is exported as one file without keys, which another gateway sells', async () => {
  await sell(gateway(), sale())
  const exported = await gateway().request('GET', '/api/v1/admin/sold-apis/weather', {
    key: adminToken,
  })
  expect(JSON.stringify(exported.body)).not.toContain(weatherKey)
  const other = await startGateway({ env: { WEATHER_API_KEY: weatherKey } })
  const refused = await previewSale(other, { file: exported.body })
  expect(refused.status).toBe(400)
  expect(refused.body.message).toMatch(/in a private network\. .* `"private": true`\.$/)
  await sell(other, { file: exported.body, private: true })
  const account = await other.account(100)
  const reply = await account.call('weather/get-forecast', { place: 'Bern' })
  expect(reply.body).toMatchObject({ ok: true, charged_cents: 3 })
})

test('callers are not told an address of the operator’s network', async () => {
  await sell(gateway(), sale())
  const raw = { address: `${weather().url}/raw`, name: 'raw_inside', kind: 'endpoint', price: 1 }
  await sell(gateway(), { ...raw, private: true })
  const { host } = new URL(weather().url)
  for (const place of [
    '/api/run/weather/get-forecast',
    '/api/run/raw_inside/call',
    '/docs/actions/raw_inside/call',
    '/api/run',
    '/status',
    '/llms.txt',
  ]) {
    const reply = await fetch(`${gateway().url}${place}`)
    expect([place, reply.status]).toEqual([place, 200])
    expect(await reply.text()).not.toContain(host)
  }
})

test('all gateways of the database sell it, and stop selling it, without a restart', async () => {
  const second = await startGateway({
    databaseUrl: gateway().databaseUrl,
    env: { WEATHER_API_KEY: weatherKey },
  })
  await sell(gateway(), sale({ name: 'shared', server: weather().url }))
  const account = await second.account(100)
  const read = async () => (await account.get('/api/run/shared/get-status')).body
  await until(async () => (await read()).mode !== undefined)
  await gateway().request('DELETE', '/api/v1/admin/sold-apis/shared', { key: adminToken })
  await until(async () => (await read()).mode === 'unavailable')
  expect((await read()).reason).toContain('The operator stopped selling shared')
})

test('an address in the operator’s network needs their word', async () => {
  const refused = await previewSale(gateway(), { ...sale(), private: false })
  expect([refused.status, refused.body.error]).toEqual([400, 'bad_request'])
  expect(refused.body.message).toContain('`"private": true`')
  expect(weather().asked).toEqual([])
})
