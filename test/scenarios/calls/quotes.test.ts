import { describe, expect, test } from 'vitest'
import { defineAction, type Estimate, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { defineProvider } from '#core/provider.ts'
import { adminToken, shareGatewayOfWorker, startGateway } from '#test/harness.ts'
import { hello, shareLlmGateway } from '#test/llm-gateway.ts'

const none = z.strictObject({})
const shared = shareGatewayOfWorker()

describe('?quote=true runs nothing and costs nothing', () => {
  const quotes = [
    { action: 'test/echo', body: {}, price: { kind: 'exact', cents: 2, usd: '0.020000' } },
    { action: 'test/free', body: {}, price: { kind: 'exact', cents: 0, usd: '0.000000' } },
    {
      action: 'test/rows',
      body: { rows: 7, delivered: 0 },
      price: { kind: 'cap', cents: 4, usd: '0.035000' },
    },
    {
      action: 'test/capped',
      body: { costs: 1 },
      price: { kind: 'cap', cents: 25, usd: '0.250000' },
    },
    {
      action: 'test/purchase',
      body: { costs: 1, max_cost_cents: 33 },
      price: { kind: 'cap', cents: 33, usd: '0.330000' },
    },
  ]
  test.each(quotes)('$action: $price.kind $price.usd', async ({ action, body, price }) => {
    const gateway = shared()
    const account = await gateway.account(50)
    const reply = await account.call(`${action}?quote=true`, body)
    expect(reply.body).toMatchObject({
      ok: true,
      data: { price, allowed: true },
      charged_cents: 0,
      balance_remaining_cents: 50,
    })
    expect(gateway.provider.asked).toEqual([])
    expect(await account.state()).toEqual({ availableCents: 50, heldCents: 0, transactions: 0 })
  })

  const delivered = [
    { action: 'test/miss', body: { found: false }, charged: 0 },
    { action: 'test/miss', body: { found: true }, charged: 10 },
    { action: 'test/rows', body: { rows: 10, delivered: 1 }, charged: 0.5 },
    { action: 'test/capped', body: { costs: 7 }, charged: 7 },
    { action: 'test/echo', body: {}, charged: 2 },
  ]
  test.each(delivered)(
    '$action: what is charged, $charged¢, lies between the least and the most that the quote told',
    async ({ action, body, charged }) => {
      const account = await shared().account(50)
      const { price } = (await account.call(`${action}?quote=true`, body)).body.data
      const usd = Number((await account.call(action, body)).body.charged_usd)
      expect(usd).toBe(charged / 100)
      expect(usd).toBeGreaterThanOrEqual(Number(price.min_usd))
      expect(usd).toBeLessThanOrEqual(Number(price.max_usd))
      if (price.kind === 'exact') expect(usd).toBe(Number(price.usd))
    },
  )

  test('says why a call would be refused', async () => {
    const gateway = shared()
    const account = await gateway.account(1)
    const { body } = await account.call('test/echo?quote=true', {})
    expect(body.data).toMatchObject({ allowed: false, refusal: { error: 'insufficient_balance' } })
  })

  test('refuses a job in the same way as the job itself: too many open jobs, or too small a balance', async () => {
    const gateway = await startGateway({ env: { CALLS_IN_FLIGHT_MAX: '1' } })
    const account = await gateway.account(100)
    const quote = async (of = account) => (await of.call('test/job?quote=true', {})).body.data
    const running = account.call('test/slow', {})
    await gateway.provider.waiting(1)
    // A job does not count as a call in flight.
    expect(await quote()).toMatchObject({ allowed: true })
    for (let turn = 0; turn < 3; turn += 1) await account.call('test/job', { ends: 'gate' })
    const poor = await gateway.account(1)
    for (const caller of [account, poor]) {
      const refused = (await caller.call('test/job', {})).body
      expect(await quote(caller)).toMatchObject({
        allowed: false,
        refusal: { error: refused.error, message: refused.message },
      })
    }
    gateway.provider.release()
    expect((await running).status).toBe(200)
  })

  test('refuses bad input like the call', async () => {
    const gateway = shared()
    const account = await gateway.account(1)
    expect((await account.call('test/echo?quote=true', { colour: 'red' })).status).toBe(400)
  })

  test('states the price to callers without an account', async () => {
    const gateway = shared()
    const reply = await gateway.call('test/echo?quote=true', {})
    expect(reply.body).toEqual({
      ok: true,
      data: {
        price: {
          kind: 'exact',
          cents: 2,
          usd: '0.020000',
          min_cents: 2,
          max_cents: 2,
          min_usd: '0.020000',
          max_usd: '0.020000',
          text: '2¢',
        },
      },
      charged_cents: 0,
      charged_usd: '0.000000',
    })
  })
})

describe('a dry run fails closed', () => {
  const misspelt = [
    'quote=1',
    'quote=yes',
    'quote=TRUE',
    'quote=True',
    'quote=',
    'quote',
    'quote=true&quote=true',
    'quote=true&quote=false',
    'quote[]=true',
    'Quote=true',
    'qoute=true',
    'dry_run=true',
    'quote=true&dry_run=true',
    'quote=true%01',
    'quote=%20true',
    '__proto__=true',
  ]
  test.each(misspelt)('?%s is refused, and nothing is run or charged', async (query) => {
    const gateway = shared()
    const account = await gateway.account(50)
    const before = gateway.provider.asked.length
    const { status, body } = await account.call(`test/echo?${query}`, {})
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'bad_request', message: expect.stringContaining('quote') })
    expect(gateway.provider.asked).toHaveLength(before)
    expect(await account.state()).toEqual({ availableCents: 50, heldCents: 0, transactions: 0 })
  })

  test('?quote=false runs the call', async () => {
    const account = await shared().account(50)
    expect((await account.call('test/echo?quote=false', {})).body).toMatchObject({
      charged_cents: 2,
    })
  })

  test('a purchase is quoted without a ceiling: its price range, and what is needed to run it', async () => {
    const account = await shared().account(5_000)
    const { status, body } = await account.call('test/purchase?quote=true', { costs: 3 })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      price: { kind: 'cap', cents: 1_000, min_cents: 0, max_cents: 1_000, max_usd: '10.000000' },
      max_cost_required: true,
      allowed: false,
      refusal: {
        error: 'max_cost_required',
        message: expect.stringContaining('It costs 0¢ to $10.'),
      },
    })
    const ran = await account.call('test/purchase', { costs: 3 })
    expect(ran).toMatchObject({ status: 402, body: { error: 'max_cost_required' } })
  })

  test('a quote says so where the seller could not be asked for its price', async () => {
    const sale = (name: string, estimate: () => Promise<Estimate>) =>
      defineAction(name, {
        summary: 'Buy a thing.',
        input: none,
        output: none,
        estimate,
        price: { upToCents: 50, settle: () => 10 },
        example: { input: {}, cents: 50 },
        run: () => ({}),
      })
    const actions = [
      sale('silent', async () => Promise.reject(fail('upstream_error'))),
      sale('answers', async () => ({ minCents: 7, maxCents: 9 })),
    ]
    const shop = defineProvider({ id: 'shop', title: 'Shop', actions })
    const account = await (await startGateway({ providers: [shop] })).account(100)
    const priceOf = async (name: string) =>
      (await account.call(`shop/${name}?quote=true`, {})).body.data.price
    expect(await priceOf('silent')).toMatchObject({
      min_cents: 0,
      max_cents: 50,
      text: expect.stringMatching(/^at most 50¢\. The seller could not be asked for its price now/),
    })
    expect(await priceOf('answers')).toMatchObject({
      min_cents: 7,
      max_cents: 9,
      text: 'at most 50¢',
    })
  })

  test('a ceiling above the highest price of a purchase holds and quotes only that price', async () => {
    const account = await shared().account(5_000)
    const body = { costs: 3, max_cost_cents: 4_000 }
    const quoted = await account.call('test/purchase?quote=true', body)
    expect(quoted.body.data).toMatchObject({ price: { cents: 1_000 }, allowed: true })
  })
})

