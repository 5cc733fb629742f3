// Prices of the operator's own, at two gateways that share a database.
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineAction, defineJob, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { openDatabaseDoor } from '#test/database-door.ts'
import { adminToken, type Gateway, shareGateway, startGateway, verify } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'
import { until } from '#test/until.ts'
import { bank } from '../../plugins/cash/bank.ts'
import { type CashChallenge, decode, encode } from '../../plugins/cash/rail.ts'

const echoId = 'test/echo'

const operate = (gateway: Gateway, method: string, path: string, body?: object) =>
  gateway.request(method, `/api/v1/admin/${path}`, { key: adminToken, body })

const override = (gateway: Gateway, action: string, usd: string, more: object = {}) =>
  operate(gateway, 'PUT', `price-overrides/${action}`, { price_usd: usd, ...more })

const restore = (gateway: Gateway, action: string) =>
  operate(gateway, 'DELETE', `price-overrides/${action}`)

const found = z.looseObject({ found: z.boolean() })
const lookup = {
  summary: 'Look something up.',
  input: z.strictObject({ found: z.boolean().default(true), cost_usd: z.number().default(0.004) }),
  output: found,
} as const

const pages = {
  summary: 'Read pages.',
  output: z.looseObject({ read: z.int() }),
  input: z.strictObject({ pages: z.int().min(1).max(50), read: z.int(), cost_usd: z.number() }),
} as const
const pagePrice = {
  cents: 1,
  unit: 'page',
  atMost: 50,
  per: (input: z.output<typeof pages.input>) => input.pages,
  used: (output: z.output<typeof pages.output>) => output.read,
}
const pageExample = { input: { pages: 4, read: 4, cost_usd: 0 }, cents: 4 }

/** Sells lookups that are free on a miss, and pages. They cost the operator what the caller says. */
function openShop(id: string) {
  let isOpen = false
  const price = { cents: 2, used: (output: z.output<typeof found>) => (output.found ? 1 : 0) }
  const example = { input: {}, cents: 2 }
  const provider = defineProvider({
    id,
    title: 'A shop',
    actions: [
      defineAction('lookup', {
        ...lookup,
        price,
        example,
        costUsd: (_output, { cost_usd }) => cost_usd,
        run: ({ input }) => ({ found: input.found }),
      }),
      defineJob('errand', {
        ...lookup,
        price,
        example,
        // Each try finds the entry of its action anew.
        run: async ({ input, later }) => (isOpen ? { found: input.found } : later(1)),
      }),
      defineAction('pages', {
        ...pages,
        price: pagePrice,
        example: pageExample,
        costUsd: (_output, { cost_usd }) => cost_usd,
        run: ({ input: { read } }) => ({ read }),
      }),
      defineJob('archive', {
        ...pages,
        price: pagePrice,
        example: pageExample,
        run: async ({ input: { read }, later }) => (isOpen ? { read } : later(1)),
      }),
      defineAction('full-lookup', {
        ...lookup,
        example: { input: {}, cents: 2 },
        price: { cents: 2, variants: [{ when: { found: false }, cents: 6 }] },
        costUsd: (_output, { cost_usd }) => cost_usd,
        run: ({ input }) => ({ found: input.found }),
      }),
    ],
  })
  const open = () => {
    isOpen = true
  }
  const close = () => {
    isOpen = false
  }
  return { provider, open, close }
}

/** Two of a kind: what an action has cost is remembered for 30 days. */
const [shop, kiosk] = [openShop('shop'), openShop('kiosk')]
const cashFolder = path.join(import.meta.dirname, '../../plugins/cash')
const options = {
  env: { TOLLWAY_PLUGINS: cashFolder, CASH_TILL: bank.open(0) },
  providers: [shop.provider, kiosk.provider],
}
const shared = shareGateway(options)

