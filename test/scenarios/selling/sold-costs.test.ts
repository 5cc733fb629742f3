// What calls of a sold API cost its vendor: those within the free calls of a day, and those at a price by units.
import { describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { adminToken, shareGateway, startGateway, verify } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'

const weather = shareWeatherApi()
const gateway = shareGateway()
const operate = (method: string, at: string, body?: unknown) =>
  gateway().request(method, `/api/v1/admin/${at}`, { key: adminToken, body })

async function sellAt(name: string, rules: object[]) {
  await sell(gateway(), { address: weather().descriptionUrl, name, private: true, rules })
  await operate('PUT', `provider-keys/${name}`, { key: weatherKey })
}

const dayMs = 86_400_000
const yesterday = () => new Date(Date.now() - dayMs).toISOString()

async function marginsOf(action: string) {
  const { body } = await operate('GET', `margins?action=${action}`)
  return body.total
}

test('a declared cost holds from the time of the gateway’s clock', async () => {
  const now = Date.parse('2031-05-01T12:00:00Z')
  const other = await startGateway({ clock: { ...systemClock, now: () => now } })
  const { body } = await other.request('PUT', '/api/v1/admin/costs/test/echo', {
    key: adminToken,
    body: { per_call_usd: '0.01' },
  })
  const at = new Date(now).toISOString()
  expect(body).toMatchObject({ starts_at: at, is_in_force: true, set_at: at })
})

describe('a free call of the day', () => {
  test('is counted although its answer is known: after the free ones, a call from the cache costs its price', async () => {
    await sellAt('cached', [{ match: 'get-status', price: 4, free_per_day: 2, cache_seconds: 600 }])
    const account = await gateway().account(100)
    const charges = []
    for (let turn = 0; turn < 4; turn++) {
      const { body } = await account.call('cached/get-status', {})
      charges.push([body.charged_cents, body.data.cached ?? false])
    }
    expect(charges).toEqual([
      [0, false],
      [0, true],
      [4, true],
      [4, true],
    ])
    expect(await verify(gateway())).toMatchObject({ ok: true })
  })

  test('is a transaction of charge 0, and what it cost counts', async () => {
    const per = { answer: '/stations', unit: 'station', at_most: 5 }
    await sellAt('gratis', [{ match: 'search*', price: 4, per, free_per_day: 2 }])
    const action = 'gratis/search-stations'
    const cost = { per_call_usd: '0.01', per_unit_usd: '0.002', starts_at: yesterday() }
    expect(await operate('PUT', `costs/${action}`, cost)).toMatchObject({ status: 200 })
    const account = await gateway().account(100)
    const call = (names: string[], headers = {}) => account.call(action, { names }, headers)

    const quoted = await gateway().request('POST', `/api/run/${action}?quote=true`, {
      key: account.key,
      body: { names: ['a'] },
    })
    expect(quoted.body.data).toMatchObject({
      price: { usd: '0.000000', text: 'free' },
      allowed: true,
    })
    const first = await call(['a', 'b'])
    const again = { 'idempotency-key': 'the-second' }
    const second = await call(['a'], again)
    const paid = await call(['a'])
    expect([first, second, paid].map(({ body }) => body.charged_cents)).toEqual([0, 0, 4])
    expect((await call(['a'], again)).body.transaction_id).toBe(second.body.transaction_id)

    const { body } = await gateway().request('GET', '/api/v1/transactions?type=call&free=false', {
      key: account.key,
    })
    expect(
      body.transactions.map((each: Record<string, unknown>) => [
        each.transaction_id,
        each.charged_usd,
        each.within_free_calls,
      ]),
    ).toEqual([
      [paid.body.transaction_id, '0.040000', undefined],
      [second.body.transaction_id, '0.000000', true],
      [first.body.transaction_id, '0.000000', true],
    ])
    const isListed = async (filter: string) => {
      const reply = await gateway().request('GET', `/api/v1/transactions?type=call&${filter}`, {
        key: account.key,
      })
      const ids = reply.body.transactions.map(
        (each: Record<string, unknown>) => each.transaction_id,
      )
      return [first, second, paid].map((one) => ids.includes(one.body.transaction_id))
    }
    expect(await isListed('free=true')).toEqual([false, false, false])
    expect(await isListed('within_free_calls=true')).toEqual([true, true, false])
    expect(await isListed('within_free_calls=false')).toEqual([false, false, true])
    expect(await marginsOf(action)).toMatchObject({
      calls: 3,
      charged_usd: '0.040000',
      known_cost_usd: '0.038000',
      margin_usd: '0.002000',
      calls_with_declared_cost: 3,
    })
    expect(await verify(gateway())).toMatchObject({ ok: true })
  })

  test('shares an invoice, and its row stays as long as that of a paid call', async () => {
    await sellAt('billed', [
      { match: 'search*', price: 4, free_per_day: 3 },
      { match: 'get-status', price: 'free' },
    ])
    const account = await gateway().account(0)
    let sent = 0
    const call = async (at: string, body: object) =>
      (await account.call(`billed/${at}`, body, { 'idempotency-key': `call-${++sent}` })).status
    expect(await call('get-status', {})).toBe(200)
    expect(await call('search-stations', { names: ['a'] })).toBe(200)
    expect(await call('search-stations', { names: ['b'] })).toBe(200)
    weather().fault = 'status 500'
    expect(await call('search-stations', { names: ['c'] })).toBe(500)
    weather().fault = 'none'

    await gateway().database.query(`select remove_free_calls(now() + interval '1 day', 500)`)
    await gateway().database.query('select trim_free_calls($1, 0)', [account.id])
    const rows = await gateway().database.query<{ action: string; state: string }>(
      `select action, state from call where account_id = $1 and action <> 'topups' order by id`,
      [account.id],
    )
    expect(rows.map(({ action, state }) => `${action} ${state}`)).toEqual([
      'billed/search-stations settled',
      'billed/search-stations settled',
      'billed/search-stations voided',
    ])
    const invoice = {
      provider: 'billed',
      from: yesterday(),
      until: new Date().toISOString(),
      amount_usd: '0.03',
    }
    expect((await operate('POST', 'invoices', invoice)).body).toMatchObject({ calls: 2 })
    expect(await marginsOf('billed/search-stations')).toMatchObject({
      known_cost_usd: '0.030000',
      margin_usd: '-0.030000',
    })
  })

  test('is not taken by a call that costs nothing anyway', async () => {
    const per = { field: 'names', unit: 'name', at_most: 5 }
    await sellAt('unfilled', [{ match: 'search*', price: 4, per, free_per_day: 1 }])
    const account = await gateway().account(100)
    const charged = async (names: string[]) =>
      (await account.call('unfilled/search-stations', { names })).body.charged_cents
    expect([await charged([]), await charged(['a']), await charged(['a'])]).toEqual([0, 0, 4])
    expect(await charged([])).toBe(0)
  })
})

test('a call that failed before its vendor was asked costs nothing, and the cost of any other is unknown', async () => {
  const address = weather().descriptionUrl
  const rules = [{ match: 'get-status', price: 4 }]
  await sellAt('asked', rules)
  await sell(gateway(), {
    address,
    name: 'unasked',
    private: true,
    rules,
    server: 'http://127.0.0.1:1',
  })
  await operate('PUT', 'provider-keys/unasked', { key: weatherKey })
  const account = await gateway().account(100)
  const failed = { body: { error: 'upstream_error' } }
  expect(await account.call('unasked/get-status', {})).toMatchObject(failed)
  weather().fault = 'status 500'
  expect(await account.call('asked/get-status', {})).toMatchObject(failed)
  weather().fault = 'none'
  expect(await marginsOf('unasked/get-status')).toMatchObject({
    failed_calls: 1,
    known_cost_usd: '0.000000',
    calls_with_reported_cost: 1,
  })
  expect(await marginsOf('asked/get-status')).toMatchObject({
    failed_calls: 1,
    calls_with_unknown_cost: 1,
  })
})

test('what is given away is not sold below its cost, and what was sold so is no longer once it is free', async () => {
  const action = 'given/get-status'
  const below = async () => {
    const { body } = await operate('GET', 'sales-below-cost')
    return body.actions.filter((each: { action: string }) => each.action === action)
  }
  await sellAt('given', [{ match: 'get-status', price: 'free' }])
  await operate('PUT', `costs/${action}`, { per_call_usd: '0.05', starts_at: yesterday() })
  const account = await gateway().account(100)
  const call = async (key: string) =>
    expect((await account.call(action, {}, { 'idempotency-key': key })).status).toBe(200)
  await call('first')
  expect(await marginsOf(action)).toMatchObject({
    known_cost_usd: '0.050000',
    margin_usd: '-0.050000',
    is_below_cost: false,
  })
  expect(await below()).toEqual([])

  await sellAt('given', [{ match: 'get-status', price: 4 }])
  await call('second')
  expect(await below()).toMatchObject([{ loss_usd: '0.010000', is_replaceable: true }])
  await sellAt('given', [{ match: 'get-status', price: 'free' }])
  expect(await below()).toMatchObject([
    {
      price: 'free',
      what_to_do: 'It is free by now. Nothing is to be done.',
      is_replaceable: false,
    },
  ])
})

test('an answer from the cache costs nothing, and shares no invoice', async () => {
  await sellAt('kept', [{ match: 'get-status', price: 4, cache_seconds: 600 }])
  const account = await gateway().account(100)
  for (let turn = 0; turn < 3; turn++) await account.call('kept/get-status', {})
  expect(await marginsOf('kept/get-status')).toMatchObject({
    known_cost_usd: '0.000000',
    calls_with_reported_cost: 2,
    calls_with_unknown_cost: 1,
  })
  const time = { from: yesterday(), until: new Date().toISOString() }
  const invoice = { provider: 'kept', ...time, amount_usd: '0.03' }
  expect((await operate('POST', 'invoices', invoice)).body).toMatchObject({ calls: 1 })
  expect(await marginsOf('kept/get-status')).toMatchObject({
    known_cost_usd: '0.030000',
    calls_with_invoiced_cost: 1,
    calls_with_reported_cost: 2,
  })
})

describe('the units of a sold call are those that its price counts', () => {
  const counts = { unit: 'station', at_most: 10 }
  test.each([
    ['rows of the answer', { price: 2, per: { answer: '/stations', ...counts } }, 3],
    ['tens of them', { price: 2, per: { answer: '/stations', each: 2, ...counts } }, 2],
    ['a field', { price: 2, per: { field: 'names', ...counts } }, 3],
    ['a field with a minimum', { price: 2, per: { field: 'names', ...counts }, minimum: 3 }, 3],
    [
      'a field, if there are any',
      { price: 2, per: { field: 'names', ...counts }, when: { answer: '/stations' } },
      3,
    ],
    [
      'both',
      { price: 2, per: { field: 'names', ...counts }, minimum: 3, when: { status: [200] } },
      3,
    ],
    ['begun megabytes', { price: 1, per: { of: 'bytes', each: 1e6, at_most: 1e7 } }, 1],
  ])('%s', async (title, rule, units) => {
    const name = title.replaceAll(/\W+/g, '_')
    await sellAt(name, [{ match: 'search*', ...rule }])
    const action = `${name}/search-stations`
    const cost = { per_unit_usd: '0.005', starts_at: yesterday() }
    expect(await operate('PUT', `costs/${action}`, cost)).toMatchObject({ status: 200 })
    const account = await gateway().account(100)
    expect((await account.call(action, { names: ['a', 'b', 'c'] })).status).toBe(200)
    expect(await marginsOf(action)).toMatchObject({
      known_cost_usd: (units * 0.005).toFixed(6),
      calls_with_declared_cost: 1,
    })
  })

  test('and an invoice by units is shared by them, at a price under a factor too', async () => {
    const per = { answer: '/stations', ...counts }
    await sellAt('shared_rows', [{ match: 'search*', price: 2, per }])
    const action = 'shared_rows/search-stations'
    const account = await gateway().account(100)
    await account.call(action, { names: ['a'] })
    const factor = { factor: '0.5' }
    expect(await operate('PUT', `price-overrides/${action}`, factor)).toMatchObject({ status: 200 })
    await account.call(action, { names: ['a', 'b', 'c'] })
    await operate('POST', 'invoices', {
      provider: 'shared_rows',
      from: yesterday(),
      until: new Date().toISOString(),
      amount_usd: '0.04',
    })
    const { body } = await operate('GET', `transactions?action=${action}`)
    expect(body.transactions.map(({ cost_usd }: { cost_usd: string }) => cost_usd)).toEqual([
      '0.030000',
      '0.010000',
    ])
  })
})

describe('after its price was raised, the preview of a price says what its calls would have brought at the new one', () => {
  const counts = { unit: 'station', at_most: 10 }
  test.each([
    ['a unit of a field', { field: 'names' }, {}, { charged_usd: '0.350000' }, '0.008000'],
    ['a unit of the answer', { answer: '/stations' }, {}, { charged_usd: '0.350000' }, '0.228572'],
    [
      'a unit of the answer with a minimum',
      { answer: '/stations' },
      { minimum: 20 },
      { charged_usd: '0.400000' },
      '0.2',
    ],
  ])('%s', async (title, counted, more, expected, worst) => {
    const name = title.replaceAll(/\W+/g, '_')
    const ruleAt = (price: number) => [
      { match: 'search*', price, per: { ...counted, ...counts }, cost: 4, ...more },
    ]
    await sellAt(name, ruleAt(3))
    const action = `${name}/search-stations`
    const account = await gateway().account(100)
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const turn of [1, 2])
      expect((await account.call(action, { names })).body.data.stations, `${turn}`).toHaveLength(5)
    await sellAt(name, ruleAt(3.5))
    const { body } = await operate('GET', `price-overrides/${action}`)
    expect(body.at_this_price).toMatchObject(expected)
    expect(body.worst_cost_usd ?? body.worst_cost_factor).toBe(worst)
  })
})

