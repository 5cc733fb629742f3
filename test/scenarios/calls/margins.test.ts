// What calls cost at vendors, and what is left of what they bring.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adminToken, shareGateway, verify } from '#test/harness.ts'
import { openShop } from '#test/selling/priced-shop.ts'

const names = ['shop', 'kiosk', 'stall', 'mart', 'store', 'booth'] as const
const shared = shareGateway({ providers: names.map(openShop) })
const dayMs = 86_400_000

const operate = (method: string, path: string, body?: object) =>
  shared().request(method, `/api/v1/admin/${path}`, { key: adminToken, body })

const margins = async (query: string) => (await operate('GET', `margins?${query}`)).body
const micros = (usd: string) => Math.round(Number(usd) * 1e6)

/** Everything until now, so that an invoice of it is not of the future. */
const untilNow = () => ({
  from: new Date(Date.now() - dayMs).toISOString(),
  until: new Date().toISOString(),
})

test('an unknown cost is counted and never zero, and a declared cost makes it known from its date on', async () => {
  const account = await shared().account(1_000)
  await account.call('shop/told', { cost_usd: 0.015 })
  await account.call('shop/untold', {})
  await account.call('shop/rows', { rows: 3 })
  expect((await margins('by=provider&provider=shop')).rows).toMatchObject([
    {
      provider: 'shop',
      calls: 3,
      charged_usd: '0.070000',
      charged_with_known_cost_usd: '0.020000',
      known_cost_usd: '0.015000',
      margin_usd: '0.005000',
      calls_with_reported_cost: 1,
      calls_with_unknown_cost: 2,
    },
  ])
  const yesterday = new Date(Date.now() - dayMs).toISOString()
  const tomorrow = new Date(Date.now() + dayMs).toISOString()
  const declare = (action: string, body: object) => operate('PUT', `costs/${action}`, body)
  await declare('shop/untold', { per_call_usd: '0.5', starts_at: tomorrow })
  expect((await margins('by=action&provider=shop')).total.calls_with_unknown_cost).toBe(2)
  await declare('shop/untold', { per_call_usd: '0.03', starts_at: yesterday })
  await declare('shop/rows', {
    per_call_usd: '0.001',
    per_unit_usd: '0.002',
    starts_at: yesterday,
  })
  const { rows: found, total } = await margins('by=action&provider=shop')
  expect(found).toMatchObject([
    { action: 'shop/rows', known_cost_usd: '0.007000', calls_with_declared_cost: 1 },
    { action: 'shop/told', known_cost_usd: '0.015000', calls_with_reported_cost: 1 },
    {
      action: 'shop/untold',
      known_cost_usd: '0.030000',
      margin_usd: '-0.010000',
      is_below_cost: true,
    },
  ])
  expect(total).toMatchObject({ margin_usd: '0.018000', calls_with_unknown_cost: 0 })
  const { body: below } = await operate('GET', 'sales-below-cost')
  expect(below.actions).toMatchObject([
    { action: 'shop/untold', loss_usd: '0.010000', what_to_do: expect.stringMatching(/^Raise/) },
  ])
  const withdrawn = await operate(
    'DELETE',
    `costs/shop/untold?starts_at=${encodeURIComponent(yesterday)}`,
  )
  expect(withdrawn.status).toBe(200)
  expect((await margins('by=action&provider=shop')).total.calls_with_unknown_cost).toBe(1)
})

