// A JSON schema filled from pages through the door: each value has its quote, and a call that fills nothing is free.
import { expect, test } from 'vitest'
import { shareExtractionGateway, startExtractionGateway } from '#test/extraction-gateway.ts'
import { shareGatewayOfWorker, timelineOf, verify } from '#test/harness.ts'
import type { Asked } from '#test/model-upstream.ts'

const withoutModel = shareGatewayOfWorker()

const filler =
  '<p>The catalogue of our little shop is printed twice a year and sent to all customers.</p>'
const pages: Readonly<Record<string, string>> = {
  '/kettle': `<title>Kettle</title><main><h1>Blue kettle</h1><p>Price: € 1.299,50. It holds <a href="/l">two litres</a>.</p>${filler.repeat(9)}</main>`,
  '/maker': `<title>Maker</title><main><h1>Our workshop</h1><p>All kettles are made by hand in Graz.</p>${filler.repeat(9)}</main>`,
  '/wall':
    '<title>Just a moment...</title><div id="cf-challenge-running">Checking your browser before accessing</div>',
}
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    price: { type: 'number' },
    litres: { type: 'integer' },
    colour: { type: 'string' },
    maker: {
      type: 'object',
      properties: { city: { type: 'string' }, founded: { type: 'integer' } },
    },
  },
}

const shared = shareExtractionGateway({ pages })

async function open(started = shared()) {
  const { origin, gateway } = started
  const account = await gateway.account(100)
  const extract = (paths: readonly string[], more: object = {}) =>
    account.call('tollway/extract', { urls: paths.map((name) => origin + name), schema, ...more })
  return { ...started, account, extract }
}

const evidenceOf = (...quotes: readonly [field: string, quote: string][]) =>
  quotes.map(([field, quote]) => ({ field, quote }))

