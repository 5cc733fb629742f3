// Every action of public records, open data, primary sources and commerce over HTTP: its charge and the remaining
// balance.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { shelf } from '#catalog/ns_primary/lib/shelf/shelf.ts'
import { providers } from '#catalog/providers.ts'
import { credentialNames } from '#core/provider.ts'
import { type Gateway, shareGateway, shareGatewayOfWorker, verify } from '#test/harness.ts'
import { type Exchange, type Fixture, startReplayServer } from '#test/replay-server.ts'
import { testWallet } from '#test/test-wallet.ts'
import { createPatientClock } from './patient-clock.ts'

const withoutKeys = shareGatewayOfWorker()

/** The price of a call by the specification. Fractions of a cent are charged exactly. */
const prices: Readonly<Record<string, number>> = {
  'ns_filings/entities': 1,
  'ns_filings/filings': 1,
  'ns_filings/fulltext': 1,
  'ns_filings/document': 1,
  'ns_filings/concept': 1,
  'ns_filings/index': 1,
  'ns_courts/dockets': 1,
  'ns_courts/cases': 1,
  'ns_nonprofit/nonprofit_search': 1,
  'ns_nonprofit/nonprofit': 1,
  'ns_regs/search': 1,
  'ns_regs/resolve': 1,
  'ns_archive/snapshots': 1,
  'ns_archive/available': 1,
  'ns_archive/fetch': 1,
  'ns_encyclopedia/search': 1,
  'ns_encyclopedia/page': 1,
  'ns_knowledge/search': 1,
  'ns_knowledge/entity': 1,
  'ns_knowledge/sparql': 1,
  'ns_patents/patents': 1,
  'ns_patents/assignees': 1,
  'ns_press/news': 1,
  'ns_press/timeline': 1,
  'ns_scholar/works': 1,
  'ns_scholar/work': 1,
  'ns_scholar/authors': 1,
  'ns_fedrules/search': 1,
  'ns_fedrules/document': 1,
  // Registries that take nothing: the operator's fee.
  'ns_vehicles/search': 1,
  'ns_vehicles/get': 1,
  'ns_drugs/search': 1,
  'ns_drugs/get': 1,
  'ns_trials/search': 1,
  'ns_trials/get': 1,
  'ns_recalls/search': 1,
  'ns_recalls/get': 1,
  'ns_flights/flights': 0.5,
  'ns_flights/timetable': 1,
  'ns_sneakers/product-search': 0.05,
  'ns_sneakers/product-detail': 1,
  'ns_sneakers/sales-history': 1,
  // What the publisher took, two pages, one digital card, the printer's quote, the totals with tax, the tokens used.
  'ns_newsletter/post': 25,
  'ns_fax/send': 40,
  'ns_postcard/send': 100,
  'ns_print/order': 250,
  'ns_wine/purchase': 16_322,
  'ns_jewelry/purchase': 9_790,
  'ns_market/run': 1.6,
  'ns_primary/fetch': 1,
  'ns_trends/fetch': 5,
  'ns_postcard/github-profile': 0,
  'ns_print/validate': 0,
  'ns_wine/catalog': 0,
  'ns_jewelry/catalog': 0,
  'ns_market/search': 0,
}
const namespaces = [...new Set(Object.keys(prices).map((id) => id.split('/')[0] ?? ''))]
const keyless = [
  'ns_filings',
  'ns_courts',
  'ns_nonprofit',
  'ns_regs',
  'ns_archive',
  'ns_encyclopedia',
  'ns_knowledge',
  'ns_press',
  'ns_scholar',
  'ns_fedrules',
  'ns_vehicles',
  'ns_drugs',
  'ns_trials',
  'ns_recalls',
]

const actionOf = (id: string) => {
  const [service, name] = id.split('/')
  const provider = providers.find((candidate) => candidate.id === service)
  return provider?.actions.find((action) => action.name === name)
}