test('a price below what a call or a unit is declared to cost is refused, for everyone and for a group', async () => {
  const declare = (action: string, body: object) => operate('PUT', `costs/${action}`, body)
  const tomorrow = new Date(Date.now() + dayMs).toISOString()
  await declare('booth/untold', { per_call_usd: '0.03' })
  await declare('booth/untold', { per_call_usd: '0.05', starts_at: tomorrow })
  await declare('booth/rows', { per_call_usd: '0.2', per_unit_usd: '0.002' })
  const refusedFor = async (path: string, body: object) => {
    const reply = await operate('PUT', path, body)
    expect(reply).toMatchObject({ status: 400, body: { error: 'bad_request' } })
    return reply.body.message
  }

  const { body: shown } = await operate('GET', 'price-overrides/booth/untold?price_usd=0.029')
  expect(shown).toMatchObject({
    worst_cost_usd: '0.030000',
    price_less_worst_cost_usd: '-0.001000',
    is_below_worst_cost: true,
  })
  const everyone = 'price-overrides/booth/untold'
  expect(await refusedFor(everyone, { price_usd: '0.029' })).toContain(
    'you have declared that a call costs you $0.030000',
  )
  expect(await refusedFor('price-overrides/booth/rows', { price_usd: '0.0019' })).toContain(
    'you have declared that a row costs you $0.002000',
  )
  const confirmed = { price_usd: '0.029', confirm_below_cost: true }
  expect(await operate('PUT', everyone, confirmed)).toMatchObject({ status: 200 })
  expect(await operate('PUT', everyone, { price_usd: '0.03' })).toMatchObject({ status: 200 })
  expect(await operate('DELETE', everyone)).toMatchObject({ status: 200 })

  const { body: group } = await operate('POST', 'price-groups', { name: 'Booth' })
  const ofGroup = `price-groups/${group.price_group_id}/prices/booth/untold`
  expect(await operate('PUT', ofGroup, { price_usd: '0.03' })).toMatchObject({ status: 200 })
  // The declared cost of the day on which the price starts counts.
  const starts_at = new Date(Date.now() + 2 * dayMs).toISOString()
  expect(await refusedFor(ofGroup, { price_usd: '0.03', starts_at })).toContain('$0.050000')
})

test('an invoice is shared by the calls that lack a cost, to the micro-dollar, and a correction corrects the sums', async () => {
  const account = await shared().account(1_000)
  for (const asked of [1, 2, 4]) await account.call('kiosk/rows', { rows: asked })
  await account.call('kiosk/told', {})
  const invoice = { provider: 'kiosk', ...untilNow(), amount_usd: '0.05' }
  const added = await operate('POST', 'invoices', invoice)
  expect(added).toMatchObject({ status: 201, body: { calls: 3, calls_still_running: 0 } })
  const share = async () => {
    const { body } = await operate('GET', 'transactions?action=kiosk/*&sold=true&limit=100')
    return body.transactions
      .map(({ cost_usd, cost_source }: Record<string, string>) => [cost_usd, cost_source])
      .reverse()
  }
  const shares = await share()
  expect(shares.at(-1)).toEqual(['0.004000', 'reported'])
  expect(shares.map(([, source]: string[]) => source)).toEqual([
    ...['invoice', 'invoice', 'invoice', 'reported'],
  ])
  expect(
    shares.slice(0, 3).reduce((sum: number, [usd]: string[]) => sum + micros(usd ?? ''), 0),
  ).toBe(50_000)
  const id = added.body.invoice_id
  expect(await operate('PUT', `invoices/${id}`, { ...invoice, amount_usd: '0.07' })).toMatchObject({
    status: 200,
  })
  expect(await share()).toEqual([
    ['0.010000', 'invoice'],
    ['0.020000', 'invoice'],
    ['0.040000', 'invoice'],
    ['0.004000', 'reported'],
  ])
  const evenly = { ...invoice, amount_usd: '0.03', shared_by: 'calls' }
  await operate('PUT', `invoices/${id}`, evenly)
  expect((await share())[2]).toEqual(['0.010000', 'invoice'])
  expect((await margins('by=provider&provider=kiosk')).rows).toMatchObject([
    { known_cost_usd: '0.034000', calls_with_invoiced_cost: 3, calls_with_unknown_cost: 0 },
  ])
  expect(await operate('POST', 'invoices', invoice)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/Another invoice/) },
  })
  expect(await operate('DELETE', `invoices/${id}`)).toMatchObject({ status: 200 })
  expect((await share())[0]).toEqual([null, null])
})

