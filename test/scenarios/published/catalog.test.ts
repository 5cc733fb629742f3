import { expect, test } from 'vitest'
import { shareGatewayOfWorker, startGateway } from '#test/harness.ts'

const shared = shareGatewayOfWorker()

test('GET /api/run lists every action with mode and price, including free and unavailable ones', async () => {
  const gateway = shared()
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
  const gateway = shared()
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
  const gateway = shared()
  const { body, status } = await gateway.request('GET', '/api/run/ns_semantic/search')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    mode: 'unavailable',
    reason: expect.stringContaining('NS_SEMANTIC_API_KEY'),
  })
})

test('GET on an unknown action is 404', async () => {
  const gateway = shared()
  expect((await gateway.request('GET', '/api/run/test/nothing')).status).toBe(404)
})

test.each([
  ['tollway/onescrape', ['bad_url', 'onescrape_social', 'onescrape_document', 'all_blocked']],
  ['tollway/onescrape-deep', ['bad_url', 'credits_required', 'too_many_inflight']],
  ['scraping/scrape', ['bad_url', 'all_blocked']],
  ['ns_resi/scrape', ['upstream_busy', 'all_blocked']],
  ['ns_media/generate', ['content_policy_violation', 'insufficient_balance', 'credits_required']],
  ['performance/generate', ['paid_topup_required', 'content_policy_violation', 'credits_required']],
  ['ns_wine/purchase', ['max_cost_required', 'verification_required', 'outcome_unknown']],
  ['ns_filings/index', ['not_found']],
])('GET names the errors of %s', async (id, codes) => {
  const { body } = await shared().request('GET', `/api/run/${id}`)
  expect(body.errors.map(({ error }: { error: string }) => error)).toEqual(
    expect.arrayContaining([...codes]),
  )
})

test('OpenAPI names the errors of an action by their statuses', async () => {
  const { paths } = (await shared().request('GET', '/openapi.json')).body
  const { responses } = paths['/api/run/tollway/onescrape'].post
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '402', '429', '500', '502'])
  for (const code of ['bad_request', 'bad_url', 'onescrape_social', 'onescrape_document'])
    expect(responses[400].description).toContain(`${code}: `)
  expect(responses[402].description).toContain('insufficient_balance: ')
})
