// A search through the door, on a gateway without a vendor's key: what it finds, what it charges, and what its timeline
// holds.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { type Gateway, startGateway, verify } from '#test/harness.ts'

const article = { title: 'Red Cross', pageid: 1, snippet: 'A <b>movement</b>.', wordcount: 9 }
const work = {
  id: 'https://openalex.org/W1',
  doi: 'https://doi.org/10.1000/cross',
  title: 'The Red Cross',
  publication_date: '2020-01-01',
  abstract_inverted_index: { History: [0] },
}
const replies: Readonly<Record<string, unknown>> = {
  '/ns_encyclopedia': { query: { searchinfo: { totalhits: 1 }, search: [article] } },
  '/ns_knowledge': {
    search: [{ id: 'Q7178', label: 'Red Cross', description: 'humanitarian movement' }],
  },
  '/ns_press': { articles: [{ url: 'https://press.example/cross', title: 'Red Cross at work' }] },
  '/ns_scholar': { meta: { count: 1, page: 1, per_page: 15 }, results: [work] },
}
const silence: Readonly<Record<string, unknown>> = {
  '/ns_encyclopedia': { query: { searchinfo: { totalhits: 0 }, search: [] } },
  '/ns_knowledge': { search: [] },
  '/ns_press': {},
  '/ns_scholar': { meta: { count: 0, page: 1, per_page: 15 }, results: [] },
}

/** What the upstreams say, by the beginning of the path. A number is a status. */
let said: Readonly<Record<string, unknown>> = replies
const upstreams = createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith('/ns_archive/web/')) {
    const headers = {
      'content-type': 'text/html',
      'memento-datetime': 'Wed, 01 Jan 2020 00:00:00 GMT',
    }
    const text = 'The page as it was on the first day of the year. '.repeat(20)
    response.writeHead(200, headers).end(`<title>Old</title><main><p>${text}</p></main>`)
    return
  }
  const [, reply] = Object.entries(said).find(([path]) => request.url?.startsWith(`${path}/`)) ?? []
  const status = typeof reply === 'number' ? reply : 200
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify(status === 200 ? reply : {}))
})

const endings: (() => Promise<void>)[] = []
let gateway: Gateway
beforeAll(async () => {
  upstreams.listen(0, '127.0.0.1')
  await once(upstreams, 'listening')
  const port = portOf(upstreams)
  const env = Object.fromEntries(
    [...Object.keys(replies), '/ns_archive'].map((path) => [
      `${path.slice(1).toUpperCase()}_BASE_URL`,
      `http://127.0.0.1:${port}${path}`,
    ]),
  )
  gateway = await startGateway({ env }, (end) => endings.unshift(end))
})
beforeEach(() => {
  said = replies
})
afterAll(async () => {
  for (const end of endings) await end()
  upstreams.closeAllConnections()
  upstreams.close()
})

const search = { query: 'who founded the Red Cross?', facets: ['web'] }

test('a gateway without a vendor finds evidence for the flat price, and tells what it could not ask', async () => {
  const account = await gateway.account(10)
  const { body } = await account.call('tollway/onesearch', search)
  expect(body).toMatchObject({ ok: true, charged_cents: 5, balance_remaining_cents: 5 })
  const { evidence, routing } = body.data
  expect(evidence.map(({ source }: { source: string }) => source).toSorted()).toEqual([
    'ns_encyclopedia/search',
    'ns_knowledge/search',
    'ns_press/news',
    'ns_scholar/works',
  ])
  expect(routing.note).toContain('no key for ns_semantic/search')
  const { timeline } = (await account.get(`/api/v1/transactions/${body.transaction_id}`)).body
  const hops = timeline.filter(({ event }: { event: string }) => event === 'hop')
  const costs = hops.map(({ action, ok, charged_cents }: Record<string, unknown>) => [
    ...[action, ok, charged_cents],
  ])
  // Nothing that was tried to read the page of the press has worked.
  const answered = costs.filter(
    ([action, ok]: readonly unknown[]) => ok || action === 'search-index',
  )
  expect(answered.toSorted()).toEqual([
    ['news', true, 1],
    ['search', true, 1],
    ['search', true, 1],
    // This account has no index of its own.
    ['search-index', false, 0],
    ['works', true, 1],
  ])
  expect(await account.state()).toEqual({ availableCents: 5, heldCents: 0, transactions: 1 })
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})