async function restoreAll(gateway: Gateway) {
  const { body } = await operate(gateway, 'GET', 'price-overrides')
  for (const { action } of body.price_overrides) await restore(gateway, action)
}
beforeEach(() => shop.close())
afterEach(() => restoreAll(shared()))

describe('two gateways', () => {
  const second = shareGateway(() => ({ ...options, databaseUrl: shared().databaseUrl }))

  test('an override holds at every door of every gateway once it is answered, and a later start knows it', async () => {
    const [one, two] = [shared(), second()]
    const account = await one.account(1_000)

    async function readPrices(gateway: Gateway) {
      const [list, described, openapi, unpaid, quoted, llms, page, discovered] = await Promise.all([
        gateway.request('GET', '/api/run'),
        gateway.request('GET', `/api/run/${echoId}`),
        gateway.request('GET', '/openapi.json'),
        gateway.call(echoId, {}),
        gateway.request('POST', `/api/run/${echoId}?quote=true`, { key: account.key, body: {} }),
        gateway.request('GET', '/llms.txt'),
        gateway.request('GET', `/docs/actions/${echoId}.md`),
        gateway.call('tollway/discover', { query: 'answer what was sent' }),
      ])
      const plan = await gateway.request('POST', '/api/run/tollway/batch?quote=true', {
        key: account.key,
        body: { calls: [{ action: echoId, params: {} }] },
      })
      const ofEcho = ({ service, action }: { service: string; action: string }) =>
        `${service}/${action}` === echoId
      const challenge = unpaid.headers.get('cash-challenge') ?? ''
      const payment = openapi.body.paths[`/api/run/${echoId}`].post['x-payment-info']
      return {
        list: list.body.actions.find(ofEcho).price.amount,
        described: [described.body.price.text, described.body.example.cents],
        openapi: [
          payment.price.amount,
          payment.offers.map(({ amount }: { amount: string }) => amount),
        ],
        challenge: (decode(challenge) as CashChallenge).micros,
        quoted: quoted.body.data.price.usd,
        plan: plan.body.data.price.usd,
        llms: new RegExp(`\\[${echoId}\\].* (\\S+¢)\\.$`, 'm').exec(llms.body)?.[1],
        page: /Price: (\S+)\. Provider/.exec(page.body)?.[1],
        discovered: discovered.body.data.hits.flatMap((hit: { action: string; price: string }) =>
          hit.action === 'echo' ? [hit.price] : [],
        ),
      }
    }

    async function readMcp() {
      // A client keeps what it has read for as long as the answer says.
      const mcp = await connectMcp(two.url, { key: account.key })
      const quote = await mcp.callTool({
        name: 'quote',
        arguments: { action: echoId, params: {} },
      })
      const { contents } = await mcp.readResource({ uri: `tollway://actions/${echoId}` })
      const skill = await mcp.readResource({ uri: 'skill://tollway/references/test.md' })
      const [, text] =
        new RegExp(`## ${echoId}\\n[^]*?Price: (\\S+)\\.`).exec(textOf(skill.contents)) ?? []
      return [
        JSON.stringify(quote.structuredContent).includes('"usd":"0.025000"'),
        JSON.parse(textOf(contents)).price.text,
        text,
      ]
    }

    const expected = (micros: number, usd: string, text: string) => ({
      list: usd,
      described: [text, micros / 10_000],
      openapi: [usd, [`${micros}`]],
      challenge: micros,
      quoted: usd,
      plan: usd,
      llms: text,
      page: text,
      discovered: [text],
    })
    for (const gateway of [one, two])
      expect(await readPrices(gateway)).toEqual(expected(20_000, '0.020000', '2¢'))
    expect(await readMcp()).toEqual([false, '2¢', '2¢'])

    const set = await override(one, echoId, '0.025')
    expect(set).toMatchObject({ status: 200, body: { current_price_usd: '0.025000' } })
    const three = await startGateway({ ...options, databaseUrl: one.databaseUrl })
    for (const gateway of [two, one, three])
      expect(await readPrices(gateway)).toEqual(expected(25_000, '0.025000', '2.5¢'))
    expect(await readMcp()).toEqual([true, '2.5¢', '2.5¢'])
    const called = await two.call(echoId, {}, { key: account.key })
    expect(called.body.charged_usd).toBe('0.025000')

    expect((await restore(two, echoId)).body).toEqual({ action: echoId, removed: true })
    for (const gateway of [one, two, three])
      expect(await readPrices(gateway)).toEqual(expected(20_000, '0.020000', '2¢'))
    expect(await verify(two)).toMatchObject({ ok: true })
  })

  test('one gateway quotes what the other has just set, each time', async () => {
    const [one, two] = [shared(), second()]
    const account = await one.account(1_000)
    for (let turn = 1; turn <= 6; turn += 1) {
      const [sets, quotes] = turn % 2 === 0 ? [one, two] : [two, one]
      await override(sets, echoId, `0.0${turn}`)
      const { body } = await quotes.call(echoId, {}, { key: account.key })
      expect(body.charged_cents).toBe(turn)
    }
  })
})

