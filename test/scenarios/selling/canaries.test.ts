// The operator checks a vendor: its cheapest harmless call, compared with what is expected.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import type { Provider } from '#core/provider.ts'
import type { RouteDefinition } from '#surfaces/doors/route.ts'
import { canaryRoutes } from '#surfaces/http/admin/canaries.ts'
import { adminToken, type Gateway, shareGateway, startGateway, verify } from '#test/harness.ts'
import { createLogCapture } from '#test/log-capture.ts'
import { shareDriftingVendor, tidesKey } from '#test/selling/drifting-vendor.ts'
import { typeCommand } from '#test/selling/operator-command.ts'
import { sell } from '#test/selling/sell.ts'
import { shareToolServer } from '#test/selling/tool-server.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { until } from '#test/until.ts'

const vendor = shareDriftingVendor()
const weather = shareWeatherApi()
const tools = shareToolServer()
const log = createLogCapture()

const tides: Provider = {
  id: 'tides',
  title: 'Tides',
  docs: 'https://tides.example/docs',
  upstream: {
    baseUrl: 'https://tides.example',
    credential: { attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }) },
  },
  actions: [
    defineAction('high-water', {
      summary: 'When the sea is high.',
      synonyms: ['tide'],
      input: z.strictObject({ port: z.string() }),
      output: z.object({
        port: z.string(),
        tides: z.array(z.object({ at: z.string(), metres: z.number() })),
        credits_used: z.number(),
      }),
      price: { cents: 2 },
      example: { input: { port: 'Brest' }, cents: 2 },
      costUsd: ({ credits_used }) => credits_used / 100,
      run: ({ http, input }) => http.get('/tides', { query: input }),
    }),
    defineAction('survey', {
      summary: 'Order a survey.',
      synonyms: ['survey'],
      input: z.strictObject({}),
      output: z.object({}),
      price: { cents: 1 },
      irrevocable: true,
      example: { input: {}, cents: 1 },
      run: ({ http }) => http.post('/survey', {}),
    }),
  ],
}

const gateway = shareGateway(() => ({
  env: {
    TIDES_API_KEY: tidesKey,
    TIDES_BASE_URL: vendor().url,
    WEATHER_API_KEY: weatherKey,
  },
  providers: [tides],
  log,
}))

type Door = Pick<Gateway, 'request'>
const admin = (door: Door, method: string, path: string, body?: object) =>
  door.request(method, `/api/v1/admin/${path}`, { key: adminToken, ...(body && { body }) })

/** Begins a check and waits for its end. */
async function check(door: Door, provider = 'tides', maxCents = 2) {
  const begun = await admin(door, 'POST', `canaries/${provider}/checks`, { max_cents: maxCents })
  expect([begun.status, begun.body.message]).toEqual([202, undefined])
  return await ended(door, provider, begun.body.check_id)
}

async function ended(door: Door, provider: string, id: string) {
  let found = await admin(door, 'GET', `canaries/${provider}/checks/${id}`)
  await until(async () => {
    found = await admin(door, 'GET', `canaries/${provider}/checks/${id}`)
    return found.body.state !== 'running'
  })
  return found.body
}

const alerts = () => log.messages('error').filter((text) => text.startsWith('Operator alert: '))

beforeEach(async () => {
  await gateway().database.query('delete from canary_check')
  await gateway().database.query('delete from canary_form')
  await gateway().database.query('delete from provider_budget')
})

test('the answers are as described, and the log of changes tells who asked and accepted', async () => {
  const ajv = new Ajv2020({ strict: false })
  const { check_id: id } = await check(gateway())
  const routes: readonly RouteDefinition[] = canaryRoutes
  const asked = routes.map(({ method, path, answer = {}, status = 200 }) => ({
    method,
    status,
    isAsDescribed: ajv.compile(answer),
    at: path.replace('{provider}', 'tides').replace('{id}', id),
  }))
  for (const { method, at, status, isAsDescribed } of asked) {
    const body = at.endsWith('/checks') ? { max_cents: 2 } : {}
    const reply = await gateway().request(method.toUpperCase(), at, {
      key: adminToken,
      ...(method === 'post' && { body }),
    })
    isAsDescribed(reply.body)
    expect([at, reply.status, isAsDescribed.errors]).toEqual([at, status, null])
    if (reply.status === 202) await ended(gateway(), 'tides', reply.body.check_id)
  }
  const { body } = await admin(gateway(), 'GET', 'audit?subject=tides&limit=2')
  expect(body.actions).toMatchObject([
    { action: 'canary.accept', details: { check_id: id } },
    { action: 'canary.check', details: { max_cents: 2 } },
  ])
})

