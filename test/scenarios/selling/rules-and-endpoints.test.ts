// Price rules, endpoints without a description, pasted keys and budgets.
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker, verify } from '#test/harness.ts'
import { previewSale, sell } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'

const weather = shareWeatherApi()
const gateway = shareGatewayOfWorker({ changes: 'offers' })
const operate = (method: string, at: string, body?: unknown) =>
  gateway().request(method, `/api/v1/admin/${at}`, { key: adminToken, body })
const sale = (name: string, rules: object[]) => ({
  address: weather().descriptionUrl,
  name,
  private: true,
  rules,
})

describe('price rules', () => {
  test('an answer that is not worth its price is delivered free of charge', async () => {
    const when = { status: [200], answer: '/ok', equals: false }
    await sell(gateway(), sale('conditional', [{ match: 'get-status', price: 5, when }]))
    await operate('PUT', 'provider-keys/conditional', { key: weatherKey })
    const account = await gateway().account(100)
    const reply = await account.call('conditional/get-status', {})
    expect(reply.body).toMatchObject({ data: { ok: true }, charged_cents: 0 })
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('an answer is charged by its rows, with a minimum, and never above what was quoted', async () => {
    const per = { answer: '/stations', unit: 'station', at_most: 3 }
    await sell(gateway(), sale('by_rows', [{ match: 'search*', price: 2, per, minimum: 3 }]))
    await operate('PUT', 'provider-keys/by_rows', { key: weatherKey })
    const { body: shown } = await gateway().request('GET', '/api/run/by_rows/search-stations', {})
    expect(shown.price).toMatchObject({
      text: '2¢ per station, at least 3¢, at most 6¢',
      min: '0.030000',
      max: '0.060000',
    })
    const account = await gateway().account(100)
    const quoted = await account.call('by_rows/search-stations?quote=true', { names: [] })
    expect(quoted.body.data.price).toMatchObject({ min_cents: 3, max_cents: 6 })
    const charges = []
    for (const names of [[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd', 'e']]) {
      const { body } = await account.call('by_rows/search-stations', { names })
      charges.push(body.charged_cents)
    }
    expect(charges).toEqual([3, 3, 4, 6])
    expect(await verify(gateway())).toMatchObject({ ok: true })
  })

  test('an account has its free calls of the day, without a balance, and a failed one does not count', async () => {
    await sell(gateway(), sale('freely', [{ match: 'get-status', price: 4, free_per_day: 2 }]))
    await operate('PUT', 'provider-keys/freely', { key: weatherKey })
    const account = await gateway().account(0)
    weather().fault = 'status 500'
    expect((await account.call('freely/get-status', {})).status).toBe(500)
    weather().fault = 'none'
    const first = await account.call('freely/get-status', {})
    const second = await account.call('freely/get-status', {})
    expect([first.body.charged_cents, second.body.charged_cents]).toEqual([0, 0])
    const third = await account.call('freely/get-status', {})
    expect([third.status, third.body.error]).toEqual([402, 'insufficient_balance'])
    const other = await gateway().account(100)
    const atOnce = await Promise.all(
      Array.from({ length: 5 }, () => other.call('freely/get-status', {})),
    )
    expect(atOnce.map(({ body }) => body.charged_cents).sort()).toEqual([0, 0, 4, 4, 4])
  })

  test('callers read the free calls of a day wherever they read the price', async () => {
    const summary = 'Count the marmots on a meadow.'
    weather().edit((description) => {
      description.paths['/status'].get.summary = summary
    })
    const rules = [{ match: '*', price: 4, free_per_day: 1 }]
    await sell(gateway(), sale('told', rules))
    await operate('PUT', 'provider-keys/told', { key: weatherKey })
    const told = '1 call a day is free with an account, then 4¢'
    const account = await gateway().account(100)
    const found = await account.call('tollway/discover', { query: summary })
    const hit = found.body.data.hits.find(({ service }: { service: string }) => service === 'told')
    expect(hit.price).toBe(told)
    const { body: listed } = await gateway().request('GET', '/api/run', {})
    const ofTold = listed.actions.filter(({ service }: { service: string }) => service === 'told')
    const { body: described } = await gateway().request('GET', '/api/run/told/get-status', {})
    for (const { price } of [...ofTold, described]) expect(price.text).toBe(told)
    const quote = async () =>
      (await account.call('told/get-status?quote=true', {})).body.data.price.text
    expect(await quote()).toBe('free')
    await account.call('told/get-status', {})
    expect(await quote()).toBe(told)
    for (const at of ['/docs/actions/told/get-status.md', '/llms.txt', '/openapi.json'])
      expect(await (await fetch(gateway().url + at)).text()).toContain(`${told}.`)
  })

  test('an answer with wrong content takes none of the free calls of the day', async () => {
    await sell(gateway(), sale('refilled', [{ match: 'search*', price: 4, free_per_day: 1 }]))
    await operate('PUT', 'provider-keys/refilled', { key: weatherKey })
    const account = await gateway().account(100)
    weather().fault = 'wrong content'
    expect((await account.call('refilled/search-stations', { names: ['a'] })).status).toBe(500)
    weather().fault = 'none'
    const answered = await account.call('refilled/search-stations', { names: ['a'] })
    expect(answered.body).toMatchObject({ ok: true, charged_cents: 0 })
  })

  test.each([
    [[{ match: '*', price: 1, per: { answer: 'rows', at_most: 3 } }], 'JSON Pointer'],
    [[{ match: '*', price: 'free', minimum: 2 }], 'minimum belongs to a price per unit'],
    [[{ match: '*', cost: -1, price: 1 }], 'cost'],
    [[{ match: '*', price: 9, per: { of: 'bytes', at_most: 1e9 } }], 'lower price or at_most'],
    [[], 'what a call costs'],
  ])('the rules %j are refused in a sentence', async (rules, sentence) => {
    const { status, body } = await previewSale(gateway(), sale('refused', rules as object[]))
    expect([status, body.error]).toEqual([400, 'bad_request'])
    expect(body.message).toContain(sentence)
  })

  test('a call whose price counts a field must send it in a form that can be counted', async () => {
    const per = { field: 'days', unit: 'day', at_most: 10 }
    await sell(gateway(), sale('by_field', [{ match: 'get-forecast', price: 2, per }]))
    await operate('PUT', 'provider-keys/by_field', { key: weatherKey })
    const account = await gateway().account(100)
    const asked = weather().asked.length
    const without = await account.call('by_field/get-forecast', { place: 'Bern' })
    expect([without.status, without.body.error]).toEqual([400, 'bad_request'])
    expect(without.body.message).toContain('Send days')
    expect(weather().asked).toHaveLength(asked)
    const paid = await account.call('by_field/get-forecast', { place: 'Bern', days: 4 })
    expect(paid.body).toMatchObject({ charged_cents: 8 })

    const missing = { field: 'pages', at_most: 10 }
    const refused = await previewSale(
      gateway(),
      sale('no_field', [{ match: 'get-forecast', price: 2, per: missing }]),
    )
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain('its price counts pages, which is not one of its fields')
  })

  test('an action that a new rule leaves out is told before it is gone', async () => {
    await sell(gateway(), sale('shorter', [{ match: '*', price: 3 }]))
    const left = { match: 'get-forecast', price: 'not sold' }
    const { body } = await previewSale(gateway(), sale('shorter', [left, { match: '*', price: 3 }]))
    const found = body.actions.filter(({ change }: { change: string }) => change !== 'same')
    expect(found).toMatchObject([
      { action: 'shorter/get-forecast', change: 'removed', price: '3¢', price_before: null },
    ])
    const listed = async () => {
      const { sold_apis: sold } = (await operate('GET', 'sold-apis')).body
      return sold.find(({ name }: { name: string }) => name === 'shorter')
    }
    const before = await listed()
    await sell(gateway(), sale('shorter', [left, { match: '*', price: 3 }]))
    const after = await listed()
    expect(after.left_out).toBe(before.left_out + 1)
    expect(after.actions).toBe(before.actions - 1)
  })

  test('a new price is shown with the price that the operator has set, which callers go on paying', async () => {
    const terms = (rule: object) => sale('priced_own', [{ match: 'get-status', ...rule }])
    await sell(gateway(), terms({ price: 2 }))
    await operate('PUT', 'price-overrides/priced_own/get-status', { price_usd: '0.05' })
    const own = 'A price that you have set yourself for priced_own/get-status is in force'
    const { body: dearer } = await previewSale(gateway(), terms({ price: 3 }))
    expect(dearer.actions[0]).toMatchObject({ price: '3¢', price_before: '2¢' })
    expect(dearer.warnings).toEqual([`${own}. Callers pay now: 5¢. After this: 5¢.`])
    const per = { of: 'bytes', unit: 'byte', at_most: 10 }
    const { body: counted } = await previewSale(gateway(), terms({ price: 1, per }))
    expect(counted.warnings).toEqual([
      `${own}, and does not fit the new price. Callers pay now: 5¢. After this: 1¢ per byte, at most 10¢.`,
    ])
    const { body: same } = await previewSale(gateway(), terms({ price: 2 }))
    expect(same.warnings).toEqual([])
    const account = await gateway().account(100)
    await sell(gateway(), terms({ price: 3 }))
    expect((await account.call('priced_own/get-status', {})).body.charged_cents).toBe(5)
    await sell(gateway(), terms({ price: 1, per }))
    expect((await account.call('priced_own/get-status', {})).body.charged_cents).toBe(10)
  })

  test('a second sale without rules keeps those of the first, and what they left out is not sold', async () => {
    const rules = [
      { match: '#admin', price: 'not sold' },
      { match: 'get-status', price: 'free' },
      { match: '*', price: 3 },
    ]
    await sell(gateway(), sale('twice', rules))
    const again = async (more: object) => {
      const request = { address: weather().descriptionUrl, private: true, name: 'twice', ...more }
      const { body } = await previewSale(gateway(), request)
      const changes = body.actions.map(({ change }: { change: string }) => change)
      return { changes: new Set(changes), rules: body.rules, warnings: body.warnings }
    }
    expect(await again({})).toEqual({ changes: new Set(['same']), rules, warnings: [] })
    const dearer = [...rules.slice(0, 2), { match: '*', price: 5 }]
    expect(await again({ price: 5 })).toEqual({
      changes: new Set(['price', 'same']),
      rules: dearer,
      warnings: ['The 2 price rules of the sale now stay. Other rules replace them.'],
    })
    expect(await again({ rules: [], price: 5 })).toEqual({
      changes: new Set(['price', 'new']),
      rules: [{ match: '*', price: 5 }],
      warnings: [],
    })
    expect(
      (await previewSale(gateway(), { ...sale('new_one', []), price: undefined })).body,
    ).toMatchObject({
      error: 'bad_request',
      message: expect.stringMatching(/^Say what a call costs/),
    })
  })

  test('a rule that matches nothing is told', async () => {
    const rules = [
      { match: 'DELETE /pets*', price: 1 },
      { match: '*', price: 1 },
    ]
    const { body } = await previewSale(gateway(), sale('idle', rules))
    expect(body.idle_rules).toEqual(['DELETE /pets*'])
  })
})

describe('an endpoint without a description', () => {
  test('has the price of the rule that is for all of it, not that of a rule for some paths', async () => {
    const raw = { address: `${weather().url}/raw/here`, name: 'raw_rules', kind: 'endpoint' }
    const some = { match: 'GET /status', price: 'free' }
    const rules = [some, { match: '*', price: 3, free_per_day: 2 }]
    const { body } = await previewSale(gateway(), { ...raw, private: true, rules })
    expect(body.actions[0]).toMatchObject({
      price: '2 calls a day are free with an account, then 3¢',
    })
    expect(body.idle_rules).toEqual(['GET /status'])
    const refused = await previewSale(gateway(), { ...raw, private: true, rules: [some] })
    expect(refused.body.message).toContain('No price rule is for all of it.')
  })

  test('shows when only the free calls of a day have changed', async () => {
    const terms = (free: number) =>
      sale('more_free', [{ match: 'get-status', price: 3, free_per_day: free }])
    await sell(gateway(), terms(2))
    const { body } = await previewSale(gateway(), terms(5))
    const [action] = body.actions
    expect([action.change, action.price, action.price_before]).toEqual([
      'price',
      '5 calls a day are free with an account, then 3¢',
      '2 calls a day are free with an account, then 3¢',
    ])
  })

  test('shows when only the cost, the time or the canary of a rule has changed', async () => {
    const terms = (more: object) =>
      sale('other_terms', [{ match: 'get-status', price: 3, ...more }])
    await sell(gateway(), terms({ cost: 1 }))
    const changeOf = async (more: object) =>
      (await previewSale(gateway(), terms(more))).body.actions[0].change
    for (const more of [{ cost: 2 }, { cost: 1, timeout_seconds: 5 }, { cost: 1, canary: true }])
      expect([more, await changeOf(more)]).toEqual([more, 'changed'])
    expect(await changeOf({ cost: 1 })).toBe('same')
  })

  const sellRaw = (name: string) =>
    sell(gateway(), {
      address: `${weather().url}/raw/here?fixed=1`,
      name,
      kind: 'endpoint',
      private: true,
      price: 2,
    })

  test('passes method, path, query and body on unchanged, and gives the bytes of the answer', async () => {
    await sellRaw('raw_one')
    const account = await gateway().account(100)
    const sent = Buffer.from([1, 2, 0, 250])
    const reply = await fetch(`${gateway().url}/sell/raw_one/a%20b/c?x=1&x=2`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': 'image/x-test',
        cookie: 'session=secret',
        'x-own': 'passed',
      },
      body: sent,
    })
    expect(reply.status).toBe(200)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(
      Buffer.concat([Buffer.from([0, 255, 7]), sent]),
    )
    expect(reply.headers.get('content-type')).toBe('application/octet-stream')
    expect(reply.headers.get('x-seen')).toBe('PATCH')
    expect(reply.headers.get('x-charged-usd')).toBe('0.020000')
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
    const [asked] = weather().asked
    expect(asked?.line).toBe('PATCH /raw/here/a%20b/c?fixed=1&x=1&x=2')
    expect(asked?.headers).toMatchObject({ 'content-type': 'image/x-test', 'x-own': 'passed' })
    for (const closed of ['authorization', 'cookie'])
      expect(asked?.headers).not.toHaveProperty(closed)
    expect(await account.state()).toMatchObject({ availableCents: 98 })
  })

  test('leaves out headers of the answer that clients would refuse, and refuses a body that it cannot pass on', async () => {
    await sellRaw('raw_four')
    const account = await gateway().account(100)
    const headers = { authorization: `Bearer ${account.key}` }
    const long = await fetch(`${gateway().url}/sell/raw_four/long-headers`, { headers })
    expect([long.status, long.headers.get('x-seen')]).toEqual([200, 'GET'])
    expect(long.headers.has('x-long')).toBe(false)
    const typed = await fetch(`${gateway().url}/sell/raw_four/long-type`, { headers })
    expect([typed.status, typed.headers.get('content-type')?.length]).toEqual([200, 24])
    // The API is in the operator's network, and callers are not told where.
    expect(long.headers.get('link')).toBe('</next>; rel=next')
    expect(long.headers.has('content-location')).toBe(false)
    const { statusCode, body } = await request(`${gateway().url}/sell/raw_four`, {
      method: 'GET',
      headers,
      body: '{"query":1}',
    })
    expect([statusCode, await body.json()]).toMatchObject([400, { error: 'bad_request' }])
    expect(weather().asked).toHaveLength(2)
    expect(await account.state()).toMatchObject({ availableCents: 96, heldCents: 0 })
  })

  test('is an action too, and a path that leads out of the sold address is refused for free', async () => {
    await sellRaw('raw_two')
    const account = await gateway().account(100)
    const { body } = await account.call('raw_two/call', { json: { a: 1 } })
    expect(body).toMatchObject({ data: { status: 200 }, charged_cents: 2 })
    const climbs = ['/../private', '/..', '/%2e%2e/private', '/a/../../../private']
    const disguised = [
      '/..;/private',
      '/..;x=1/private',
      '/%252e%252e/private',
      '/.%25252e/private',
    ]
    const split = ['/a%252fb', '/..%00/private', '/%2e%2e%3b/private']
    for (const path of [...climbs, ...disguised, ...split]) {
      const refused = await account.call('raw_two/call', { method: 'GET', path })
      expect([path, refused.status]).toEqual([path, 400])
    }
    expect(weather().strayed).toEqual([])
    expect(weather().asked).toHaveLength(1)
  })

  test('a failure of it is told as the gateway’s, and costs nothing; HEAD asks it nothing', async () => {
    await sellRaw('raw_three')
    const account = await gateway().account(100)
    const headers = { authorization: `Bearer ${account.key}` }
    weather().fault = 'status 500'
    const failed = await fetch(`${gateway().url}/sell/raw_three`, { headers })
    expect([failed.status, await failed.json()]).toMatchObject([500, { error: 'upstream_error' }])
    weather().fault = 'none'
    const head = await fetch(`${gateway().url}/sell/raw_three`, { method: 'HEAD', headers })
    // The length that a GET would have is not known, and must not be said to be 0.
    expect([head.status, head.headers.has('content-length')]).toEqual([200, false])
    expect(weather().asked).toHaveLength(1)
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    const unknown = await fetch(`${gateway().url}/sell/nothing`, { headers })
    expect(unknown.status).toBe(404)
  })
})

test('an answer that counts absurdly fails its call, free, and says why to caller and operator', async () => {
  const per = { answer: '/units', unit: 'unit', at_most: 5 }
  await sell(gateway(), sale('absurd', [{ match: 'get-status', price: 1, per }]))
  const account = await gateway().account(100)
  weather().fault = 'counts absurdly'
  const reply = await account.call('absurd/get-status', {})
  const message =
    'The price of this call counts /units of the provider’s answer, which says 1e+308. At most 1000000000 can be counted. Nothing was charged.'
  expect([reply.status, reply.body.error, reply.body.message]).toEqual([
    500,
    'upstream_error',
    message,
  ])
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  const { body } = await gateway().request('GET', '/api/v1/admin/transactions?action=absurd/*', {
    key: adminToken,
  })
  expect(JSON.stringify(body.transactions[0])).toContain('At most 1000000000 can be counted.')
})

describe('what is sold by mistake', () => {
  test.each(['/openapi.yaml', '/missing'])('a mistyped address is not sold: %s', async (at) => {
    const address = `${weather().url}${at}`
    const { status, body } = await previewSale(gateway(), { address, private: true, price: 1 })
    expect([status, body.error]).toEqual([400, 'bad_request'])
    expect(body.message).toContain('add `"kind": "endpoint"`')
  })

  test('a description that no address has is sold, is listed, and can be removed', async () => {
    const description = await (await fetch(weather().descriptionUrl)).text()
    await sell(gateway(), { description, name: 'from_text', private: true, price: 1 })
    const listed = async () =>
      (await operate('GET', 'sold-apis')).body.sold_apis.map(({ name }: { name: string }) => name)
    expect(await listed()).toContain('from_text')
    const account = await gateway().account(100)
    const { body } = await account.call('from_text/get-status', {})
    expect(body).toMatchObject({ data: { ok: true }, charged_cents: 1 })
    expect(await operate('DELETE', 'sold-apis/from_text?forget=true')).toMatchObject({
      status: 200,
    })
    expect(await listed()).not.toContain('from_text')
  })

  test('a server in a private network that a description names is left out, and --server opens it', async () => {
    weather().edit((description) => {
      description.paths['/status'].get.servers = [{ url: 'http://127.0.0.1:9' }]
    })
    const asked = sale('elsewhere', [{ match: '*', price: 1 }])
    const { body } = await previewSale(gateway(), asked)
    expect(body.left_out).toEqual([
      {
        where: 'GET /status',
        why: expect.stringContaining('127.0.0.1:9 is in a private network. Name it by `"server"`'),
      },
    ])
  })

  test('a private address is not told to callers', async () => {
    const address = `${weather().url.replace('127.0.0.1', 'localhost')}/raw`
    const refused = await previewSale(gateway(), { address, kind: 'endpoint', price: 1 })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain('`"private": true`')
  })

  test('operations without a key are sold although others lack theirs, and a stopped API says so', async () => {
    await sell(gateway(), sale('mixed', [{ match: '*', price: 1 }]))
    const account = await gateway().account(100)
    expect((await account.call('mixed/get-status', {})).body).toMatchObject({ charged_cents: 1 })
    const keyed = await account.call('mixed/get-forecast', { place: 'Bern' })
    expect([keyed.status, keyed.body.error]).toEqual([503, 'provider_not_configured'])
    await operate('DELETE', 'sold-apis/mixed')
    const stopped = await account.call('mixed/get-status', {})
    expect([stopped.status, stopped.body.error]).toEqual([503, 'provider_not_configured'])
    expect(stopped.body.message).toContain('The operator stopped selling mixed')
    const listed = await operate('GET', 'sold-apis')
    const shown = listed.body.sold_apis.find(({ name }: { name: string }) => name === 'mixed')
    expect(shown).toMatchObject({ mode: 'unavailable', actions: 0 })
    expect(shown.reason).toContain('The operator stopped selling mixed')
    const found = await account.call('tollway/discover', { query: 'alpine weather forecast' })
    expect(JSON.stringify(found.body)).not.toContain('"mixed"')
  })

  test('a refused key sells nothing, and a good one is sealed with the sale', async () => {
    const asked = sale('with_key', [{ match: '*', price: 1 }])
    const wrong = sell(gateway(), { ...asked, key: 'a-wrong-key' })
    await expect(wrong).rejects.toThrow('refused this key, so nothing was sold')
    const listed = await operate('GET', 'sold-apis')
    expect(JSON.stringify(listed.body)).not.toContain('with_key')
    await sell(gateway(), { ...asked, key: weatherKey })
    const account = await gateway().account(100)
    const called = await account.call('with_key/get-forecast', { place: 'Bern' })
    expect(called.body).toMatchObject({ ok: true, charged_cents: 1 })
    const audited = await operate('GET', 'audit')
    const kept = await operate('GET', 'sold-apis/with_key')
    for (const shown of [audited.body, kept.body])
      expect(JSON.stringify(shown)).not.toContain(weatherKey)
  })
})

describe('keys and budgets of providers', () => {
  test('a pasted key is tested, sealed, never shown, and used without a restart', async () => {
    await sell(gateway(), sale('keyed', [{ match: '*', price: 3 }]))
    const account = await gateway().account(100)
    const without = await account.call('keyed/get-forecast', { place: 'Bern' })
    expect([without.status, without.body.error]).toEqual([503, 'provider_not_configured'])
    const wrong = await operate('PUT', 'provider-keys/keyed', { key: 'a-wrong-key' })
    expect([wrong.status, wrong.body.error]).toEqual([400, 'bad_request'])
    const pasted = await operate('PUT', 'provider-keys/keyed', { key: weatherKey })
    expect(pasted.body).toMatchObject({ tested: 'accepted', is_used: true })
    const called = await account.call('keyed/get-forecast', { place: 'Bern' })
    expect(called.body).toMatchObject({ ok: true, charged_cents: 3 })

    const listed = await operate('GET', 'provider-keys')
    const audited = await operate('GET', 'audit')
    const stored = await gateway().database.query('select sealed from provider_key')
    for (const shown of [listed.body, audited.body, stored])
      expect(JSON.stringify(shown)).not.toContain(weatherKey)
    expect(
      listed.body.provider_keys.find(({ provider }: { provider: string }) => provider === 'keyed'),
    ).toMatchObject({ source: 'pasted', setting: 'KEYED_API_KEY', is_readable: true })
    await operate('DELETE', 'provider-keys/keyed')
    expect((await account.call('keyed/get-forecast', { place: 'Bern' })).status).toBe(503)
  })

  test('a key that is too short to be redacted is refused', async () => {
    await sell(gateway(), sale('briefly', [{ match: '*', price: 1 }]))
    const sentence =
      'It is too short: a key, or one of its parts between colons, must have at least 6'
    for (const key of ['12345', 'ab:cd:ef', '12345 ']) {
      const stored = await operate('PUT', 'provider-keys/briefly', { key, test: false })
      expect([stored.status, stored.body.message]).toEqual([400, expect.stringContaining(sentence)])
      const sold = await previewSale(gateway(), { ...sale('briefly', []), key })
      expect([sold.status, sold.body.message]).toEqual([400, expect.stringContaining(sentence)])
    }
    const fits = { key: 'me:123456', test: false }
    expect((await operate('PUT', 'provider-keys/briefly', fits)).status).toBe(200)
  })

  test('a budget stops the actions of a provider for the day, with a clear error', async () => {
    await sell(gateway(), sale('limited', [{ match: '*', price: 1, cost: 0.5 }]))
    await operate('PUT', 'provider-keys/limited', { key: weatherKey })
    await operate('PUT', 'provider-budgets/limited', { cost_cents_per_day: 1 })
    const account = await gateway().account(100)
    const call = () => account.call('limited/get-forecast', { place: 'Bern' })
    expect([(await call()).status, (await call()).status]).toEqual([200, 200])
    // Setting it again counts what was used.
    await operate('PUT', 'provider-budgets/limited', { cost_cents_per_day: 1 })
    const stopped = await call()
    expect([stopped.status, stopped.body.error]).toEqual([503, 'provider_not_configured'])
    expect(stopped.body.message).toContain('budget of $0.010000 a day for limited is used up')
    await operate('DELETE', 'provider-budgets/limited')
    expect((await call()).status).toBe(200)
  })
})