test('a wallet that pays an earlier price is challenged anew, and nothing is taken', async () => {
  const gateway = shared()
  const payer = bank.open(100_000)
  const pay = async (body: object = {}) => {
    const challenged = await gateway.call(echoId, body)
    const { id, ...asked } = decode(challenged.headers.get('cash-challenge') ?? '')
    const note = bank.sign({ from: payer, ...asked, expiresAtMs: Date.now() + 60_000 })
    return { headers: { 'cash-payment': encode({ challengeId: id, note }) } }
  }
  const early = await pay()
  await override(gateway, echoId, '0.03')
  const refused = await gateway.call(echoId, {}, early)
  expect([refused.status, bank.balanceOf(payer)]).toEqual([402, 100_000])
  expect((await gateway.call(echoId, {}, await pay())).body.charged_cents).toBe(3)

  // What was paid before is answered again.
  const body = { max_cost_cents: 3 }
  const paid = await pay(body)
  const first = await gateway.call(echoId, body, paid)
  await override(gateway, echoId, '0.04')
  expect(await gateway.call(echoId, body, paid)).toMatchObject({ status: 200, body: first.body })
  const other = await gateway.call(echoId, { max_cost_cents: 2 }, paid)
  expect(other.body.error).toBe('max_cost_exceeded')
})

test('calls and jobs in flight keep the price that they were quoted', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const submit = async () => (await account.call('shop/errand', {})).body.data.job_id as string
  const chargeOf = async (job_id: string) => {
    const ended = await account.call('tollway/result', { job_id, wait_seconds: 20 })
    expect(ended.body.data.status).toBe('succeeded')
    return (await account.get(`/api/v1/transactions/${job_id}`)).body.charged_usd
  }
  const slow = account.call('test/slow', {})
  await gateway.provider.waiting(1)
  const before = await submit()
  await override(gateway, 'test/slow', '0.05')
  await override(gateway, 'shop/errand', '0.05')
  const between = await submit()
  await override(gateway, 'shop/errand', '0.001')
  gateway.provider.release()
  shop.open()
  expect((await slow).body.charged_usd).toBe('0.020000')
  expect([await chargeOf(before), await chargeOf(between)]).toEqual(['0.020000', '0.050000'])
})

test('a job by unit is charged at the price that it was quoted, for the units that it has delivered', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const submit = async () => {
    const body = { pages: 10, read: 7, cost_usd: 0 }
    return (await account.call('shop/archive', body)).body.data.job_id as string
  }
  const jobs = [await submit()]
  for (const usd of ['0.025', '0.003']) {
    await override(gateway, 'shop/archive', usd)
    jobs.push(await submit())
  }
  await restore(gateway, 'shop/archive')
  shop.open()
  const charges = await Promise.all(
    jobs.map(async (job_id) => {
      await account.call('tollway/result', { job_id, wait_seconds: 20 })
      return (await account.get(`/api/v1/transactions/${job_id}`)).body.charged_usd
    }),
  )
  expect(charges).toEqual(['0.070000', '0.175000', '0.021000'])
})