describe('a request for a quote of something without quotes is refused', () => {
  const shared = shareLlmGateway()
  const requests = [
    ['POST', '/api/llm/v1/chat/completions', { model: 'lab/one', messages: hello }],
    ['POST', '/api/v1/keys', {}],
    ['POST', '/api/v1/agents', {}],
    ['POST', '/api/v1/topups', { account_id: crypto.randomUUID(), amount_cents: 20 }],
    ['POST', '/api/v1/admin/accounts', { balance_cents: 5 }],
  ] as const
  test.each(requests)('%s %s: 400', async (method, at, body) => {
    const gateway = shared()
    const account = await gateway.account(50)
    const counted = `select (select count(*) from account) as accounts, (select count(*) from api_key) as keys,
      (select count(*) from transfer) as transfers, (select count(*) from call) as calls`
    const before = await gateway.database.query(counted)
    const key = at.includes('admin') ? adminToken : account.key
    for (const query of [
      'quote=true',
      'quote=1',
      'Quote',
      'quote[]=true',
      'dry_run=true',
      'dryRun',
    ]) {
      const reply = await gateway.request(method, `${at}?${query}`, { key, body })
      expect(reply.status).toBe(400)
      expect(JSON.stringify(reply.body)).toContain('Nothing was run.')
    }
    expect(gateway.upstream.asked).toEqual([])
    expect(await gateway.database.query(counted)).toEqual(before)
  })

  test('the parameters that chat clients send do not ask for a quote', async () => {
    const gateway = shared()
    const account = await gateway.account(50)
    const reply = await gateway.request(
      'POST',
      '/api/llm/v1/chat/completions?api-version=2024-10-21&beta=true',
      { key: account.key, body: { model: 'lab/one', messages: hello } },
    )
    expect(reply.status).toBe(200)
  })
})
