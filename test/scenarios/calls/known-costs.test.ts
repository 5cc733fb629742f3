// A cost is the same wherever the operator reads it, and calls inside a call cost what is known of them.
import { expect, test } from 'vitest'
import { adminToken, shareGateway, type TestAccount, verify } from '#test/harness.ts'
import { openShop } from '#test/selling/priced-shop.ts'

const gateway = shareGateway({ providers: ['deli', 'bakery', 'cafe', 'grocer'].map(openShop) })
const operate = (method: string, path: string, body?: object) =>
  gateway().request(method, `/api/v1/admin/${path}`, { key: adminToken, body })

const dayMs = 86_400_000
const yesterday = () => new Date(Date.now() - dayMs).toISOString()

async function declare(action: string, cost: object) {
  const reply = await operate('PUT', `costs/${action}`, { ...cost, starts_at: yesterday() })
  expect(reply).toMatchObject({ status: 200 })
}

const step = (action: string, params: object = {}, more: object = {}) => ({
  id: action.replace(/\W/g, '_'),
  action,
  params,
  ...more,
})

async function publish(name: string, steps: object[]) {
  const { status, body } = await operate('POST', 'plans', {
    name,
    title: 'Buy a lunch.',
    input: { type: 'object', properties: {}, additionalProperties: false },
    steps,
    price: { kind: 'fixed', cents: 20 },
    confirm_below_cost: true,
    example: {},
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.action as string
}

async function run(account: TestAccount, action: string) {
  const accepted = await account.call(action, {})
  const { job_id } = accepted.body.data
  const polled = await account.call('tollway/result', { job_id, wait_seconds: 50 })
  return polled.body.data
}

const marginOf = async (action: string) => (await operate('GET', `margins?action=${action}`)).body

/** Revenue is summed, and margins look at each call. */
async function expectRevenueLikeMargins() {
  for (const [by, same] of [
    ['day', 'day'],
    ['service', 'provider'],
    ['action', 'action'],
    ['error', undefined],
  ]) {
    const revenue = (await operate('GET', `revenue?by=${by}`)).body
    const { from, until } = revenue
    const margins = (
      await operate('GET', `margins?${new URLSearchParams({ from, until, by: same ?? 'day' })}`)
    ).body
    const shownOf = (row: Record<string, unknown>) => [
      row.known_cost_usd,
      row.calls_with_unknown_cost,
    ]
    expect(shownOf(revenue.total), by).toEqual(shownOf(margins.total))
    if (same === undefined) continue
    expect(
      revenue.rows.map((row: Record<string, unknown>) => [row[by ?? ''], ...shownOf(row)]),
    ).toEqual(margins.rows.map((row: Record<string, unknown>) => [row[same], ...shownOf(row)]))
  }
}

test('before the operator has told a cost, the known cost of revenue is that of the margins too', async () => {
  const account = await gateway().account(100)
  for (const action of ['deli/told', 'deli/untold', 'bakery/told'])
    expect(await account.call(action, {})).toMatchObject({ status: 200 })
  expect(await account.call('test/fails', { code: 'all_blocked' })).toMatchObject({ status: 502 })
  await run(account, await publish('tasting', [step('deli/told'), step('deli/untold')]))
  await expectRevenueLikeMargins()
})

test('a plan costs what its steps do, whether replies told it or the operator', async () => {
  await declare('deli/untold', { per_call_usd: '0.03' })
  await declare('deli/rows', { per_call_usd: '0.001', per_unit_usd: '0.002' })
  const action = await publish('lunch', [
    step('deli/told'),
    step('deli/untold'),
    step('deli/rows', { rows: 3 }),
  ])
  const account = await gateway().account(100)
  expect(await run(account, action)).toMatchObject({ status: 'succeeded', charged_cents: 20 })
  const { total, rows: found } = await marginOf(action)
  expect(total).toMatchObject({
    calls: 1,
    charged_usd: '0.200000',
    known_cost_usd: '0.041000',
    margin_usd: '0.159000',
    calls_with_unknown_cost: 0,
  })
  const { body } = await gateway().request('GET', found[0].transactions, { key: adminToken })
  expect(body.transactions).toMatchObject([{ cost_usd: '0.041000', cost_source: 'reported' }])

  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('a plan with a step of unknown cost is of unknown cost, also where other steps told theirs', async () => {
  const inner = await publish('snack', [step('grocer/untold')])
  const steps = [step(inner), step('deli/told'), step('grocer/rows', { rows: 2 })]
  const action = await publish('lunch-break', steps)
  const account = await gateway().account(100)
  expect(await run(account, action)).toMatchObject({ status: 'succeeded' })
  const unknown = { known_cost_usd: '0.000000', calls_with_unknown_cost: 1 }
  expect((await marginOf(action)).total).toMatchObject(unknown)
  await declare('grocer/untold', { per_call_usd: '0.25' })
  expect((await marginOf(action)).total).toMatchObject(unknown)
  await declare('grocer/rows', { per_unit_usd: '0.01' })
  expect((await marginOf(action)).total).toMatchObject({
    known_cost_usd: '0.274000',
    calls_with_reported_cost: 1,
    is_below_cost: true,
  })
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('the steps of a plan share the invoice of their vendor with its calls', async () => {
  const action = await publish('brunch', [
    step('cafe/untold'),
    step('cafe/rows', { rows: 3 }),
    step('cafe/told'),
  ])
  const account = await gateway().account(100)
  const from = new Date(Date.now() - 60_000).toISOString()
  await account.call('cafe/rows', { rows: 4 })
  expect(await run(account, action)).toMatchObject({ status: 'succeeded' })
  const invoice = { provider: 'cafe', from, until: new Date().toISOString(), amount_usd: '0.08' }
  const { body: spread } = await operate('POST', 'invoices', invoice)
  expect(spread).toMatchObject({ calls: 2 })
  expect((await marginOf('cafe/rows')).total).toMatchObject({ known_cost_usd: '0.040000' })
  expect((await marginOf(action)).total).toMatchObject({
    known_cost_usd: '0.044000',
    calls_with_unknown_cost: 0,
  })
  const corrected = { ...invoice, amount_usd: '0.1', shared_by: 'calls' }
  const { body: again } = await operate('PUT', `invoices/${spread.invoice_id}`, corrected)
  expect(again).toMatchObject({ calls: 2 })
  expect((await marginOf('cafe/rows')).total).toMatchObject({ known_cost_usd: '0.033333' })
  expect((await marginOf(action)).total).toMatchObject({ known_cost_usd: '0.070667' })
  const { body: listed } = await operate('GET', 'costs')
  expect(listed.invoices).toMatchObject([{ calls: 2 }])
  await operate('DELETE', `invoices/${spread.invoice_id}`)
  expect((await marginOf(action)).total).toMatchObject({ calls_with_unknown_cost: 1 })
})

test('a plan that fails costs what its steps had delivered', async () => {
  await declare('deli/untold', { per_call_usd: '0.03' })
  const first = step('deli/untold')
  const fails = step('test/fails', { code: 'all_blocked' }, { after: [first.id] })
  const action = await publish('dinner', [first, fails])
  const account = await gateway().account(100)
  expect(await run(account, action)).toMatchObject({ status: 'failed', charged_cents: 0 })
  expect((await marginOf(action)).total).toMatchObject({
    failed_calls: 1,
    known_cost_usd: '0.030000',
    margin_usd: '-0.030000',
  })
})

test('the known cost of revenue, providers and the preview of a price is that of the margins', async () => {
  const account = await gateway().account(1_000)
  await account.call('bakery/told', {})
  await account.call('bakery/untold', {})
  await account.call('bakery/rows', { rows: 4 })
  await declare('bakery/untold', { per_call_usd: '0.03' })
  const { body: invoice } = await operate('POST', 'invoices', {
    provider: 'bakery',
    from: new Date(Date.now() - 60_000).toISOString(),
    until: new Date().toISOString(),
    amount_usd: '0.05',
    shared_by: 'calls',
  })
  expect(invoice).toMatchObject({ calls: 2 })
  await account.call('bakery/untold', {})

  await expectRevenueLikeMargins()

  const { body: listed } = await operate('GET', 'providers')
  const provider = listed.providers.find(({ service }: { service: string }) => service === 'bakery')
  const { total: ofProvider } = (await operate('GET', 'margins?provider=bakery')).body
  expect(provider.last_30_days).toMatchObject({
    calls_with_unknown_cost: 0,
    known_cost_usd: ofProvider.known_cost_usd,
  })

  const { total } = await marginOf('bakery/untold')
  const { body: shown } = await operate('GET', 'price-overrides/bakery/untold?price_usd=0.04')
  expect(shown.last_30_days).toMatchObject({
    calls: 2,
    calls_with_known_cost: 2,
    known_cost_usd: total.known_cost_usd,
    charged_less_known_cost_usd: total.margin_usd,
  })
  expect(Number(shown.at_this_price.charged_less_known_cost_usd)).toBeCloseTo(
    0.08 - Number(total.known_cost_usd),
    6,
  )
})