test('the steps of a plan cost what they cost when the plan began', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body } = await account.call('tollway/run-plan', {
    steps: [
      { id: 'slow', action: 'test/slow', params: {} },
      { id: 'echo', action: echoId, params: {}, after: ['slow'] },
    ],
    max_cost_cents: 4,
  })
  await gateway.provider.waiting(1)
  await override(gateway, echoId, '0.09')
  gateway.provider.release()
  const { job_id } = body.data
  const ended = await account.call('tollway/result', { job_id, wait_seconds: 20 })
  expect(ended.body.data.result).toMatchObject({ status: 'completed', spent_usd: '0.040000' })
})

test('a repeated call is answered although its price has risen above its ceiling', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const key = { 'idempotency-key': 'once' }
  const single = ['test/echo', { max_cost_cents: 2 }] as const
  const plan = [
    'tollway/batch',
    { calls: [{ action: echoId, max_cost_cents: 2 }], max_cost_cents: 2 },
  ] as const
  for (const [action, body] of [single, plan]) {
    const headers = { 'idempotency-key': action }
    const first = await account.call(action, body, headers)
    await override(gateway, echoId, '0.03')
    const again = await account.call(action, body, headers)
    expect(again).toMatchObject({ status: 200, body: { data: first.body.data } })
    expect((await account.call(action, body, key)).body.error).toBe('max_cost_exceeded')
    await restore(gateway, echoId)
  }
})

test('a plan whose waiting step rises above its own ceiling is charged what it has delivered', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body } = await account.call('tollway/run-plan', {
    steps: [
      { id: 'errand', action: 'shop/errand' },
      { id: 'echo', action: echoId, max_cost_cents: 2, after: ['errand'] },
    ],
    max_cost_cents: 10,
  })
  await override(gateway, echoId, '0.03')
  shop.open()
  const { job_id } = body.data
  const ended = await account.call('tollway/result', { job_id, wait_seconds: 20 })
  expect(ended.body.data).toMatchObject({
    charged_cents: 2,
    result: { status: 'stopped', steps: [{}, { error: 'max_cost_exceeded', charged_cents: 0 }] },
  })
  expect(await account.state()).toMatchObject({ availableCents: 98, heldCents: 0 })
})

test('what an action spends on others inside its own price is counted by the catalog', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await override(gateway, echoId, '0.09')
  const { body } = await account.call('test/relay', { to: echoId })
  const { body: transaction } = await account.get(`/api/v1/transactions/${body.transaction_id}`)
  expect([body.charged_cents, JSON.stringify(transaction.timeline)]).toEqual([
    5,
    expect.stringContaining('"charged_cents":2'),
  ])
})

