// Asynchronous work of lead vendors: its owner, the price of its polls, and its final charge.
import { afterAll, describe, expect, test } from 'vitest'
import { type TestAccount, verify } from '#test/harness.ts'
import { exchangeOf, shareLeadVendors } from '#test/people/lead-vendors.ts'
import type { Exchange } from '#test/replay-server.ts'

const { vendor, gateway } = await shareLeadVendors()

const asked = (
  method: string,
  path: string,
  body: unknown,
  reply: unknown,
  query = {},
  status = 200,
): Exchange => ({
  request: { method, path, query, ...(body === undefined ? {} : { body }) },
  reply: { status, body: reply },
})
const notFound = { status: 404, body: { ok: false, error: 'not_found' } }

describe('e-mail finder B', () => {
  const launch = (id: string) =>
    asked(
      'POST',
      '/email-search',
      { firstname: 'Jane', lastname: '', domainOrCompany: 'a.com' },
      { success: true, item: { _id: id, status: 'NONE' } },
    )
  const read = (id: string, status: string) =>
    asked(
      'POST',
      '/bulk-single-searchs/read',
      { id },
      { success: true, items: [{ _id: id, status, user: 'operator' }] },
    )
  const start = async (account: TestAccount, id: string) => {
    vendor.add([launch(id)])
    const { body } = await account.call('ns_email_b/email-search', {
      firstname: 'Jane',
      domainOrCompany: 'a.com',
    })
    expect(body.data.item._id).toBe(id)
  }

  test.each([
    ['NONE', 'in_progress'],
    ['SCHEDULED', 'in_progress'],
    ['IN_PROGRESS', 'in_progress'],
    ['FOUND', 'found'],
    ['DEBITED', 'found'],
    ['NOT_FOUND', 'not_found'],
    ['DEBITED_NOT_FOUND', 'not_found'],
    ['BAD_INPUT', 'error'],
    ['ABORTED', 'error'],
  ])('a search that is %s is %s, and the poll costs 1¢', async (status, state) => {
    const account = await gateway().account(100)
    await start(account, `search-${status}`)
    vendor.add([read(`search-${status}`, status)])
    const { body } = await account.call('ns_email_b/result', { id: `search-${status}` })
    expect(body).toEqual({
      ok: true,
      data: { items: [{ _id: `search-${status}`, status, state }], total: 1 },
      charged_cents: 1,
      charged_usd: '0.010000',
      balance_remaining_cents: 95,
      balance_remaining_usd: '0.950000',
      transaction_id: expect.any(String),
    })
    expect(vendor.problems()).toEqual([])
  })

  test('a poll of a search that stopped because the operator’s account is empty says so, free', async () => {
    const account = await gateway().account(100)
    await start(account, 'search-unfunded')
    const before = await account.state()
    vendor.add([read('search-unfunded', 'INSUFFICIENT_FUNDS')])
    const { status, body } = await account.call('ns_email_b/result', { id: 'search-unfunded' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ charged_cents: 0 })
    expect(body.data.items).toEqual([
      { _id: 'search-unfunded', status: 'INSUFFICIENT_FUNDS', state: 'error' },
    ])
    expect(await account.state()).toMatchObject({ availableCents: before.availableCents })
    expect(vendor.problems()).toEqual([])
  })

  test('a list holds only the caller’s own searches, although the vendor returns those of all callers', async () => {
    const [account, other] = [await gateway().account(100), await gateway().account(100)]
    await start(account, 'mine-1')
    await start(other, 'theirs')
    await start(account, 'mine-2')
    const items = ['mine-2', 'theirs', 'mine-1', 'of the operator'].map((_id) => ({
      _id,
      status: 'FOUND',
    }))
    const everybody = asked(
      'POST',
      '/bulk-single-searchs/read',
      { mode: 'single', limit: 100 },
      { success: true, items },
    )
    vendor.add([everybody, everybody])
    const ids = async (limit: number) => {
      const { body } = await account.call('ns_email_b/result', { mode: 'single', limit })
      return body.data.items.map(({ _id }: { _id: string }) => _id)
    }
    expect(await ids(10)).toEqual(['mine-2', 'mine-1'])
    expect(await ids(1)).toEqual(['mine-2'])
    expect(await other.call('ns_email_b/result', { id: 'mine-1' })).toMatchObject(notFound)
    expect(await other.state()).toMatchObject({ availableCents: 96 })
    expect(vendor.problems()).toEqual([])
  })

  test('a search that the vendor forgot is not found, and the poll is free', async () => {
    const account = await gateway().account(100)
    await start(account, 'forgotten')
    vendor.add([
      asked('POST', '/bulk-single-searchs/read', { id: 'forgotten' }, { success: true, items: [] }),
    ])
    expect(await account.call('ns_email_b/result', { id: 'forgotten' })).toMatchObject(notFound)
    expect(await account.state()).toMatchObject({ availableCents: 96, heldCents: 0 })
  })
})