/** Fields that contain the id of the call match any value. */
function anyReference(exchange: Exchange): Exchange {
  const { headers = {}, body } = exchange.request
  const anyOf = (name: string) => (name in headers ? { [name]: '*' } : {})
  const open = body as { request_id?: string } | undefined
  return {
    ...exchange,
    request: {
      ...exchange.request,
      headers: { ...headers, 'user-agent': '*', ...anyOf('idempotency-key') },
      ...(open?.request_id === undefined ? {} : { body: { ...open, request_id: '*' } }),
    },
  }
}

function exchangesOf(id: string): Exchange[] {
  const [service = '', name = ''] = id.split('/')
  const file = path.join(
    import.meta.dirname,
    `../../../src/catalog/${service}/fixtures/${name}.json`,
  )
  return (JSON.parse(readFileSync(file, 'utf8')) as Fixture).exchanges.map(anyReference)
}

const server = await startReplayServer([])
afterAll(server.close)

/** With every key and a wallet. It keeps no answers: each test says what its vendors answer. */
const shop = shareGateway(() => {
  const variables = providers
    .filter(({ id }) => namespaces.includes(id))
    .flatMap((provider) => [
      [
        `${provider.id.toUpperCase()}_BASE_URL`,
        server.baseUrlFor(provider.upstream?.baseUrl ?? ''),
      ],
      ...(provider.upstream?.credential?.optional
        ? []
        : credentialNames(provider)
            .slice(0, 1)
            .map((name) => [name, 'test-key'])),
    ])
  return {
    env: { ...Object.fromEntries(variables), RESPONSE_CACHE_MB: '0' },
    clock: createPatientClock(),
    upstreamWallet: testWallet,
  }
})

/** The gateway of the shop, whose vendors answer `exchanges` from now on. */
function openShop(exchanges: readonly Exchange[]) {
  server.add(exchanges)
  return shop()
}