test('the preview says what the last 30 days would have earned, and what the most expensive call cost', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const preview = async (usd: string) =>
    (await operate(gateway, 'GET', `price-overrides/shop/lookup?price_usd=${usd}`)).body
  expect(await preview('0.01')).toMatchObject({
    last_30_days: { calls: 0, charged_calls: 0 },
    worst_cost_usd: null,
    price_less_worst_cost_usd: null,
    is_below_worst_cost: false,
  })
  for (const body of [{}, { cost_usd: 0.007 }, { found: false, cost_usd: 0.009 }])
    expect((await account.call('shop/lookup', body)).status).toBe(200)
  const expected = {
    action: 'shop/lookup',
    kind: 'call',
    unit: null,
    price_usd: '0.006000',
    factor: null,
    price: '0.6¢, free on a miss',
    current_price: '2¢, free on a miss',
    catalog_price: '2¢, free on a miss',
    current_factor: null,
    worst_cost_factor: null,
    inner_spend_max_usd: null,
    is_below_inner_spend: false,
    current_price_usd: '0.020000',
    catalog_price_usd: '0.020000',
    last_30_days: {
      calls: 3,
      charged_calls: 2,
      calls_with_known_cost: 3,
      charged_usd: '0.040000',
      known_cost_usd: '0.020000',
      charged_less_known_cost_usd: '0.020000',
    },
    at_this_price: { charged_usd: '0.012000', charged_less_known_cost_usd: '-0.008000' },
    // The miss cost more, but it is free at any price.
    worst_cost_usd: '0.007000',
    price_less_worst_cost_usd: '-0.001000',
    is_below_worst_cost: true,
  }
  expect(await preview('0.006')).toEqual(expected)
  // Also once the calls are in the sums.
  await until(async () => {
    const [row] = await gateway.database.query<{ events: number }>(
      'select sum_usage(1000) as events',
    )
    return row?.events === 0
  })
  expect(await preview('0.006')).toEqual(expected)
})

test('a price below the worst cost needs a confirmation; what was refused leaves nothing behind', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await account.call('kiosk/lookup', { cost_usd: 0.007 })
  const audit = async () =>
    (await operate(gateway, 'GET', 'audit?subject=kiosk/lookup')).body.actions as object[]
  const refused = await override(gateway, 'kiosk/lookup', '0.006999')
  expect(refused).toMatchObject({
    status: 400,
    body: { error: 'bad_request', data: { worst_cost_usd: '0.007000' } },
  })
  expect(refused.body.message).toContain('confirm_below_cost')
  expect([await audit(), (await operate(gateway, 'GET', 'price-overrides')).body]).toEqual([
    [],
    { price_overrides: [] },
  ])
  expect((await override(gateway, 'kiosk/lookup', '0.007')).status).toBe(200)
  const more = { confirm_below_cost: true }
  expect((await override(gateway, 'kiosk/lookup', '0.006999', more)).status).toBe(200)
  expect(await audit()).toMatchObject([
    { action: 'price.override', details: { price_usd: '0.006999', ...more } },
    { action: 'price.override', details: { price_usd: '0.007' } },
  ])
  expect((await operate(gateway, 'GET', 'price-overrides')).body.price_overrides).toMatchObject([
    { action: 'kiosk/lookup', price_usd: '0.006999', catalog_price_usd: '0.020000', applies: true },
  ])
})

test.each([
  [
    'test/rows',
    { price_usd: '0.007500' },
    '0.75¢ per row (0.75¢ to 75¢)',
    { rows: 4, delivered: 3 },
  ],
  ['test/capped', { factor: '1.5' }, 'at most 37.5¢', { costs: 2 }],
  ['kiosk/full-lookup', { factor: '0.75' }, '1.5¢, 4.5¢ with found false', { found: false }],
])('%s at %j is published and charged at every door', async (action, set, text, params) => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const before = (await gateway.request('GET', `/api/run/${action}`)).body.price.text
  const more = { confirm_below_cost: true }
  const done = await operate(gateway, 'PUT', `price-overrides/${action}`, { ...set, ...more })
  expect(done).toMatchObject({ status: 200, body: { price: text, current_price: text, ...set } })
  const { body: listed } = await gateway.request('GET', '/api/run')
  const ofAction = (each: { service: string; action: string }) =>
    `${each.service}/${each.action}` === action
  const quoted = await account.call(`${action}?quote=true`, params)
  const plan = await account.call('tollway/batch?quote=true', { calls: [{ action, params }] })
  const page = await gateway.request('GET', `/docs/actions/${action}.md`)
  const llms = await gateway.request('GET', '/llms.txt')
  expect(listed.actions.find(ofAction).price.text).toBe(text)
  expect(quoted.body.data.price).toMatchObject({ text, usd: plan.body.data.price.usd })
  expect(page.body).toContain(`Price: ${text}.`)
  expect(llms.body).toContain(` ${text}.`)
  const { body } = await account.call(action, params)
  const charges = { 'test/rows': '0.022500', 'test/capped': '0.030000' } as Record<string, string>
  expect(body.charged_usd).toBe(charges[action] ?? '0.045000')
  await restore(gateway, action)
  expect((await gateway.request('GET', `/api/run/${action}`)).body.price.text).toBe(before)
})