describe('enrichment', () => {
  test('an order is billed once, its polls are free, and it belongs to its payer alone', async () => {
    const [account, other] = [await gateway().account(100), await gateway().account(100)]
    vendor.add([exchangeOf('ns_enrich/company-funders')])
    const order = await account.call('ns_enrich/company-funders', { company_domain: 'example.com' })
    expect(order.body).toMatchObject({ charged_cents: 30, data: { endpoint: 'company/funders' } })
    const { endpoint, request_id } = order.body.data
    const poll = (reply: object) =>
      asked('GET', '/company/funders', undefined, { success: true, data: reply }, { request_id })
    vendor.add([
      poll({ request_id, status: 'processing', completed: false }),
      poll({ request_id, status: 'completed', completed: true, result: { partners: [] } }),
    ])
    const running = await account.call('ns_enrich/result', { endpoint, request_id })
    expect(running.body).toMatchObject({ data: { status: 'processing' }, charged_cents: 0 })
    const done = await account.call('ns_enrich/result', {
      endpoint: '/company/funders',
      request_id,
    })
    expect(done.body.data.result).toEqual({ partners: [] })
    expect(await account.state()).toEqual({ availableCents: 70, heldCents: 0, transactions: 1 })
    for (const [who, body] of [
      [other, { endpoint, request_id }],
      [account, { endpoint: 'person/enrichment', request_id }],
    ] as const) {
      expect(await who.call('ns_enrich/result', body)).toMatchObject(notFound)
    }
    expect(vendor.problems()).toEqual([])
  })

  test('an order and its repetition are answered with 202, as described', async () => {
    const account = await gateway().account(100)
    vendor.add([exchangeOf('ns_enrich/company-funders')])
    const order = () =>
      account.call(
        'ns_enrich/company-funders',
        { company_domain: 'example.com' },
        { 'idempotency-key': 'one-order' },
      )
    const first = await order()
    expect(first).toMatchObject({ status: 202, body: { ok: true, charged_cents: 30 } })
    expect(await order()).toMatchObject({ status: 202, body: first.body })
    expect(await account.state()).toMatchObject({ availableCents: 70, transactions: 1 })
    const { body: openApi } = await gateway().request('GET', '/openapi.json')
    const { responses } = openApi.paths['/api/run/ns_enrich/company-funders'].post
    expect(Object.keys(responses)).toEqual(['202', '400', '401', '402', '429', '500'])
  })
})

