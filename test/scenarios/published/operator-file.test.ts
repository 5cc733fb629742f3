// The operator's file adds endpoints of ns_primary/fetch and actors of platforms.
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGateway, startGateway } from '#test/harness.ts'

const reply = { date: '2026-09-15', data: { rates: [{ currency: 'USD', rate: 1.1 }] } }

async function openSource() {
  const asked: { url: string; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', key: request.headers['x-key'] as string | undefined })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  return { asked, host: `127.0.0.1:${port}`, close: () => server.close() }
}

type Source = Awaited<ReturnType<typeof openSource>>

const ratesOf = (host: string, key = 'BANK_API_KEY') => ({
  summary: 'The exchange rates of the central bank on a day.',
  price_cents: 3,
  source: 'Central bank',
  parameters: {
    base: { type: 'string', description: 'Currency.', pattern: '^[A-Z]{3}$', required: true },
    day: { type: 'string', description: 'Day, YYYY-MM-DD.' },
    page: { type: 'url', description: 'Page that the rates are for.' },
  },
  request: {
    url: `http://${host}/v1/{base}`,
    query: { on: '{day}', page: '{page}' },
    headers: { 'x-key': `{${key}}` },
  },
  result: '/data/rates',
  cache_seconds: 60,
  example: { base: 'EUR' },
  synonyms: ['currency conversion'],
})

const posts = {
  actor: 'me/myspace',
  title: 'Myspace',
  summary: 'Get the posts of Myspace bands.',
  identifier: 'bands',
  form: 'texts',
  describe: 'Names of bands.',
  rows_max: 100,
  example: ['Wet Leg'],
}

let folder: string
let file: string
let allowed: Source
let inner: Source
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollway-catalog-'))
  file = path.join(folder, 'catalog.json')
  allowed = await openSource()
  inner = await openSource()
  const primary_endpoints = {
    rates: ratesOf(allowed.host),
    'inner-rates': ratesOf(inner.host),
    'closed-rates': ratesOf(allowed.host, 'MINT_API_KEY'),
  }
  const platform_actors = { 'myspace/posts': posts }
  await writeFile(file, JSON.stringify({ primary_endpoints, platform_actors }))
})
afterAll(async () => {
  for (const { close } of [allowed, inner]) close()
  await rm(folder, { recursive: true, force: true })
})

const shared = shareGateway(() => ({
  env: {
    CATALOG_FILE: file,
    BANK_API_KEY: 'key of the bank',
    PLATFORM_DATA_API_KEY: 'k',
    EGRESS_ALLOW: allowed.host,
  },
}))

test('an added endpoint is described, found, paid, answered from its source, and cached', async () => {
  const { asked } = allowed
  const gateway = shared()
  const described = await gateway.request('GET', '/api/run/ns_primary/fetch')
  expect(described.body.endpoints).toContainEqual({
    endpoint: 'rates',
    summary: 'The exchange rates of the central bank on a day.',
    price_cents: 3,
    required: ['base'],
    optional: ['day', 'page'],
    example: { endpoint: 'rates', base: 'EUR' },
  })
  expect(described.body.input_schema.properties).toHaveProperty('base')
  const discovered = await gateway.call('tollway/discover', {
    query: 'exchange rates central bank',
  })
  expect(discovered.body.data.hits).toContainEqual(
    expect.objectContaining({ action: 'fetch', example: { endpoint: 'rates', base: 'EUR' } }),
  )

  const account = await gateway.account(100)
  for (const _again of [1, 2]) {
    const { status, body } = await account.call('ns_primary/fetch', {
      endpoint: 'rates',
      base: 'EUR',
    })
    expect([status, body.data, body.charged_cents]).toEqual([
      200,
      {
        provider: 'Primary sources',
        endpoint: 'rates',
        source: 'Central bank',
        result: { items: reply.data.rates },
      },
      3,
    ])
  }
  expect(asked).toEqual([{ url: '/v1/EUR', key: 'key of the bank' }])

  for (const [wrong, field] of [
    [{ base: 'euro' }, 'base'],
    [{}, 'base'],
    [{ base: 'EUR', cik: '1' }, 'cik'],
  ] as const) {
    const refused = await account.call('ns_primary/fetch', { endpoint: 'rates', ...wrong })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining(field),
    ])
  }
  const metadata = { endpoint: 'rates', base: 'EUR', page: 'http://169.254.169.254/latest' }
  expect((await account.call('ns_primary/fetch', metadata)).body.error).toBe('bad_url')
  expect(asked).toHaveLength(1)
})

test('a source in the operator’s own network is not called unless that is allowed', async () => {
  const account = await shared().account(100)
  const { status } = await account.call('ns_primary/fetch', {
    endpoint: 'inner-rates',
    base: 'EUR',
  })
  expect(status).toBeGreaterThanOrEqual(500)
  expect(inner.asked).toEqual([])
  expect(await account.state()).toMatchObject({ availableCents: 100 })
})

test('an endpoint without its key names the missing key, and an added actor is sold', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const refused = await account.call('ns_primary/fetch', { endpoint: 'closed-rates', base: 'EUR' })
  expect([refused.status, refused.body.message]).toEqual([503, 'Set MINT_API_KEY and restart.'])
  const posts = await gateway.request('GET', '/api/run/myspace/posts')
  expect(posts.body).toMatchObject({ mode: 'live', summary: 'Get the posts of Myspace bands.' })
  const quote = await account.call('myspace/posts?quote=true', {
    bands: ['Wet Leg'],
    maxItems: 100,
  })
  expect(quote.status).toBe(200)
})

test('a mistake in the file stops the start, and its line is named', async () => {
  const wrong = path.join(folder, 'wrong', 'catalog.json')
  await mkdir(path.dirname(wrong))
  await writeFile(wrong, '{\n  "primary_endpoints": {\n    "rates": { "cents": 0 }\n  }\n}')
  await expect(startGateway({ env: { CATALOG_FILE: wrong } })).rejects.toThrow(
    /CATALOG_FILE: line 3 of .*catalog\.json: primary_endpoints\.rates\./,
  )
})
