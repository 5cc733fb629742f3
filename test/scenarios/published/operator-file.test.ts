// The operator's file adds endpoints of ns_primary/fetch and actors of platforms.
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '#test/harness.ts'

const reply = { date: '2026-09-15', data: { rates: [{ currency: 'USD', rate: 1.1 }] } }

async function openSource() {
  const asked: { url: string; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', key: request.headers['x-key'] as string | undefined })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { asked, host: `127.0.0.1:${port}` }
}

async function writeCatalog(host: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-catalog-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'catalog.json')
  const rates = {
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
      headers: { 'x-key': '{BANK_API_KEY}' },
    },
    result: '/data/rates',
    cache_seconds: 60,
    example: { base: 'EUR' },
    synonyms: ['currency conversion'],
  }
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
  await writeFile(
    file,
    JSON.stringify({ primary_endpoints: { rates }, platform_actors: { 'myspace/posts': posts } }),
  )
  return file
}

test('an added endpoint is described, found, paid, answered from its source, and cached', async () => {
  const { asked, host } = await openSource()
  const gateway = await startGateway({
    env: {
      CATALOG_FILE: await writeCatalog(host),
      BANK_API_KEY: 'key of the bank',
      EGRESS_ALLOW: host,
    },
  })
  const described = await gateway.request('GET', '/api/run/ns_primary/fetch')
  expect(described.body.endpoints).toContainEqual({
    endpoint: 'rates',
    summary: 'The exchange rates of the central bank on a day.',
    price_cents: 3,
    required: ['base'],
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
  const inner = { endpoint: 'rates', base: 'EUR', page: 'http://169.254.169.254/latest' }
  expect((await account.call('ns_primary/fetch', inner)).body.error).toBe('bad_url')
  expect(asked).toHaveLength(1)
})

test('a source in the operator’s own network is not called unless that is allowed', async () => {
  const { asked, host } = await openSource()
  const env = { CATALOG_FILE: await writeCatalog(host), BANK_API_KEY: 'key of the bank' }
  const gateway = await startGateway({ env })
  const account = await gateway.account(100)
  const { status } = await account.call('ns_primary/fetch', { endpoint: 'rates', base: 'EUR' })
  expect(status).toBeGreaterThanOrEqual(500)
  expect(asked).toEqual([])
  expect(await account.state()).toMatchObject({ availableCents: 100 })
})

test('an endpoint without its key names the missing key, and an added actor is sold', async () => {
  const { host } = await openSource()
  const gateway = await startGateway({
    env: { CATALOG_FILE: await writeCatalog(host), PLATFORM_DATA_API_KEY: 'k', EGRESS_ALLOW: host },
  })
  const account = await gateway.account(100)
  const refused = await account.call('ns_primary/fetch', { endpoint: 'rates', base: 'EUR' })
  expect([refused.status, refused.body.message]).toEqual([503, 'Set BANK_API_KEY and restart.'])
  const posts = await gateway.request('GET', '/api/run/myspace/posts')
  expect(posts.body).toMatchObject({ mode: 'live', summary: 'Get the posts of Myspace bands.' })
  const quote = await account.call('myspace/posts?quote=true', {
    bands: ['Wet Leg'],
    maxItems: 100,
  })
  expect(quote.status).toBe(200)
})

test('a mistake in the file stops the start, and its line is named', async () => {
  const { host } = await openSource()
  const file = await writeCatalog(host)
  await writeFile(file, '{\n  "primary_endpoints": {\n    "rates": { "cents": 0 }\n  }\n}')
  await expect(startGateway({ env: { CATALOG_FILE: file } })).rejects.toThrow(
    /CATALOG_FILE: line 3 of .*catalog\.json: primary_endpoints\.rates\./,
  )
})