test('the preview of a price by unit knows the share of the cost, also after the price has changed', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const preview = async (usd: string) =>
    (await operate(gateway, 'GET', `price-overrides/shop/pages?price_usd=${usd}`)).body
  // Two pages of four were read, for 0.3¢ each.
  await account.call('shop/pages', { pages: 4, read: 2, cost_usd: 0.006 })
  await override(gateway, 'shop/pages', '0.02')
  await account.call('shop/pages', { pages: 3, read: 3, cost_usd: 0.001 })
  expect(await preview('0.002')).toMatchObject({
    kind: 'unit',
    unit: 'page',
    price_usd: '0.002000',
    factor: null,
    current_price_usd: '0.020000',
    catalog_price_usd: '0.010000',
    last_30_days: { charged_usd: '0.080000', known_cost_usd: '0.007000' },
    at_this_price: { charged_usd: '0.010000', charged_less_known_cost_usd: '0.003000' },
    worst_cost_usd: '0.003000',
    price_less_worst_cost_usd: '-0.001000',
    is_below_worst_cost: true,
  })
  const refused = await override(gateway, 'shop/pages', '0.002999')
  expect(refused).toMatchObject({ status: 400, body: { data: { worst_cost_usd: '0.003000' } } })
  expect(refused.body.message).toContain('a page of the last 30 days has cost you $0.003000')
  expect((await override(gateway, 'shop/pages', '0.003')).status).toBe(200)
})

test('a factor below the largest share of cost needs a confirmation', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  await account.call('shop/full-lookup', { found: false, cost_usd: 0.03 })
  await account.call('shop/full-lookup', { cost_usd: 0.004 })
  const multiplied = (factor: string, more: object = {}) =>
    operate(gateway, 'PUT', 'price-overrides/shop/full-lookup', { factor, ...more })
  const refused = await multiplied('0.499999')
  expect(refused).toMatchObject({ status: 400, body: { data: { worst_cost_factor: '0.5' } } })
  expect(refused.body.message).toContain('confirm_below_cost')
  expect(await multiplied('0.5')).toMatchObject({
    status: 200,
    body: {
      kind: 'factor',
      factor: '0.5',
      current_factor: '0.5',
      price_usd: null,
      at_this_price: { charged_usd: '0.040000', charged_less_known_cost_usd: '0.006000' },
      worst_cost_factor: '0.5',
      worst_cost_usd: null,
      is_below_worst_cost: false,
    },
  })
  expect((await operate(gateway, 'GET', 'price-overrides')).body.price_overrides).toMatchObject([
    { factor: '0.5', price_usd: null, applies: true, price: '1¢, 3¢ with found false' },
  ])
  expect((await multiplied('0.4', { confirm_below_cost: true })).status).toBe(200)
})

test('the tariff of a session is multiplied by a factor', async () => {
  const { body } = await operate(shared(), 'PUT', 'price-overrides/sess_a/create_session', {
    factor: '1.5',
  })
  expect(body).toMatchObject({
    current_price: '1.5 times 5¢ per vCPU-hour, by the second',
    catalog_price: '5¢ per vCPU-hour, by the second',
  })
})