test('the list shows each configured provider with its cheapest harmless call and what it may cost, and asks nothing', async () => {
  const { body } = await admin(gateway(), 'GET', 'canaries')
  const shown = body.canaries.find(({ provider }: { provider: string }) => provider === 'tides')
  expect(shown).toEqual({
    provider: 'tides',
    title: 'Tides',
    mode: 'live',
    action: 'tides/high-water',
    reason: null,
    cents_at_most: 2,
    is_cost_known: true,
    last: null,
  })
  const ids = body.canaries.map(({ provider }: { provider: string }) => provider)
  expect(ids).not.toContain('ns_semantic')
  expect(body.interval_hours).toBe(0)
  expect(vendor().asked).toEqual([])
})

test('a check costs no caller anything, leaves no call, and what it cost the operator is known', async () => {
  const account = await gateway().account(100)
  const found = await check(gateway())
  expect(found).toMatchObject({
    provider: 'tides',
    action: 'tides/high-water',
    asked_by: 'operator',
    state: 'well',
    diff: [],
    cost_usd: '0.010000',
  })
  expect(vendor().asked).toEqual(['GET /tides?port=Brest'])
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  const rows = await gateway().database.query(
    `select (select count(*) from call)::int as calls, (select count(*) from usage_event where action like 'tides/%')::int as usage`,
  )
  expect(rows).toEqual([{ calls: 0, usage: 0 }])
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('the operator must have seen the cost, and what is not asked says why', async () => {
  const cheap = await admin(gateway(), 'POST', 'canaries/tides/checks', { max_cents: 1 })
  expect([cheap.status, cheap.body.error]).toEqual([402, 'max_cost_exceeded'])
  const blind = await admin(gateway(), 'POST', 'canaries/tides/checks', {})
  expect([blind.status, blind.body.error]).toEqual([400, 'bad_request'])
  const unknown = await admin(gateway(), 'POST', 'canaries/nothing/checks', { max_cents: 9 })
  expect(unknown.status).toBe(404)
  const stranger = await gateway().request('POST', '/api/v1/admin/canaries/tides/checks', {
    body: { max_cents: 2 },
  })
  expect(stranger.status).toBe(401)
  expect(vendor().asked).toEqual([])
})

test.each([
  ['lacks a field', ['- tides[].at: string'], 'failed'],
  ['has a new field', ['+ tides[].datum: string'], 'drifted'],
  ['changes a type', ['~ port: string, now object'], 'failed'],
  ['has a new price header', ['+ header x-credits-charged: 7'], 'drifted'],
  ['charges more', ['~ header x-request-cost: 1, now 5'], 'drifted'],
  ['answers with another form', ['- port: string'], 'failed'],
  ['is not found', ['~ error: none, now 404 not_found No.'], 'drifted'],
  ['refuses the key', ['~ error: none, now 401 upstream_error'], 'failed'],
  ['has no credit', ['~ error: none, now 402 upstream_error'], 'failed'],
  ['breaks', ['~ error: none, now 503 upstream_error'], 'failed'],
  ['answers with a page', ['~ error: none, now 200 upstream_error'], 'failed'],
  ['breaks off', ['~ error: none, now no answer upstream_error'], 'failed'],
  ['redirects', ['~ error: none, now 302 upstream_error'], 'failed'],
  ['is busy', [], 'unclear'],
] as const)(
  'a vendor that %s is found out, with a diff and an alert',
  async (fault, lines, state) => {
    await check(gateway())
    const before = alerts().length
    vendor().fault = fault
    const found = await check(gateway())
    expect({ state: found.state, diff: found.diff }).toEqual({
      state,
      diff: expect.arrayContaining([...lines]),
    })
    expect(found.says).not.toBe('')
    expect(found.fix).not.toBeNull()
    expect(alerts().length - before > 0).toBe(state !== 'unclear')
    expect(JSON.stringify(found)).not.toContain(tidesKey)
  },
)

test('the raw reply is kept without the key and without people, and is a fixture that its action reads', async () => {
  await check(gateway())
  vendor().fault = 'tells secrets'
  const found = await check(gateway())
  const kept = JSON.stringify([
    found.exchanges,
    await gateway().database.query('select * from canary_check'),
    await gateway().database.query('select * from canary_form'),
  ])
  expect(found.exchanges[0]).toMatchObject({
    request: { method: 'GET', path: '/tides', query: { port: 'Brest' } },
    reply: { status: 200, body: { port: 'Brest' } },
  })
  for (const secret of [tidesKey, Buffer.from(tidesKey).toString('base64'), 'ada@navy.example'])
    expect(kept).not.toContain(secret)
  expect(JSON.stringify(found.exchanges)).not.toContain('navy.example')
  const fixture = await admin(gateway(), 'GET', `canaries/tides/checks/${found.check_id}/fixture`)
  expect(fixture.headers.get('content-disposition')).toBe(
    'attachment; filename="tides.high-water.json"',
  )
  expect(fixture.body).toMatchObject({
    origin: 'recorded',
    action: 'tides/high-water',
    input: { port: 'Brest' },
    output: {
      port: 'Brest',
      tides: [{ metres: 1 }, { metres: 2 }, { metres: 3 }],
      credits_used: 1,
    },
  })
  expect(JSON.stringify(fixture.body)).not.toContain(tidesKey)
})

test('a reply of any size and depth is kept within a limit', async () => {
  for (const fault of ['is nested without end', 'is one long word', 'is huge'] as const) {
    vendor().fault = fault
    const found = await check(gateway())
    expect(found.state).toBe(fault === 'is huge' ? 'well' : 'failed')
    expect(JSON.stringify(found).length).toBeLessThan(200_000)
    const fixture = await admin(gateway(), 'GET', `canaries/tides/checks/${found.check_id}/fixture`)
    expect([fixture.status, fixture.body.error]).toEqual([404, 'not_found'])
  }
})

test('a reply that the operator accepts is what the next one is compared with', async () => {
  await check(gateway())
  vendor().fault = 'has a new field'
  const drifted = await check(gateway())
  const accepted = await admin(
    gateway(),
    'POST',
    `canaries/tides/checks/${drifted.check_id}/accept`,
  )
  expect(accepted.body).toEqual({ check_id: drifted.check_id, accepted: true })
  expect(await check(gateway())).toMatchObject({ state: 'well', diff: [] })
})

test('two presses at once, at two gateways, ask the vendor once, and both see the result', async () => {
  const env = { TIDES_API_KEY: tidesKey, TIDES_BASE_URL: vendor().url }
  const other = await startGateway({ databaseUrl: gateway().databaseUrl, env, providers: [tides] })
  vendor().fault = 'waits'
  const doors = [gateway(), other, gateway(), other, gateway()]
  const begun = await Promise.all(
    doors.map((door) => admin(door, 'POST', 'canaries/tides/checks', { max_cents: 2 })),
  )
  const ids = new Set(begun.map(({ body }) => body.check_id))
  expect([ids.size, new Set(begun.map(({ status }) => status))]).toEqual([1, new Set([202])])
  await until(async () => vendor().asked.length > 0)
  vendor().release()
  const [id = ''] = ids
  const seen = [await ended(gateway(), 'tides', id), await ended(other, 'tides', id)]
  expect(seen[0]).toEqual(seen[1])
  expect(vendor().asked).toHaveLength(1)
})

test('a check whose gateway has stopped does not keep the provider from being checked', async () => {
  await gateway().database.query(
    `insert into canary_check (id, provider, action, asked_by, gateway_id)
     values ('01970000-0000-7000-8000-000000000001', 'tides', 'tides/high-water', 'operator', 999999)`,
  )
  await ended(gateway(), 'tides', '01970000-0000-7000-8000-000000000001')
  await check(gateway())
  const { body } = await admin(gateway(), 'GET', 'canaries/tides/checks')
  expect(body.checks.map(({ state }: { state: string }) => state)).toEqual(['well', 'unclear'])
})

test('checks count against the daily budget of the provider, and stop with it', async () => {
  await admin(gateway(), 'PUT', 'provider-budgets/tides', { calls_per_day: 1 })
  await check(gateway())
  const { body } = await admin(gateway(), 'GET', 'provider-budgets')
  expect(body.provider_budgets).toMatchObject([
    { provider: 'tides', calls_today: 1, cost_usd_today: '0.010000' },
  ])
  let refused = await admin(gateway(), 'POST', 'canaries/tides/checks', { max_cents: 2 })
  await until(async () => {
    refused = await admin(gateway(), 'POST', 'canaries/tides/checks', { max_cents: 2 })
    return refused.status !== 202
  })
  expect([refused.status, refused.body.message]).toEqual([
    503,
    expect.stringContaining('budget of 1 calls a day for tides is used up'),
  ])
  await admin(gateway(), 'DELETE', 'provider-budgets/tides')
  // A check that may cost too little is refused for its cost as soon as the budget is gone.
  await until(async () => {
    const asked = await admin(gateway(), 'POST', 'canaries/tides/checks', { max_cents: 1 })
    return asked.body.error === 'max_cost_exceeded'
  })
})

test('an API that the operator sells is checked by a GET, compared with its first reply', async () => {
  await sell(gateway(), {
    address: weather().descriptionUrl,
    name: 'weather',
    private: true,
    rules: [{ match: '*', price: 3, cost: 4 }],
  })
  const { body } = await admin(gateway(), 'GET', 'canaries')
  expect(
    body.canaries.find(({ provider }: { provider: string }) => provider === 'weather'),
  ).toMatchObject({ action: 'weather/get-forecast', cents_at_most: 4 })
  const first = await check(gateway(), 'weather', 4)
  expect(first).toMatchObject({ state: 'well', cost_usd: '0.040000' })
  expect(weather().asked.map(({ line }) => line)).toEqual(['GET /forecast/Bern?days=3'])
  weather().fault = 'wrong content'
  expect(await check(gateway(), 'weather', 4)).toMatchObject({ state: 'failed' })
  weather().fault = 'repeats the key'
  expect(JSON.stringify(await check(gateway(), 'weather', 4))).not.toContain(weatherKey)
})

test('the fixture of an operation that needs no key has none, because none was sent', async () => {
  weather().edit((description) => {
    description.paths['/status'].get.security = []
  })
  await sell(gateway(), {
    address: weather().descriptionUrl,
    name: 'keyless_weather',
    private: true,
    rules: [
      { match: 'get-status', price: 1, canary: true },
      { match: '*', price: 1 },
    ],
  })
  await admin(gateway(), 'PUT', 'provider-keys/keyless_weather', { key: weatherKey })
  const checked = await check(gateway(), 'keyless_weather', 1)
  expect(checked).toMatchObject({ action: 'keyless_weather/get-status' })
  const at = `canaries/keyless_weather/checks/${checked.check_id}/fixture`
  const { body } = await admin(gateway(), 'GET', at)
  expect(body.exchanges).toHaveLength(1)
  expect(JSON.stringify(body)).not.toContain('test-key')
  await admin(gateway(), 'DELETE', 'provider-keys/keyless_weather')
})

test('an endpoint that is sold without a key, and asks for one, is told so', async () => {
  await sell(gateway(), {
    address: `${weather().url}/forecast/Bern`,
    kind: 'endpoint',
    name: 'unkeyed',
    private: true,
    price: 1,
  })
  expect(await check(gateway(), 'unkeyed', 1)).toMatchObject({
    state: 'failed',
    says: 'It asks for a key, and this gateway sent none.',
    fix: expect.stringContaining('`"credential": {"kind": "bearer"}`'),
  })
})

test('the price of an API that the operator sells is not shown as its cost', async () => {
  await sell(gateway(), {
    address: weather().descriptionUrl,
    name: 'sold_weather',
    private: true,
    rules: [{ match: '*', price: 3, per: { answer: '/rows', at_most: 10, each: 5 } }],
  })
  await admin(gateway(), 'PUT', 'provider-keys/sold_weather', { key: weatherKey, test: false })
  const shown = async () => {
    const { body } = await admin(gateway(), 'GET', 'canaries')
    return body.canaries.find(({ provider }: { provider: string }) => provider === 'sold_weather')
  }
  const { action, ...unknown } = await shown()
  expect(unknown).toMatchObject({ cents_at_most: 0, is_cost_known: false })
  const type = typeCommand(['doctor', 'providers', 'sold_weather'], {
    url: gateway().url,
    token: adminToken,
  })
  expect((await type).stdout).toContain(`${action}: no cost is declared.`)
  const cost = { per_call_usd: '0.02', per_unit_usd: '0.005' }
  expect((await admin(gateway(), 'PUT', `costs/${action}`, cost)).status).toBe(200)
  expect(await shown()).toMatchObject({ cents_at_most: 3, is_cost_known: true })
})

test('a price rule chooses the operation that is asked, and none that reads is asked in its place', async () => {
  const rules = [
    { match: 'search-stations', price: 3, canary: true },
    { match: '*', price: 3 },
  ]
  const sale = { address: weather().descriptionUrl, name: 'chosen', private: true }
  const chosen = async () => {
    const { body } = await admin(gateway(), 'GET', 'canaries')
    return body.canaries.find(({ provider }: { provider: string }) => provider === 'chosen')
  }
  await sell(gateway(), { ...sale, rules })
  await admin(gateway(), 'PUT', 'provider-keys/chosen', { key: weatherKey })
  await until(async () => (await chosen())?.action === 'chosen/search-stations')
  expect(await check(gateway(), 'chosen', 3)).toMatchObject({ state: 'well' })
  expect(weather().asked.at(-1)?.line).toBe('POST /stations')
  await sell(gateway(), { ...sale, rules: [{ match: '*', price: 3, canary: false }] })
  await until(async () => (await chosen())?.action === null)
  const without = await chosen()
  expect([without.action, without.reason]).toEqual([
    null,
    expect.stringContaining('"canary": true'),
  ])
})

test('of an MCP server only a tool that says that it reads is called, and its answer is compared', async () => {
  const text = (words: string) => [{ type: 'text', text: words }]
  tools().answer = { content: text('Milk.'), structuredContent: { lines: 1 } }
  await sell(gateway(), {
    address: tools().url,
    name: 'notes',
    private: true,
    price: 1,
    kind: 'mcp',
  })
  const first = await check(gateway(), 'notes', 1)
  expect(first).toMatchObject({ action: 'notes/read-note', state: 'well', diff: [] })
  tools().answer = { content: text('Milk.'), structuredContent: { lines: '1', pages: 2 } }
  expect(await check(gateway(), 'notes', 1)).toMatchObject({
    state: 'drifted',
    diff: ['~ structuredContent.lines: number, now string', '+ structuredContent.pages: number'],
    exchanges: [{ reply: { body: tools().answer } }],
  })
  tools().answer = { content: text('No such note.'), isError: true }
  expect(await check(gateway(), 'notes', 1)).toMatchObject({ state: 'failed' })
  expect(new Set(tools().called)).toEqual(new Set(['read_note']))
})

test('the command shows the cost, and asks through the gateway that runs, which keeps the result', async () => {
  const words = ['doctor', 'providers', 'tides']
  const type = (...more: string[]) =>
    typeCommand([...words, ...more], { url: gateway().url, token: adminToken })
  const shown = await type()
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringContaining('tides/high-water: 2¢ at most.'),
  ])
  expect(vendor().asked).toEqual([])
  const asked = await type('--live')
  expect([asked.code, asked.stdout]).toEqual([0, expect.stringMatching(/^good tides\/high-water/)])
  vendor().fault = 'refuses the key'
  const refused = await type('--live', '--json')
  expect([refused.code, JSON.parse(refused.stdout).findings]).toEqual([
    1,
    [
      {
        subject: 'tides/high-water',
        state: 'problem',
        says: 'It refuses the key of this gateway.',
        fix: expect.stringContaining('/console/operator/canaries/tides'),
      },
    ],
  ])
  const { body } = await admin(gateway(), 'GET', 'canaries/tides/checks')
  expect(body.checks.map(({ state }: { state: string }) => state)).toEqual(['failed', 'well'])
})

test('on the schedule each provider is checked once in its interval, by whichever gateway comes first', async () => {
  const env = {
    TIDES_API_KEY: tidesKey,
    TIDES_BASE_URL: vendor().url,
    CANARY_INTERVAL_HOURS: '24',
    CANARY_PROVIDERS: 'tides',
  }
  const { databaseUrl } = gateway()
  const scheduled = await Promise.all(
    [1, 2].map(() => startGateway({ databaseUrl, env, providers: [tides] })),
  )
  let checks: { state: string; asked_by: string }[] = []
  await until(async () => {
    checks = (await admin(scheduled[0] as Gateway, 'GET', 'canaries/tides/checks')).body.checks
    return checks.some(({ state }) => state === 'well')
  })
  const third = await startGateway({ databaseUrl, env, providers: [tides] })
  await third.close()
  expect(checks).toMatchObject([{ state: 'well', asked_by: 'schedule' }])
  expect(vendor().asked).toHaveLength(1)
})
