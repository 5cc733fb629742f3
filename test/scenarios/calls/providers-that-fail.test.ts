// A provider that is down is not called for a while, and the operator can see that and the cost of each call.
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { adminToken, shareGateway, startGateway, verify } from '#test/harness.ts'
import { startReplayServer } from '#test/replay-server.ts'

const ask = (status: number, body: object) => ({
  request: {
    method: 'POST',
    path: '/search',
    query: {},
    body: { query: 'tea', type: 'auto', numResults: 10 },
  },
  reply: { status, body },
})

const vendor = await startReplayServer([])
afterAll(vendor.close)
const baseUrl = vendor.baseUrlFor('')
const searchEnv = { NS_SEMANTIC_BASE_URL: baseUrl, EXA_API_KEY: 'exa-key' }
const shared = shareGateway({
  env: {
    ...searchEnv,
    NS_RAG_BASE_URL: baseUrl,
    TAVILY_API_KEY: 'tavily-key',
    NS_CITE_BASE_URL: baseUrl,
    LINKUP_API_KEY: 'linkup-key',
  },
})

test('after five failures the vendor is not called for a while, and nothing is charged', async () => {
  const server = await startReplayServer(Array.from({ length: 5 }, () => ask(500, {})))
  onTestFinished(server.close)
  const gateway = await startGateway({
    env: { ...searchEnv, NS_SEMANTIC_BASE_URL: server.baseUrlFor('') },
  })
  const account = await gateway.account(100)
  for (let call = 0; call < 7; call += 1) {
    const reply = await account.call('ns_semantic/search', { query: 'tea' })
    expect(reply.body).toMatchObject({ ok: false, error: 'upstream_error' })
    expect(reply.headers.has('retry-after')).toBe(call >= 5)
  }
  expect(server.problems()).toEqual([])
  const { body } = await gateway.request('GET', '/api/v1/admin/providers', { key: adminToken })
  const services = body.providers as { service: string; circuits: object[] }[]
  expect(services.find(({ service }) => service === 'ns_semantic')?.circuits).toMatchObject([
    { state: 'open', failures: 5, retry_at: expect.any(String) },
  ])
  expect(services.filter(({ circuits }) => circuits.length > 0)).toHaveLength(1)
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('a vendor’s demand for payment never reaches the caller as a 402', async () => {
  vendor.add([ask(402, {})])
  const account = await shared().account(100)
  const reply = await account.call('ns_semantic/search', { query: 'tea' })
  expect(reply.status).toBe(500)
  expect(reply.body).toMatchObject({
    error: 'upstream_error',
    data: { reason: 'provider_unfunded' },
  })
})

test('the operator sees the cost of a transaction', async () => {
  vendor.add([ask(200, { results: [], costDollars: { total: 0.007 } })])
  const gateway = shared()
  const account = await gateway.account(100)
  const { body: call } = await account.call('ns_semantic/search', { query: 'tea' })
  const path = `/api/v1/admin/transactions/${call.transaction_id}`
  const { body } = await gateway.request('GET', path, { key: adminToken })
  expect(body).toMatchObject({
    account_id: account.id,
    action: 'ns_semantic/search',
    charged_cents: 1,
    cost_usd: '0.007000',
  })
  const none = await gateway.request('GET', '/api/v1/admin/transactions/none', { key: adminToken })
  expect(none.status).toBe(404)
})

test('the operator sees what vendors let them still use, and an account that does not answer suspends no call', async () => {
  const told = (status: number, path: string, body: object) => ({
    request: { method: 'GET', path, query: {} },
    reply: { status, body },
  })
  const account = { plan_usage: 400, plan_limit: 1_000 }
  vendor.add([
    told(200, '/usage', { key: { usage: 1, limit: null }, account }),
    told(401, '/credits/balance', {}),
  ])
  const { body } = await shared().request('GET', '/api/v1/admin/providers', { key: adminToken })
  const find = (id: string) =>
    body.providers.find(({ service }: { service: string }) => service === id)
  expect(find('ns_rag').quota).toMatchObject({ remaining: 600, limit: 1_000, unit: 'credits' })
  expect(find('ns_cite')).toMatchObject({
    quota: { problem: expect.any(String) },
    circuits: [],
  })
  expect(find('ns_semantic').quota).toBeNull()
  expect(vendor.problems()).toEqual([])
})
