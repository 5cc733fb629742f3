// Bad input is answered with a clear 4xx. It costs nothing, reaches no vendor and leaves no transaction.
import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

interface Refusal {
  readonly title: string
  readonly action?: string
  readonly body?: unknown
  readonly raw?: string
  readonly headers?: Record<string, string>
  readonly status: number
  readonly error: string
  readonly says: RegExp
}

const refusals: Refusal[] = [
  {
    title: 'an unknown parameter',
    body: { text: 'a', colour: 'red' },
    status: 400,
    error: 'bad_request',
    says: /"colour".*takes: text/,
  },
  {
    title: 'a wrong type',
    body: { text: 7 },
    status: 400,
    error: 'bad_request',
    says: /text: .*expected string/i,
  },
  {
    title: 'parameters that are missing',
    action: 'test/rows',
    body: { rows: 1 },
    status: 400,
    error: 'bad_request',
    says: /^"delivered" is missing\. Send it as a (whole )?number\.$/,
  },
  {
    title: 'malformed JSON',
    raw: '{"text":',
    status: 400,
    error: 'bad_request',
    says: /not valid JSON/,
  },
  {
    title: 'an array for a body',
    body: [],
    status: 400,
    error: 'bad_request',
    says: /JSON object/,
  },
  {
    title: 'a bare string for a body',
    raw: '"hello"',
    status: 400,
    error: 'bad_request',
    says: /JSON object/,
  },
  { title: 'null for a body', raw: 'null', status: 400, error: 'bad_request', says: /JSON object/ },
  {
    title: 'a parameter that would change a prototype',
    raw: '{"__proto__":{"text":"a"},"x":1}',
    status: 400,
    error: 'bad_request',
    says: /Unknown parameter/,
  },
  {
    title: 'a ceiling that is not a number',
    body: { max_cost_cents: '5' },
    status: 400,
    error: 'bad_request',
    says: /max_cost_cents/,
  },
  {
    title: 'a negative ceiling',
    body: { max_cost_cents: -1 },
    status: 400,
    error: 'bad_request',
    says: /max_cost_cents/,
  },
  {
    title: 'a fractional ceiling',
    body: { max_cost_cents: 1.5 },
    status: 400,
    error: 'bad_request',
    says: /max_cost_cents/,
  },
  {
    title: 'a ceiling below the price',
    body: { max_cost_cents: 1 },
    status: 402,
    error: 'max_cost_exceeded',
    says: /costs 2¢.*Raise the ceiling/,
  },
  {
    title: 'a purchase without a ceiling',
    action: 'test/purchase',
    body: { costs: 1 },
    status: 402,
    error: 'max_cost_required',
    says: /max_cost_cents/,
  },
  {
    title: 'a price above the balance',
    action: 'test/capped',
    body: { costs: 1 },
    status: 402,
    error: 'insufficient_balance',
    says: /0\.250000.*0\.100000.*Top up/,
  },
  {
    title: 'an unknown action',
    action: 'test/nothing',
    body: {},
    status: 404,
    error: 'not_found',
    says: /GET \/api\/run/,
  },
  {
    title: 'an unknown service',
    action: 'nobody/nothing',
    body: {},
    status: 404,
    error: 'not_found',
    says: /GET \/api\/run/,
  },
  {
    title: 'a malformed idempotency key',
    body: {},
    headers: { 'idempotency-key': 'two words' },
    status: 400,
    error: 'bad_request',
    says: /Idempotency-Key/,
  },
  {
    title: 'a body above the limit',
    raw: JSON.stringify({ text: 'x'.repeat(1_000_001) }),
    status: 413,
    error: 'payload_too_large',
    says: /1000000 bytes/,
  },
  {
    title: 'a body that says it is compressed',
    body: { text: 'a' },
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    error: 'unsupported_encoding',
    says: /uncompressed/,
  },
  {
    title: 'an action without its provider',
    action: 'ns_semantic/search',
    body: { query: 'x' },
    status: 503,
    error: 'provider_not_configured',
    says: /NS_SEMANTIC_API_KEY/,
  },
]

describe('a refused call costs 0¢ and leaves no transaction', async () => {
  const shared = shareGatewayOfWorker()

  test.each(refusals)(
    '$title: $status $error',
    async ({ action = 'test/echo', body, raw, headers, status, error, says }) => {
      const gateway = shared()
      const account = await gateway.account(10)
      const reply = await gateway.request('POST', `/api/run/${action}`, {
        key: account.key,
        ...(headers === undefined ? {} : { headers }),
        ...(raw === undefined ? { body } : { raw }),
      })
      expect(reply.status).toBe(status)
      expect(reply.body).toMatchObject({ ok: false, error })
      expect(reply.body.message).toMatch(says)
      expect(gateway.provider.asked).toEqual([])
      expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
    },
  )

  const credentials = [
    { title: 'no credential', authorization: undefined },
    { title: 'an empty credential', authorization: 'Bearer ' },
    {
      title: 'a mistyped key',
      authorization: 'Bearer tw_live_0000000000000000000000000000000000AA',
    },
    { title: 'another scheme', authorization: 'Basic dXNlcjpwYXNz' },
  ]
  test.each(credentials)(
    '$title: 401 invalid_token, with words that help',
    async ({ authorization }) => {
      const gateway = shared()
      const calls = 'select count(*) from call'
      const before = await gateway.database.query(calls)
      const reply = await gateway.call(
        'test/echo',
        {},
        authorization === undefined ? {} : { headers: { authorization } },
      )
      expect(reply.status).toBe(401)
      expect(reply.body).toMatchObject({ ok: false, error: 'invalid_token' })
      expect(reply.body.message).toMatch(/POST \/api\/v1\/agents/)
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/)
      expect(gateway.provider.asked).toEqual([])
      expect(await gateway.database.query(calls)).toEqual(before)
    },
  )

  test('a well-formed but unknown key: 401', async () => {
    const gateway = shared()
    const { generateApiKey } = await import('#accounts/keys/api-key.ts')
    const reply = await gateway.call('test/echo', {}, { key: generateApiKey() })
    expect(reply.body).toMatchObject({ ok: false, error: 'invalid_token' })
  })

  test('a method that an address does not support: 405 with Allow', async () => {
    const gateway = shared()
    const reply = await gateway.request('DELETE', '/api/run/test/echo')
    expect(reply.status).toBe(405)
    expect(reply.body.error).toBe('method_not_allowed')
    expect(reply.headers.get('allow')).toMatch(/GET.*POST|POST.*GET/)
  })

  test('an address that does not exist: 404', async () => {
    const gateway = shared()
    const reply = await gateway.request('GET', '/nowhere')
    expect(reply.status).toBe(404)
    expect(reply.body.error).toBe('not_found')
  })
})