test('the operator is told when a flat price no longer covers what its calls can spend on others', async () => {
  const preview = async (usd: string) =>
    (await operate(shared(), 'GET', `price-overrides/tollway/onesearch?price_usd=${usd}`)).body
  const inner_spend_max_usd = '0.050000'
  expect(await preview('0.049')).toMatchObject({ inner_spend_max_usd, is_below_inner_spend: true })
  expect(await preview('0.05')).toMatchObject({ inner_spend_max_usd, is_below_inner_spend: false })
})

test.each([
  ['test/free', 'free'],
  ['test/purchase', 'what the seller asks'],
  ['tollway/batch', 'the sum of its calls'],
  ['tollway/onescrape-deep', 'set by the caller'],
])('the price of %s cannot be replaced', async (action, reason) => {
  for (const reply of [
    await override(shared(), action, '0.03'),
    await operate(shared(), 'PUT', `price-overrides/${action}`, { factor: '2' }),
    await operate(shared(), 'GET', `price-overrides/${action}`),
  ]) {
    expect([reply.status, reply.body.error]).toEqual([400, 'bad_request'])
    expect(reply.body.message).toContain(reason)
  }
})

test.each([
  [echoId, { factor: '2' }, 'price_usd, the dollars for a call'],
  ['test/rows', { factor: '2' }, 'price_usd, the dollars for a row'],
  ['test/capped', { price_usd: '0.1' }, 'factor'],
  ['test/capped', {}, 'factor'],
  [echoId, { price_usd: '0.1', factor: '2' }, 'price_usd'],
  ['test/capped', { factor: '0.009999' }, 'from 0.01 to 100'],
  ['test/capped', { factor: 1.5 }, 'factor'],
  ['test/capped', { factor: '1,5' }, 'factor'],
])('for %s, %j is refused with what to send', async (action, body, expected) => {
  const reply = await operate(shared(), 'PUT', `price-overrides/${action}`, body)
  expect([reply.status, reply.body.error]).toEqual([400, 'bad_request'])
  expect(reply.body.message).toContain(expected)
})

test.each(['0', '0.0000001', '1000.000001', '-1', '1e3', '.5', 3, undefined])(
  '%j is not a price',
  async (price_usd) => {
    const { status, body } = await operate(shared(), 'PUT', `price-overrides/${echoId}`, {
      price_usd,
    })
    expect([status, body.error]).toEqual([400, 'bad_request'])
    expect(body.message).toContain('price_usd')
  },
)

test('an unknown action is not found, and neither is an override that was never set', async () => {
  for (const reply of [
    await override(shared(), 'test/unknown', '0.03'),
    await override(shared(), 'test/unknown', 'dear'),
    await operate(shared(), 'PUT', 'price-overrides/test/unknown', { cents: 3 }),
    await operate(shared(), 'GET', 'price-overrides/test/unknown'),
    await operate(shared(), 'GET', 'price-overrides/test/unknown?factor=many'),
    await restore(shared(), 'test/document'),
  ])
    expect([reply.status, reply.body.error]).toEqual([404, 'not_found'])
  expect((await shared().request('PUT', `/api/v1/admin/price-overrides/${echoId}`)).status).toBe(
    401,
  )
})

test('while the database is away, the catalog is shown and no priced call is quoted', async () => {
  const door = await openDatabaseDoor(shared().databaseUrl)
  const gateway = await startGateway({ databaseUrl: door.connectionString })
  door.loseRequest()
  await until(async () => (await gateway.request('GET', '/readyz')).status === 503)
  const listed = await gateway.request('GET', `/api/run/${echoId}`)
  expect(listed.body.price.amount).toBe('0.020000')
  // What was read a moment ago is still trusted.
  const quote = () => gateway.request('POST', `/api/run/${echoId}?quote=true`, { body: {} })
  await until(async () => (await quote()).body.error === 'unavailable')
  expect((await gateway.call('tollway/discover', { query: 'answer what was sent' })).status).toBe(
    200,
  )
  door.open()
})

const textOf = (contents: readonly object[]) => (contents[0] as { text: string }).text