describe('company discovery', () => {
  const tam = '/api/v1/tam/build'
  const launched = (id: string, query: string) =>
    asked('POST', tam, { query }, { job_id: id, status: 'pending', message: 'Started.' })
  const polled = (id: string, status: string, count: number, rest: object = {}) =>
    asked('GET', `${tam}/${id}`, undefined, {
      job_id: id,
      status,
      processed: count,
      rows: [{ name: 'Acme' }],
      next_cursor: null,
      manifest: status === 'running' ? null : { unique_count: count },
      ...rest,
    })
  const submit = async (account: TestAccount, input: object) => {
    const { body } = await account.call('ns_company/tam-build', input)
    expect(body).toMatchObject({ data: { status: 'queued', async: true }, charged_cents: 0 })
    return body.data.job_id as string
  }
  const end = async (account: TestAccount, job_id: string) =>
    (await account.call('tollway/result', { job_id, wait_seconds: 30 })).body.data

  test('delivered results are charged, and the rest of the hold is released', async () => {
    const [account, other] = [await gateway().account(500), await gateway().account(500)]
    vendor.add([
      launched('v-1', 'Neobanks'),
      polled('v-1', 'running', 40),
      polled('v-1', 'completed', 218),
    ])
    const job_id = await submit(account, { query: 'Neobanks', max_companies: 300 })
    expect(await account.state()).toMatchObject({ availableCents: 200, heldCents: 300 })
    expect(await end(account, job_id)).toMatchObject({
      status: 'succeeded',
      charged_cents: 218,
      result: { kind: 'tam', status: 'completed', delivered: 218 },
    })
    expect(await account.state()).toEqual({ availableCents: 282, heldCents: 0, transactions: 1 })

    vendor.add([
      polled('v-1', 'completed', 218, { page: 'page_0000', next_cursor: 'page_0001' }),
      {
        ...polled('v-1', 'completed', 218),
        request: { method: 'GET', path: `${tam}/v-1`, query: { cursor: 'page_0001' } },
      },
    ])
    const first = await account.call('ns_company/results', { kind: 'tam', job_id })
    expect(first.body).toMatchObject({
      data: { job_id, status: 'completed', rows: [{ name: 'Acme' }], next_cursor: 'page_0001' },
      charged_cents: 0,
    })
    await account.call('ns_company/results', { kind: 'tam', job_id, cursor: 'page_0001' })
    expect(vendor.problems()).toEqual([])
    for (const [action, body] of [
      ['ns_company/results', { kind: 'tam', job_id }],
      ['ns_company/job-control', { job_id, action: 'cancel' }],
    ] as const) {
      expect(await other.call(action, body)).toMatchObject(notFound)
    }
  })

  test('a search that finds more than its hold covers is stopped and charged at most the hold', async () => {
    const account = await gateway().account(500)
    vendor.add([
      launched('v-2', 'Hospitals'),
      polled('v-2', 'running', 60),
      asked('POST', `${tam}/v-2/cancel`, undefined, { job_id: 'v-2', status: 'cancelling' }),
      polled('v-2', 'cancelled', 70),
    ])
    const job_id = await submit(account, { query: 'Hospitals', max_companies: 50 })
    expect(await end(account, job_id)).toMatchObject({ status: 'succeeded', charged_cents: 50 })
    expect(await account.state()).toMatchObject({ availableCents: 450, heldCents: 0 })
    expect(vendor.problems()).toEqual([])
  })

  test('a stopped search shows only the results that were paid for', async () => {
    const account = await gateway().account(500)
    vendor.add([launched('v-6', 'Clinics'), polled('v-6', 'cancelled', 220)])
    const job_id = await submit(account, { query: 'Clinics', max_companies: 150 })
    expect(await end(account, job_id)).toMatchObject({ charged_cents: 150 })
    const rows = Array.from({ length: 100 }, (_, at) => ({ name: `Clinic ${at}` }))
    const read = async (page: string, next_cursor: string | null) => {
      const query = page === 'page_0000' ? {} : { cursor: page }
      const reply = { job_id: 'v-6', status: 'cancelled', rows, page, next_cursor }
      vendor.add([asked('GET', `${tam}/v-6`, undefined, reply, query)])
      const input = { kind: 'tam', job_id, ...query }
      return (await account.call('ns_company/results', input)).body.data
    }
    const pages = [
      await read('page_0000', 'page_0001'),
      await read('page_0001', 'page_0002'),
      await read('page_0002', null),
    ]
    expect(pages.map((page) => page.rows.length)).toEqual([100, 50, 0])
    expect(pages.map((page) => page.next_cursor)).toEqual(['page_0001', null, null])
    expect(vendor.problems()).toEqual([])
  })

  test('cancelled by its owner, it bills what was delivered', async () => {
    const account = await gateway().account(500)
    const running = polled('v-3', 'running', 5)
    vendor.add([launched('v-3', 'Law firms'), running])
    const job_id = await submit(account, { query: 'Law firms' })
    const isLaunched = async () => {
      const { body } = await account.call('tollway/result', { job_id })
      return body.data.progress !== undefined
    }
    await expect.poll(isLaunched).toBe(true)
    vendor.add([
      asked('POST', `${tam}/v-3/cancel`, undefined, {
        job_id: 'v-3',
        status: 'cancelling',
        message: 'Poll GET /api',
      }),
      polled('v-3', 'cancelled', 12),
    ])
    const control = await account.call('ns_company/job-control', { job_id, action: 'cancel' })
    expect(control.body).toMatchObject({ data: { job_id, status: 'cancelling' }, charged_cents: 0 })
    expect(await end(account, job_id)).toMatchObject({ charged_cents: 12 })
    expect(vendor.problems()).toEqual([])
  })

  test.each([
    ['refuses the launch', [asked('POST', tam, { query: 'Farms' }, {}, {}, 422)], 'failed'],
    ['fails half-way', [launched('v-4', 'Farms'), polled('v-4', 'failed', 9)], 'failed'],
  ])('when the vendor %s, the hold is given back', async (_how, exchanges, status) => {
    const account = await gateway().account(500)
    vendor.add(exchanges)
    const job_id = await submit(account, { query: 'Farms' })
    expect(await end(account, job_id)).toMatchObject({ status: 'failed', charged_cents: 0 })
    expect(await account.state()).toMatchObject({ availableCents: 500, heldCents: 0 })
    if (exchanges.length > 1) vendor.add([polled('v-4', 'failed', 9)])
    const { body } = await account.call('ns_company/results', { kind: 'tam', job_id })
    expect(body.data.status).toBe(status)
    expect(vendor.problems()).toEqual([])
  })

  test('a transient failure of a poll does not end the search', async () => {
    const account = await gateway().account(500)
    vendor.add([
      launched('v-5', 'Bakeries'),
      {
        ...polled('v-5', 'running', 1),
        reply: { status: 429, headers: { 'retry-after': '1' }, body: {} },
      },
      polled('v-5', 'completed', 3),
    ])
    const job_id = await submit(account, { query: 'Bakeries' })
    expect(await end(account, job_id)).toMatchObject({ status: 'succeeded', charged_cents: 3 })
  })

  test('a balance below the hold launches nothing', async () => {
    const account = await gateway().account(100)
    const { status, body } = await account.call('ns_company/tam-build', {
      query: 'Banks',
      max_companies: 101,
    })
    expect([status, body.error]).toEqual([402, 'credits_required'])
    expect(vendor.problems()).toEqual([])
  })

  test.each([
    ['lookalikes-bulk', { query: 'Cloud monitoring tools', limit: 200 }, 180],
    [
      'tech-intent',
      { tech: 'Snowflake', activity: 'migrating off Redshift to Snowflake', limit: 5 },
      60,
    ],
  ])('%s charges for what was delivered', async (name, input, cents) => {
    const account = await gateway().account(500)
    vendor.add(allExchangesOf(name))
    const { body } = await account.call(`ns_company/${name}`, input)
    expect(await end(account, body.data.job_id)).toMatchObject({
      status: 'succeeded',
      charged_cents: cents,
    })
    expect(vendor.problems()).toEqual([])
  })
})

function allExchangesOf(name: string): Exchange[] {
  const paths = {
    'lookalikes-bulk': '/api/v1/account/search-lookalikes-bulk',
    'tech-intent': '/api/v2/tech/companies/intent-search',
  }
  const id = '8bda2224-3772-4430-94d3-69a526872227'
  const count = name === 'tech-intent' ? 3 : 180
  return [
    exchangeOf(`ns_company/${name}`),
    asked('GET', `${paths[name as keyof typeof paths]}/${id}`, undefined, {
      job_id: id,
      status: 'completed',
      manifest: { count },
      rows: [],
    }),
  ]
}

afterAll(async () => expect(await verify(gateway())).toMatchObject({ ok: true }))