test('each source call has a transaction id of its own, which its owner reads back for free', async () => {
  const account = await gateway.account(10)
  const asked = { ...search, query: 'who leads the Red Cross?' }
  const { body } = await account.call('tollway/onesearch', asked)
  const { evidence } = body.data
  const ids: string[] = evidence.map((item: { transaction_id: string }) => item.transaction_id)
  expect(new Set([body.transaction_id, ...ids]).size).toBe(5)
  const stranger = await gateway.account(10)
  for (const { source, transaction_id, citations } of evidence) {
    expect(citations).toMatchObject([{ source, transaction_id }])
    const read = await account.call('tollway/result', { transaction_id })
    expect(read.body.data).toMatchObject({
      transaction_id,
      action: source,
      status: 'succeeded',
      paid_by_transaction_id: body.transaction_id,
      charged_cents: 0,
      result: { provider: expect.any(String) },
    })
    const refused = await stranger.call('tollway/result', { transaction_id })
    expect(refused.body.error).toBe('not_found')
  }
  expect(await account.state()).toEqual({ availableCents: 5, heldCents: 0, transactions: 1 })
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})

test('one source that fails leaves the evidence of the others', async () => {
  said = { ...replies, '/ns_press': 500, '/ns_scholar': 429, '/ns_knowledge': 'wrong' }
  const account = await gateway.account(10)
  const { status, body } = await account.call('tollway/onesearch', {
    ...search,
    query: 'which museum has the Mona Lisa?',
  })
  expect(status).toBe(200)
  expect(body.data.count).toBe(1)
  const outcomes = body.data.routing.asked.map(({ outcome }: { outcome: string }) => outcome)
  expect(outcomes).toContain('failed')
  expect(body.charged_cents).toBe(5)
})

test('a search that finds nothing is free and says what was asked', async () => {
  said = silence
  const account = await gateway.account(10)
  const { status, body } = await account.call('tollway/onesearch', {
    query: 'a question without an answer',
    facets: ['academic'],
  })
  expect({ status, error: body.error }).toEqual({ status: 404, error: 'not_found' })
  expect(body.data.routing.asked.length).toBeGreaterThan(0)
  expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
})

test('a search whose sources all fail is free', async () => {
  said = Object.fromEntries(Object.keys(replies).map((path) => [path, 400]))
  const account = await gateway.account(10)
  const { status, body } = await account.call('tollway/onesearch', {
    query: 'a question that no source can take',
    facets: ['academic'],
  })
  expect(status).toBeGreaterThanOrEqual(500)
  expect(body).toMatchObject({ ok: false, error: 'upstream_error' })
  expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
})

test('pages are read instead of searched', async () => {
  const account = await gateway.account(10)
  const urls = [`${gateway.url}/docs/use`]
  const { body } = await account.call('tollway/onesearch', { urls })
  expect(body).toMatchObject({ ok: true, charged_cents: 5 })
  expect(body.data.evidence).toMatchObject([{ url: urls[0], facet: 'scrape', primary: true }])
  expect(body.data.evidence[0].content).toContain('Authorization')
})

test('the archived copy of a page is read as text', async () => {
  const account = await gateway.account(10)
  const asked = { urls: ['https://example.com/page'], asOf: '20200101' }
  const { body } = await account.call('tollway/onesearch', asked)
  expect(body.data.evidence).toMatchObject([
    { source: 'ns_archive/fetch', title: 'Old', published_at: '2020-01-01' },
  ])
  expect(body.data.evidence[0].content).toMatch(/^The page as it was/)
})

test('whole texts are read where they are required, and what cannot be read stays as it is', async () => {
  said = {
    ...silence,
    '/ns_press': { articles: [{ url: `${gateway.url}/docs/use`, title: 'The guide' }] },
  }
  const account = await gateway.account(10)
  const asked = { query: 'how does the "Tollway Guide" work?', fidelityRequired: true }
  const { body } = await account.call('tollway/onesearch', asked)
  const contents = body.data.evidence.map(({ source, content }: Record<string, string>) => [
    source,
    content?.includes('Authorization') ?? null,
  ])
  expect(contents).toContainEqual(['ns_press/news', true])
})

test('fields that do not go together are refused before anything is held', async () => {
  const account = await gateway.account(10)
  const { status, body } = await account.call('tollway/onesearch', {
    facets: ['scrape'],
    query: 'q',
  })
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'bad_request' })
  const local = await account.call('tollway/onesearch', { urls: ['http://127.0.0.1/'] })
  expect(local.body.error).toBe('bad_url')
  expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
})

test('the price is quoted without a credential', async () => {
  const reply = await gateway.request('POST', '/api/run/tollway/onesearch?quote=true', {
    body: search,
  })
  expect(reply.body).toMatchObject({ data: { price: { cents: 5, max_cents: 5 } } })
})