describe('the cost of a price rule', () => {
  const time = () => ({ from: yesterday(), until: new Date().toISOString() })
  const costsOf = async (action: string) => {
    const { body } = await operate('GET', `transactions?action=${action}`)
    return body.transactions.map(({ cost_usd, cost_source }: Record<string, unknown>) => [
      cost_usd,
      cost_source,
    ])
  }

  test('is declared, and an invoice replaces it', async () => {
    await sellAt('ruled', [{ match: 'get-status', price: 4, cost: 3 }])
    const action = 'ruled/get-status'
    const account = await gateway().account(100)
    for (let turn = 0; turn < 2; turn++) await account.call(action, {})
    expect(await costsOf(action)).toEqual([
      ['0.030000', 'declared'],
      ['0.030000', 'declared'],
    ])
    const { body: costs } = await operate('GET', 'costs')
    expect(costs.declared_by_price_rules).toContainEqual({
      action,
      per_call_usd: '0.030000',
      is_in_force: true,
    })
    const invoice = { provider: 'ruled', ...time(), amount_usd: '0.02' }
    expect((await operate('POST', 'invoices', invoice)).body).toMatchObject({ calls: 2 })
    expect(await costsOf(action)).toEqual([
      ['0.010000', 'invoice'],
      ['0.010000', 'invoice'],
    ])
    expect(await marginsOf(action)).toMatchObject({
      known_cost_usd: '0.020000',
      calls_with_reported_cost: 0,
      calls_with_invoiced_cost: 2,
    })
    expect(await verify(gateway())).toMatchObject({ ok: true })
  })

  test('is replaced by what is declared for the time of the call', async () => {
    await sellAt('corrected', [{ match: 'get-status', price: 4, cost: 3 }])
    const action = 'corrected/get-status'
    const account = await gateway().account(100)
    await account.call(action, {})
    await operate('PUT', `costs/${action}`, { per_call_usd: '0.01', starts_at: yesterday() })
    expect(await costsOf(action)).toEqual([['0.010000', 'declared']])
    const { body: costs } = await operate('GET', 'costs')
    expect(costs.declared_by_price_rules).toContainEqual({
      action,
      per_call_usd: '0.030000',
      is_in_force: false,
    })
  })

  test('is the cost of a step, until an invoice says another one', async () => {
    await sellAt('stepping', [{ match: 'get-status', price: 4, cost: 3 }])
    const account = await gateway().account(100)
    const step = (id: string) => ({ id, action: 'stepping/get-status', params: {} })
    const accepted = await account.call('tollway/run-plan', {
      steps: [step('one'), step('two')],
      max_cost_cents: 50,
    })
    const { job_id } = accepted.body.data
    await account.call('tollway/result', { job_id, wait_seconds: 50 })
    expect(await costsOf('tollway/run-plan')).toEqual([['0.060000', 'declared']])
    const invoice = { provider: 'stepping', ...time(), amount_usd: '0.02' }
    expect((await operate('POST', 'invoices', invoice)).body).toMatchObject({ calls: 1 })
    expect(await costsOf('tollway/run-plan')).toEqual([['0.020000', 'invoice']])
  })
})

test('free calls of the day are not sold below their cost', async () => {
  await sellAt('daily', [{ match: 'get-status', price: 4, free_per_day: 2, cost: 2 }])
  const account = await gateway().account(100)
  for (let turn = 0; turn < 3; turn++) await account.call('daily/get-status', {})
  const { body } = await operate('GET', 'sales-below-cost')
  expect(body.actions.map(({ action }: { action: string }) => action)).not.toContain(
    'daily/get-status',
  )
  expect(await marginsOf('daily/get-status')).toMatchObject({
    known_cost_usd: '0.060000',
    is_below_cost: false,
  })
})