test('every margin is the sum of the rows that it links to, by any group', async () => {
  const accounts = [await shared().account(1_000), await shared().account(1_000)]
  const call = fc.record({
    who: fc.nat(1),
    action: fc.constantFrom('told', 'untold', 'rows'),
    rows: fc.integer({ min: 1, max: 9 }),
    daysBack: fc.nat(2),
  })
  const [calls] = fc.sample(fc.array(call, { minLength: 12, maxLength: 12 }), 1)
  for (const { who, action, rows: asked, daysBack } of calls ?? []) {
    const { body } = await (accounts[who] ?? fail()).call(
      `stall/${action}`,
      action === 'rows' ? { rows: asked } : {},
    )
    // The id of a call says when it was made.
    await shared().database.query(
      `with made as (select uuid_v7(now() - $2 * interval '1 day') as id), posted as (
         update transfer set call_id = made.id from made where call_id = $1)
       update call set id = made.id, created_at = created_at - $2 * interval '1 day' from made where call.id = $1`,
      [body.transaction_id, daysBack],
    )
  }
  await operate('POST', 'invoices', {
    provider: 'stall',
    from: new Date(Date.now() - 4 * dayMs).toISOString(),
    until: new Date().toISOString(),
    amount_usd: '0.100003',
  })
  for (const by of ['day', 'provider', 'action', 'account', 'day,action,account']) {
    const { rows: found } = await margins(`by=${by}&provider=stall`)
    expect(found.length, by).toBeGreaterThan(0)
    for (const row of found) {
      const { body } = await shared().request('GET', `${row.transactions}&limit=100`, {
        key: adminToken,
      })
      const known = body.transactions.filter(
        ({ cost_usd }: { cost_usd: string | null }) => cost_usd,
      )
      const sum = (all: Record<string, string>[], field: string) =>
        all.reduce((total, each) => total + micros(each[field] ?? ''), 0)
      expect(body.transactions, by).toHaveLength(row.calls)
      expect(sum(body.transactions, 'charged_usd')).toBe(micros(row.charged_usd))
      expect(sum(known, 'cost_usd')).toBe(micros(row.known_cost_usd))
      expect(sum(known, 'charged_usd') - sum(known, 'cost_usd')).toBe(micros(row.margin_usd))
    }
  }
  const { body: csv } = await operate('GET', 'margins.csv?by=day,action&provider=stall')
  expect(csv.split('\r\n')[0]).toBe(
    'day,action,calls,failed_calls,charged_usd,known_cost_usd,charged_with_known_cost_usd,margin_usd,calls_with_reported_cost,calls_with_invoiced_cost,calls_with_declared_cost,calls_with_unknown_cost,is_below_cost',
  )
  await verify(shared())
})

test('what cannot be declared or invoiced is said', async () => {
  const refused = async (path: string, body: object, message: RegExp) =>
    expect(await operate(path.startsWith('invoices') ? 'POST' : 'PUT', path, body)).toMatchObject({
      status: 400,
      body: { error: 'bad_request', message: expect.stringMatching(message) },
    })
  await refused('costs/mart/untold', {}, /Send per_call_usd or per_unit_usd/)
  await refused('costs/mart/untold', { per_unit_usd: '0.1' }, /not sold by unit/)
  await refused('costs/mart/untold', { per_call_usd: '1e3' }, /per_call_usd/)
  const invoice = { provider: 'mart', ...untilNow(), amount_usd: '1' }
  const { from, until } = invoice
  await refused('invoices', invoice, /^No call of mart was delivered in this time/)
  await refused('invoices', { ...invoice, provider: 'nowhere' }, /^No provider is called nowhere/)
  await refused(
    'invoices',
    { ...invoice, until: '2999-01-01T00:00:00Z' },
    /^until must not be in the future\.$/,
  )
  await refused(
    'invoices',
    { ...invoice, from: until, until: from },
    /^from must be before until\.$/,
  )
  await refused(
    'invoices',
    { ...invoice, from: '2001-01-01T00:00:00Z' },
    /^An invoice is for at most/,
  )
  const account = await shared().account(1_000)
  await account.call('mart/told', {})
  await refused(
    'invoices',
    { ...invoice, ...untilNow() },
    /^The replies of mart have told the cost/,
  )
  expect(await operate('PUT', 'costs/mart/none', { per_call_usd: '0.1' })).toMatchObject({
    status: 404,
  })
})

function fail(): never {
  throw new Error('There is no such account.')
}