test('fills the schema from two pages, and each value has the words of the page that hold it', async () => {
  const { origin, gateway, account, upstream, extract, say } = await open()
  say({
    data: {
      name: 'Blue kettle',
      price: 1299.5,
      litres: 2,
      colour: 'green',
      maker: { city: 'Graz', founded: 1901 },
    },
    evidence: evidenceOf(
      ['name', 'Blue kettle'],
      ['price', 'Price: € 1.299,50'],
      ['litres', 'It holds two litres'],
      ['colour', 'The kettle is as green as grass.'],
      ['maker.city', 'made by hand in Graz'],
    ),
  })
  const { body } = await extract(['/kettle', '/maker'], { prompt: 'The product and its maker.' })
  const url = `${origin}/kettle`
  expect(body).toMatchObject({ ok: true, charged_cents: 6 })
  expect(body.data).toMatchObject({
    data: {
      name: 'Blue kettle',
      price: 1299.5,
      litres: 2,
      colour: null,
      maker: { city: 'Graz', founded: null },
    },
    filled_count: 4,
    read_count: 2,
    truncated: false,
    model: 'lab/one',
  })
  expect(body.data.evidence).toEqual([
    { field: 'name', status: 'supported', url, quote: 'Blue kettle' },
    { field: 'price', status: 'supported', url, quote: 'Price: € 1.299,50' },
    { field: 'litres', status: 'unverified', url, quote: expect.stringContaining('two litres') },
    { field: 'colour', status: 'unsupported', url: null, quote: null },
    {
      field: 'maker.city',
      status: 'supported',
      url: `${origin}/maker`,
      quote: 'made by hand in Graz',
    },
    { field: 'maker.founded', status: 'unsupported', url: null, quote: null },
  ])
  const prompt = (upstream.asked[0] as Asked).body.messages[1].content
  expect(prompt).toContain('The product and its maker.')
  expect(prompt).toContain('"litres"')
  expect(await timelineOf(account, body.transaction_id)).toEqual(
    expect.arrayContaining(['hold', 'hop', 'settle']),
  )
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('the quote is the most, and pages that were not read are free', async () => {
  const { origin, account, extract, say } = await open()
  say({ data: { name: 'Blue kettle' }, evidence: evidenceOf(['name', 'Blue kettle']) })
  const urls = ['/kettle', '/nowhere', '/kettle#top'].map((name) => origin + name)
  const quoted = await account.call('tollway/extract?quote=true', { urls, schema })
  expect(quoted.body.data).toMatchObject({ allowed: true, price: { kind: 'cap', cents: 6 } })
  const { body } = await extract(['/kettle', '/nowhere', '/kettle#top'])
  expect(body).toMatchObject({ charged_cents: 3, data: { read_count: 1, filled_count: 1 } })
  expect(body.data.pages).toMatchObject([
    { url: `${origin}/kettle`, title: 'Kettle', read: true },
    { url: `${origin}/nowhere`, read: false, error: 'not_found' },
  ])
})

test('a call that fills nothing is free: walls, models without an answer, quotes that are on no page', async () => {
  const { account, gateway, extract, say, upstream } = await open()
  const walled = await extract(['/wall', '/nowhere'])
  expect([walled.status, walled.body.error]).toEqual([502, 'all_blocked'])
  expect(walled.body.data.pages).toHaveLength(2)
  expect(upstream.asked).toEqual([])
  say({ data: { name: 'Tin cup' }, evidence: evidenceOf(['name', 'This tin cup is cheap.']) })
  const invented = await extract(['/kettle'])
  expect(invented.body).toMatchObject({ charged_cents: 0, data: { filled_count: 0 } })
  expect(invented.body.data.data).toMatchObject({ name: null, price: null })
  say({ data: null })
  const empty = await extract(['/kettle'])
  expect(empty.body).toMatchObject({ charged_cents: 0, data: { filled_count: 0, read_count: 1 } })
  say('I would rather not.')
  const failed = await extract(['/kettle'])
  expect([failed.status, failed.body.error]).toEqual([500, 'upstream_error'])
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('the model costs the operator at most a cent for each page', async () => {
  const { extract, say, upstream } = await open(
    await startExtractionGateway({ pages, price: { prompt: 0.5, completion: 2 } }),
  )
  say({ data: { name: 'Blue kettle' } })
  await extract(['/kettle', '/maker'])
  const { body } = upstream.asked[0] as Asked
  const bytes = Buffer.byteLength(JSON.stringify(body.messages))
  const microsOfTwoCents = 20_000
  expect(bytes * 0.5 + body.max_tokens * 2).toBeLessThanOrEqual(microsOfTwoCents / 2)
})

const propertiesOf = (properties: object) => ({ schema: { type: 'object', properties } })

test('refuses what it cannot do with 400, and holds nothing', async () => {
  const { account, extract } = await open()
  const refusals: readonly [string, object, string][] = [
    ['a private address', { urls: ['http://10.0.0.1/'] }, 'bad_url'],
    ['six addresses', { urls: [...'abcdef'].map((name) => `${name}.com`) }, 'bad_request'],
    ['a schema of a list', { schema: { type: 'array', items: {} } }, 'bad_request'],
    ['a schema without properties', propertiesOf({}), 'bad_request'],
    ['a type that does not exist', propertiesOf({ a: { type: 'wish' } }), 'bad_request'],
    ['a pattern', propertiesOf({ a: { pattern: '(a+)+$' } }), 'bad_request'],
  ]
  for (const [title, more, error] of refusals) {
    const reply = await extract(['/kettle'], more)
    expect([reply.status, reply.body.error], title).toEqual([400, error])
  }
  expect(await account.state()).toMatchObject({ heldCents: 0, transactions: 0 })
})

test('without a language model, or with dear ones only, it is 503 and free', async () => {
  const gateway = withoutModel()
  const { body: described } = await gateway.request('GET', '/api/run/tollway/extract')
  expect([described.mode, described.reason]).toEqual([
    'unavailable',
    expect.stringContaining('the key of a provider of language models'),
  ])
  const account = await gateway.account(100)
  const reply = await account.call('tollway/extract', described.example.input)
  expect([reply.status, reply.body.error]).toEqual([503, 'provider_not_configured'])
  const dear = await open(
    await startExtractionGateway({ pages, price: { prompt: 15, completion: 75 } }),
  )
  const refused = await dear.extract(['/kettle'])
  expect([refused.status, refused.body.error]).toEqual([503, 'provider_not_configured'])
  expect(await dear.account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
})

test('an answer that was cut off costs its tokens alone, and says so', async () => {
  const { account, gateway, extract, upstream } = await open()
  upstream.behave('one', (it) =>
    it.answer({
      tokens: ['{"data": {"name": "Blue ke'],
      finish: 'length',
      completionTokens: 1_000,
    }),
  )
  const { status, body } = await extract(['/kettle'])
  // Two attempts of 100 tokens at 0.05 and 1,000 at 0.4 dollars per million.
  const usd = 2 * (100 * 0.05 + 1_000 * 0.4) * 1e-6
  expect([status, upstream.asked.length]).toEqual([200, 2])
  expect(body).toMatchObject({ ok: true, charged_cents: 1, charged_usd: usd.toFixed(6) })
  expect(body.data).toMatchObject({
    data: { name: null, price: null, maker: null },
    evidence: [],
    filled_count: 0,
    read_count: 1,
    tokens_used: 2_200,
    cut_off: { tokens_usd: usd, message: expect.stringContaining('Ask for fewer fields') },
  })
  const [call] = await gateway.database.query(
    'select charged, cost from call where account_id = $1',
    [account.id],
  )
  expect(call).toEqual({ charged: usd * 1e6, cost: usd * 1e6 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('answers that cannot be read cost nothing, are counted, and end with 429', async () => {
  const { account, gateway, extract, say } = await open()
  say('I would rather not.')
  const replies = []
  for (let call = 0; call < 22; call += 1) replies.push(await extract(['/kettle']))
  const statuses = replies.map(({ status }) => status)
  expect(statuses).toEqual([...Array(20).fill(500), 429, 429])
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  const [day] = await gateway.database.query(
    'select micros from uncharged_day where account_id = $1',
    [account.id],
  )
  // Each call asks twice, and each answer costs 25 micro-dollars.
  expect(day).toEqual({ micros: 20 * 2 * 25 })
})