test('every action costs its exact stated price and sends no other request', async () => {
  const gateway = openShop(Object.keys(prices).flatMap(exchangesOf))
  const account = await gateway.account(50_000)
  let spent = 0
  for (const [id, cents] of Object.entries(prices)) {
    const action = actionOf(id)
    const price = action?.price
    const ceiling =
      typeof price === 'object' && 'upToCents' in price && price.upToCents === 'maxCost'
        ? { max_cost_cents: action?.example.cents }
        : {}
    const { body } = await account.call(id, { ...(action?.example.input as object), ...ceiling })
    expect(body, id).toMatchObject({
      ok: true,
      charged_usd: (cents / 100).toFixed(6),
      charged_cents: Math.ceil(cents),
    })
    spent += cents
  }
  const { body } = await account.get('/api/v1/account')
  expect(Number(body.balance_usd ?? body.available_usd)).toBeCloseTo(500 - spent / 100, 6)
  expect(body).toMatchObject({ held_cents: 0 })
  expect(server.problems()).toEqual([])
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test.each(
  Object.keys(prices).filter((id) => /^ns_(regs|vehicles|drugs|trials|recalls)\//.test(id)),
)('%s, bought from a seller, costs what the seller took', async (id) => {
  const answers = exchangesOf(id)
  const forSale = answers.flatMap(({ request, reply }) => [
    { request, reply: { status: 402, body: { price_usd: 0.001 } } },
    { request: { ...request, headers: { ...request.headers, 'x-test-payment': '*' } }, reply },
  ])
  const gateway = openShop(forSale)
  const account = await gateway.account(50)
  const { body } = await account.call(id, actionOf(id)?.example.input)
  const usd = answers.length / 1_000
  expect(server.problems()).toEqual([])
  expect(body).toMatchObject({ ok: true, charged_usd: usd.toFixed(6) })
  expect(body.data.price_usd).toBeCloseTo(usd, 6)
})

test('discover returns the endpoints of primary sources, each with its price and required parameters', async () => {
  const account = await wallet().account(10)
  const { body } = await account.call('tollway/discover', {
    query: 'weather forecast for a place',
    limit: 10,
  })
  const hit = body.data.hits.find(({ service }: { service: string }) => service === 'ns_primary')
  const required = ['latitude', 'longitude']
  const example = {
    endpoint: 'weather',
    latitude: expect.any(Number),
    longitude: expect.any(Number),
  }
  expect(hit.endpoints).toContainEqual({
    endpoint: 'weather',
    summary: expect.any(String),
    price_cents: 1,
    required,
    example,
  })
  expect(hit).toMatchObject({ price_cents: 1, required: ['endpoint', ...required], example })
  const cents = hit.endpoints.map(({ price_cents }: { price_cents: number }) => price_cents)
  expect(cents).toEqual([7, 1, 11, 7, ...Object.keys(shelf).map(() => 1)])
})

test('without any key the fourteen registries answer, and other actions are unavailable', async () => {
  const gateway = withoutKeys()
  const { body } = await gateway.request('GET', '/api/run')
  type Row = { service: string; action: string; mode: string; reason?: string }
  const mine = (body.services as Row[]).filter(({ service }) => namespaces.includes(service))
  const modes = Object.fromEntries(mine.map(({ service, mode }) => [service, mode]))
  expect(Object.keys(modes).toSorted()).toEqual(namespaces.toSorted())
  for (const { service, mode, reason } of mine) {
    // Most primary sources need no key. The others name the missing key when they are called.
    if (keyless.includes(service) || service === 'ns_primary') expect(mode, service).toBe('keyless')
    else {
      expect(mode, service).toBe('unavailable')
      expect(reason).toMatch(
        /^Set [A-Z0-9_]+( \(or [A-Z0-9_, ]+\))?( or UPSTREAM_WALLET_KEY)? and restart, or paste the key on/,
      )
    }
  }
  const free = (body.actions as Row[]).filter(
    ({ service, mode }) => modes[service] === 'unavailable' && mode !== 'unavailable',
  )
  expect(
    free.map(({ service, action, mode }) => `${service}/${action} ${mode}`).toSorted(),
  ).toEqual([
    'ns_jewelry/catalog keyless',
    'ns_market/search keyless',
    'ns_postcard/github-profile keyless',
    'ns_print/order_status keyless',
    'ns_print/validate keyless',
    'ns_wine/catalog keyless',
  ])
  const account = await gateway.account(100)
  const refused = await account.call('ns_wine/purchase', {})
  expect(refused.status).toBe(503)
  expect(refused.body).toMatchObject({
    error: 'provider_not_configured',
    message: expect.stringContaining('UPSTREAM_WALLET_KEY'),
  })
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
})

const wallet = shareGateway({
  upstreamWallet: testWallet,
  env: {
    NS_PATENTS_API_KEY: 'k',
    NS_FLIGHTS_API_KEY: 'k',
    NS_SNEAKERS_API_KEY: 'k',
    NS_TRENDS_API_KEY: 'k',
    NS_MARKET_API_KEY: 'k',
  },
})
const example = (id: string, changes: object = {}) => ({
  ...(actionOf(id)?.example.input as object),
  ...changes,
})
const roast = (text: string) =>
  ['ns_postcard/send', example('ns_postcard/send', { roast: text })] as const
const wine = (changes: object) =>
  ['ns_wine/purchase', example('ns_wine/purchase', { max_cost_cents: 20_000, ...changes })] as const
const home = {
  name: 'Ada Example',
  address_1: '1 Main St',
  city: 'Denver',
  state: 'CO',
  zip: '80202',
}

const refusals: (readonly [action: string, body: object, status?: number, error?: string])[] = [
  roast('Your commits are sorry'),
  roast('x'.repeat(281)),
  roast('write to ada@example.org'),
  roast('see https://example.org/x'),
  roast('see example.org'),
  roast('your /etc/passwd is nicer'),
  roast('c:\\users\\ada is lonely'),
  roast('your key sk-abcdefgh12345678 leaked'),
  roast('ghp_abcdefghijklmnop1234'),
  roast('password: hunter2'),
  ['ns_postcard/send', example('ns_postcard/send', { type: 'physical' })],
  ['ns_postcard/send', example('ns_postcard/send', { github_username: 'two words' })],
  ['ns_fax/send', { to: '12125550100', file_url: 'https://example.com/a.pdf' }],
  ['ns_fax/send', { to: '+12125550100', file_url: 'ftp://example.com/a.pdf' }, 400, 'bad_url'],
  [
    'ns_fax/send',
    { to: '+12125550100', file_url: 'http://10.0.0.1/a.pdf', max_cost_cents: 40 },
    400,
    'bad_url',
  ],
  ['ns_fax/send', example('ns_fax/send'), 402, 'max_cost_required'],
  ...['AK', 'DE', 'HI', 'MI', 'MS', 'NH', 'ND', 'RI', 'SD', 'UT', 'VA'].map((state) =>
    wine({ shipping: { ...home, state } }),
  ),
  wine({ shipping: { ...home, country: 'CA' } }),
  wine({ quantity: 13 }),
  wine({ quantity: 0 }),
  wine({ gift_note: 'x'.repeat(301) }),
  wine({ email: 'nobody' }),
  ['ns_wine/purchase', example('ns_wine/purchase'), 402, 'max_cost_required'],
  ['ns_jewelry/purchase', example('ns_jewelry/purchase'), 402, 'max_cost_required'],
  ['ns_jewelry/purchase', example('ns_jewelry/purchase', { max_cost_cents: 1, sku: 'A' })],
  [
    'ns_jewelry/purchase',
    example('ns_jewelry/purchase', { max_cost_cents: 1, gift_note: 'x'.repeat(301) }),
  ],
  ['ns_print/order', example('ns_print/order'), 402, 'max_cost_required'],
  [
    'ns_print/order',
    example('ns_print/order', { max_cost_cents: 500, pdf: 'https://example.com/a.pdf' }),
  ],
  ['ns_market/run', example('ns_market/run'), 402, 'max_cost_required'],
  ['ns_market/run', example('ns_market/run', { max_cost_cents: 5, max_tokens: 128_001 })],
  [
    'ns_newsletter/post',
    example('ns_newsletter/post', { max_cost_cents: 4 }),
    402,
    'max_cost_exceeded',
  ],
  ['ns_newsletter/post', example('ns_newsletter/post'), 402, 'max_cost_required'],
  ['ns_newsletter/post', { publication: '../admin', post: 'x' }],
  ['ns_patents/patents', { q: 'tea', limit: 101 }],
  ['ns_press/news', { query: 'tea', maxrecords: 251 }],
  [
    'ns_press/news',
    {
      query: 'tea',
      timespan: '1d',
      startdatetime: '20240101000000',
      enddatetime: '20240102000000',
    },
  ],
  ['ns_press/news', { query: 'tea', startdatetime: '20240101000000' }],
  ['ns_press/timeline', { query: 'tea', mode: 'artlist' }],
  ['ns_scholar/works', { search: 'tea', per_page: 51 }],
  ['ns_fedrules/search', { term: 'tea', type: 'LAW' }],
  ['ns_nonprofit/nonprofit_search', { q: 'tea', ntee: 11 }],
  ['ns_nonprofit/nonprofit_search', { q: 'tea', city: 'Salem' }],
  ['ns_filings/document', { cik: '1', accession: '0000320193-94-000016', filename: 'report.pdf' }],
  ['ns_filings/index', { date: '2026-09-12' }, 404, 'not_found'],
  ['ns_courts/dockets', { court: 'cand' }],
  ['ns_regs/resolve', { citation: 'the privacy rule' }],
  ['ns_sneakers/product-search', { marketplace: 'ebay', query: 'x' }],
  ['ns_sneakers/product-detail', { marketplace: 'snkrs', id: 'x' }],
  ['ns_sneakers/sales-history', { marketplace: 'shopify', id: 'x' }],
  ['ns_flights/flights', {}],
  ['ns_flights/timetable', { iataCode: 'JFK', type: 'both' }],
  ['ns_trends/fetch', { endpoint: '/secrets', keyword: 'x' }],
  ['ns_primary/fetch', { endpoint: 'weather' }],
  ['ns_primary/fetch', { endpoint: 'filings', cik: '1', url: 'https://example.com' }],
  [
    'ns_primary/fetch',
    { endpoint: 'political-trades', name: 'Ada' },
    503,
    'provider_not_configured',
  ],
  ['ns_trials/search', { q: 'x', phase: 9 }],
  ['ns_trials/search', { limit: 5 }],
  ['ns_vehicles/get', { id: 'epa:../x' }],
  ['ns_knowledge/sparql', { query: 'DELETE WHERE { ?a ?b ?c }' }],
]
const refused = refusals.map(([action, body, status = 400, error = 'bad_request']) => ({
  title: `${action} ${JSON.stringify(body).slice(0, 200)}`,
  action,
  body,
  status,
  error,
}))

test.each(refused)(
  '$title: $status $error, before anything is held or asked',
  async ({ action, body, status, error }) => {
    const account = await wallet().account(60_000)
    const reply = await account.call(action, body)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ ok: false, error })
    expect(await account.state()).toEqual({ availableCents: 60_000, heldCents: 0, transactions: 0 })
  },
)

const answering = (request: Exchange['request'], status: number, body: unknown): Exchange => ({
  request: { ...request, headers: { 'user-agent': '*' } },
  reply: { status, body },
})
const orderOf = (id: string) =>
  exchangesOf(id).find(({ reply }) => reply.status === 402)?.request as Exchange['request']
const buy = async (gateway: Gateway, id: string, cents: number, changes: object = {}) => {
  const account = await gateway.account(50_000)
  return {
    account,
    reply: await account.call(id, example(id, { max_cost_cents: cents, ...changes })),
  }
}

test.each<[title: string, id: string, cents: number, usd: number]>([
  ['a newsletter above a dollar', 'ns_newsletter/post', 300, 1.01],
  ['a newsletter above the caller’s ceiling', 'ns_newsletter/post', 24, 0.25],
  ['wine above the caller’s ceiling, tax included', 'ns_wine/purchase', 15_000, 163.22],
  ['jewelry above the caller’s ceiling', 'ns_jewelry/purchase', 9_000, 97.9],
  ['a fax of more than ten pages', 'ns_fax/send', 300, 2.2],
  ['a fax of more pages than the ceiling pays for', 'ns_fax/send', 39, 0.4],
])('%s is refused before it is paid', async (_title, id, cents, usd) => {
  const gateway = openShop([answering(orderOf(id), 402, { price_usd: usd })])
  const { account, reply } = await buy(gateway, id, cents)
  expect(reply.status).toBe(402)
  expect(reply.body).toMatchObject({ error: 'max_cost_exceeded' })
  expect(server.problems()).toEqual([])
  expect(await account.state()).toMatchObject({ availableCents: 50_000, heldCents: 0 })
})

test('a printer’s quote above the ceiling orders nothing', async () => {
  const [quote] = exchangesOf('ns_print/order')
  const gateway = openShop([quote as Exchange])
  const { account, reply } = await buy(gateway, 'ns_print/order', 249)
  expect(reply.body).toMatchObject({ error: 'max_cost_exceeded', data: { price_cents: 250 } })
  expect(server.problems()).toEqual([])
  expect(await account.state()).toMatchObject({ availableCents: 50_000, heldCents: 0 })
})

test('wine: the seller verifies the buyer first, and the order continues for that caller only', async () => {
  const first = orderOf('ns_wine/purchase')
  const again = { ...(first.body as object), order_id: 'wo_1' }
  const rest = exchangesOf('ns_wine/purchase').map((exchange) => ({
    ...exchange,
    request: { ...exchange.request, body: again },
  }))
  const gateway = openShop([
    answering(first, 403, {
      verify_url: 'https://verify.example/1',
      session_id: 's',
      poll_url: 'https://p',
      poll_secret: 'never-told',
      order_id: 'wo_1',
    }),
    ...rest,
  ])
  const { account, reply } = await buy(gateway, 'ns_wine/purchase', 20_000)
  expect(reply.status).toBe(403)
  expect(reply.body).toMatchObject({
    error: 'verification_required',
    data: { verify_url: 'https://verify.example/1', order_id: 'wo_1' },
  })
  expect(JSON.stringify(reply.body)).not.toContain('never-told')
  expect(await account.state()).toMatchObject({ availableCents: 50_000, heldCents: 0 })

  const stranger = await buy(gateway, 'ns_wine/purchase', 20_000, { order_id: 'wo_1' })
  expect(stranger.reply.status).toBe(404)
  const bought = await account.call(
    'ns_wine/purchase',
    example('ns_wine/purchase', { max_cost_cents: 20_000, order_id: 'wo_1' }),
  )
  expect(bought.body).toMatchObject({ ok: true, charged_cents: 16_322, data: { order_id: 'wo_1' } })
  expect(JSON.stringify(bought.body)).not.toContain('do-not-tell')
  expect(server.problems()).toEqual([])
})

test('only its payer can poll a print order; others read 404', async () => {
  const gateway = openShop(['ns_print/order', 'ns_print/order_status'].flatMap(exchangesOf))
  const { account, reply } = await buy(gateway, 'ns_print/order', 500)
  const { order_id } = reply.body.data
  const stranger = await gateway.account(10)
  expect((await stranger.call('ns_print/order_status', { order_id })).status).toBe(404)
  const own = await account.call('ns_print/order_status', { order_id })
  expect(own.body).toMatchObject({ data: { status: 'in_production' }, charged_cents: 0 })
  expect(server.problems()).toEqual([])
})

test('a paid seller that answers with a failure leaves the hold to the operator and receives no second order', async () => {
  const [demand, paid] = exchangesOf('ns_jewelry/purchase') as [Exchange, Exchange]
  const gateway = openShop([demand, { ...paid, reply: { status: 502, body: {} } }])
  const account = await gateway.account(50_000)
  const body = example('ns_jewelry/purchase', { max_cost_cents: 10_000 })
  const key = { 'idempotency-key': 'the-chain' }
  for (const _time of [1, 2]) {
    const reply = await account.call('ns_jewelry/purchase', body, key)
    expect(reply.body).toMatchObject({ error: 'outcome_unknown' })
  }
  expect(server.problems()).toEqual([])
  expect(await account.state()).toEqual({
    availableCents: 40_000,
    heldCents: 10_000,
    transactions: 1,
  })
})

test.each([
  ['breaks', { status: 502, body: {} }],
  ['mumbles', { status: 200, text: 'Welcome!' }],
] as const)(
  'a seller who %s before it is paid has sold nothing: nothing stays held',
  async (_title, reply) => {
    const request = orderOf('ns_jewelry/purchase')
    const gateway = openShop([{ request, reply }])
    const { account, reply: told } = await buy(gateway, 'ns_jewelry/purchase', 10_000)
    expect(told.body).toMatchObject({ error: 'upstream_error' })
    expect(server.problems()).toEqual([])
    expect(await account.state()).toMatchObject({ availableCents: 50_000, heldCents: 0 })
  },
)
