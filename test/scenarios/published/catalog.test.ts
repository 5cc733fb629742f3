import { expect, test } from 'vitest'
import { startGateway } from '#test/harness.ts'

test('GET /api/run lists every action with mode and price, including free and unavailable ones', async () => {
  const gateway = await startGateway()
  const { body } = await gateway.request('GET', '/api/run')
  expect(body.total).toBe(body.actions.length)
  expect(body.actions).toContainEqual({
    service: 'test',
    action: 'echo',
    summary: 'Answer what was sent.',
    mode: 'embedded',
    async: false,
    price: { mode: 'fixed', currency: 'USD', amount: '0.020000', protocols: [], text: '2¢' },
    endpoint: 'POST /api/run/test/echo',
  })
  const modes = Object.fromEntries(
    body.services.map((service: { service: string; mode: string }) => [
      service.service,
      service.mode,
    ]),
  )
  expect(modes).toMatchObject({
    tollway: 'embedded',
    ns_encyclopedia: 'keyless',
    ns_filings: 'keyless',
    ns_scholar: 'keyless',
    ns_semantic: 'unavailable',
  })
})

test('a credential makes its provider live', async () => {
  const gateway = await startGateway({ env: { EXA_API_KEY: 'a-key' } })
  const { body } = await gateway.request('GET', '/api/run/ns_semantic/search')
  expect(body.mode).toBe('live')
  expect(JSON.stringify(body)).not.toContain('a-key')
})

test('GET on an action returns its schemas, price, example, errors, limits, mode and documentation', async () => {
  const gateway = await startGateway()
  const { body } = await gateway.request('GET', '/api/run/test/rows')
  expect(body).toMatchObject({
    price: {
      mode: 'dynamic',
      min: '0.005000',
      max: '0.500000',
      text: '0.5¢ per row (0.5¢ to 50¢)',
    },
    input_schema: {
      type: 'object',
      properties: { rows: { minimum: 1, maximum: 100 } },
      additionalProperties: false,
    },
    output_schema: { type: 'object', properties: { rows: { type: 'array' } } },
    example: { input: { rows: 10, delivered: 10 }, cents: 5 },
    limits: { timeout_ms: 60_000 },
    mode: 'embedded',
    docs: null,
  })
  expect(body.errors).toContainEqual({
    error: 'insufficient_balance',
    status: 402,
    message: expect.any(String),
  })
})

test('GET on an unavailable action describes it too, with the reason', async () => {
  const gateway = await startGateway()
  const { body, status } = await gateway.request('GET', '/api/run/ns_semantic/search')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    mode: 'unavailable',
    reason: expect.stringContaining('NS_SEMANTIC_API_KEY'),
  })
})

test('GET on an unknown action is 404', async () => {
  const gateway = await startGateway()
  expect((await gateway.request('GET', '/api/run/test/nothing')).status).toBe(404)
})
