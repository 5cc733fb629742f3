// Any string, number, id, filter or header is answered or refused with 4xx. A 5xx would say that the gateway or a
// provider has failed.
//
// `validateCall` refuses most hostile values for an action before anything else reads them. The tests hand it every
// value of every field, send over HTTP what it lets through, and of what it refuses one value for each action, because
// refusals leave the gateway on one way. With TEST_DEPTH=deep they send everything.
import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { type Action, z } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import { validateCall } from '#core/input/validate.ts'
import { credentialNames } from '#core/provider.ts'
import { depth } from '#test/depth.ts'
import { adminToken, shareGateway, type TestAccount } from '#test/harness.ts'
import { testCredential } from '#test/run-action.ts'
import { testWallet } from '#test/test-wallet.ts'

const uuid = '01970000-0000-7000-8000-000000000000'
const strings = [
  '\0',
  'a\0b',
  `${uuid}\0`,
  '\ud800',
  'a\udc00b',
  '',
  ' ',
  '%',
  '%00',
  "'; drop table call; --",
  '../../etc/passwd',
  '\u202e\u200b\ufeff',
  '😀'.repeat(300),
  'x'.repeat(20_000),
  uuid,
  'NaN',
  '__proto__',
  '9007199254740993',
  '1e400',
]
const numbers = [
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  2 ** 31,
  2 ** 63,
  1e21,
  Number.MAX_VALUE,
  -1,
  0,
  -0,
  0.1,
  5e-324,
]
const others = [null, true, [], {}, [null], ['\0'], { '\0': '\0' }, [[[['\0']]]]]
const hostile = [...strings, ...numbers, ...others]
const anything = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.jsonValue({ maxDepth: 2 }),
)

const shared = shareGateway({
  upstreamWallet: testWallet,
  env: Object.fromEntries(
    providers.flatMap((provider) => [
      // No such vendor runs. A request to it would show as a 5xx, so calls are quoted.
      [`${provider.id.toUpperCase()}_BASE_URL`, 'http://127.0.0.1:9'],
      ...credentialNames(provider)
        .slice(0, 1)
        .map((name) => [name, testCredential(provider)]),
    ]),
  ),
})

let account: TestAccount
beforeAll(async () => {
  account = await shared().account(1_000_000)
})

interface Route {
  readonly method: string
  /** `:value` is replaced by the tested value. */
  readonly path: string
  readonly as: 'operator' | 'account' | 'stranger'
  readonly body?: Readonly<Record<string, unknown>>
}

const amount = { amount_cents: 1, reason: 'x' }
const limits = {
  name: 'x',
  max_cents_per_call: 1,
  max_cents_per_day: 1,
  max_cents_per_month: 1,
  actions: ['test/echo'],
  expires_at: '2099-01-01T00:00:00Z',
}
const admin = '/api/v1/admin'
const routes: readonly Route[] = [
  { method: 'GET', path: '/api/run/:value/echo', as: 'account' },
  { method: 'GET', path: '/api/run/test/:value', as: 'account' },
  { method: 'POST', path: '/api/run/:value/echo', as: 'account', body: {} },
  { method: 'POST', path: '/api/run/test/echo?quote=:value', as: 'account', body: {} },
  {
    method: 'POST',
    path: '/api/run/test/echo',
    as: 'account',
    body: { text: 'x', max_cost_cents: 2 },
  },
  {
    method: 'POST',
    path: '/api/run/test/purchase',
    as: 'account',
    body: { max_cost_cents: 2 },
  },
  {
    method: 'POST',
    path: '/api/run/test/capped',
    as: 'account',
    body: { max_cost_cents: 25 },
  },
  { method: 'POST', path: '/api/run/test/launch', as: 'account', body: { id: 'x' } },
  { method: 'POST', path: '/api/run/test/poll', as: 'account', body: { id: 'x' } },
  { method: 'POST', path: '/api/run/test/job', as: 'account', body: { steps: 1 } },
  {
    method: 'POST',
    path: '/api/run/tollway/result',
    as: 'account',
    body: { transaction_id: uuid, job_id: uuid },
  },
  {
    method: 'POST',
    path: '/api/run/tollway/discover',
    as: 'stranger',
    body: { query: 'x', limit: 1 },
  },
  { method: 'GET', path: '/api/jobs/:value', as: 'stranger' },
  { method: 'GET', path: `/api/jobs/${uuid}?exp=:value&sig=:value`, as: 'stranger' },
  { method: 'GET', path: '/api/v1/account', as: 'account' },
  { method: 'GET', path: '/api/v1/transactions/:value', as: 'account' },
  ...['status', 'action', 'from', 'until', 'limit', 'cursor'].map((name) => ({
    method: 'GET',
    path: `/api/v1/transactions?${name}=:value`,
    as: 'account' as const,
  })),
  { method: 'POST', path: '/api/v1/keys', as: 'account', body: limits },
  { method: 'GET', path: '/api/v1/keys/:value', as: 'account' },
  { method: 'PATCH', path: '/api/v1/keys/:value', as: 'account', body: limits },
  { method: 'DELETE', path: '/api/v1/keys/:value', as: 'account' },
  { method: 'POST', path: '/api/v1/agents', as: 'stranger', body: { name: 'x' } },
  { method: 'GET', path: '/claim/:value', as: 'stranger' },
  { method: 'POST', path: '/claim/:value', as: 'stranger', body: { name: 'x' } },
  {
    method: 'POST',
    path: '/api/v1/topups',
    as: 'stranger',
    body: { account_id: uuid, amount_cents: 10 },
  },
  {
    method: 'POST',
    path: '/api/llm/v1/chat/completions',
    as: 'account',
    body: { model: 'x', messages: [], max_cost_cents: 1, max_tokens: 1 },
  },
  { method: 'GET', path: '/api/llm/v1/models/:value', as: 'stranger' },
  {
    method: 'POST',
    path: `${admin}/accounts`,
    as: 'operator',
    body: { name: 'x', balance_cents: 1 },
  },
  { method: 'GET', path: `${admin}/accounts?limit=:value&cursor=:value`, as: 'operator' },
  { method: 'GET', path: `${admin}/accounts/:value`, as: 'operator' },
  { method: 'POST', path: `${admin}/accounts/${uuid}/credit`, as: 'operator', body: amount },
  { method: 'POST', path: `${admin}/accounts/:value/credit`, as: 'operator', body: amount },
  { method: 'POST', path: `${admin}/accounts/:value/debit`, as: 'operator', body: amount },
  {
    method: 'POST',
    path: `${admin}/accounts/:value/freeze`,
    as: 'operator',
    body: { reason: 'x' },
  },
  { method: 'POST', path: `${admin}/accounts/:value/keys`, as: 'operator', body: limits },
  { method: 'PATCH', path: `${admin}/accounts/:value/keys/${uuid}`, as: 'operator', body: limits },
  { method: 'DELETE', path: `${admin}/accounts/${uuid}/keys/:value`, as: 'operator' },
  { method: 'GET', path: `${admin}/transactions/:value`, as: 'operator' },
  {
    method: 'GET',
    path: `${admin}/transactions?account_id=:value&action=:value&cursor=:value`,
    as: 'operator',
  },
  { method: 'GET', path: `${admin}/treasury?from_block=:value`, as: 'operator' },
  { method: 'GET', path: `${admin}/misfits/:value`, as: 'operator' },
  {
    method: 'POST',
    path: `${admin}/purchases/:value`,
    as: 'operator',
    body: { outcome: 'void', note: 'x', charged_cents: 1 },
  },
]

async function statusOf({ method, path, as }: Route, value: unknown, body?: unknown) {
  const key = as === 'operator' ? adminToken : as === 'account' ? account.key : undefined
  // Sent without any check, as by a careless program.
  const text = (typeof value === 'string' ? value : String(JSON.stringify(value))).toWellFormed()
  const at = path.replaceAll(':value', encodeURIComponent(text.slice(0, 4_000)) || '%20')
  const raw = body === undefined ? {} : { raw: JSON.stringify(body) }
  const { status, body: said } = await shared().request(method, at, { key, ...raw })
  return { status, said, at }
}

async function expectNoFailure(route: Route, value: unknown, body?: unknown) {
  const { status, said, at } = await statusOf(route, value, body)
  const seen = `${route.method} ${at.slice(0, 200)} ${JSON.stringify(body)?.slice(0, 200)}: ${JSON.stringify(said)?.slice(0, 300)}`
  // No payment rail and no model is set up here, so these routes answer 503.
  const isClosed = /topups|\/llm\//.test(route.path)
  if (isClosed && status === 503 && /wallet|model/.test(JSON.stringify(said))) return
  expect(status, seen).toBeLessThan(500)
}

test.each(routes)('$method $path is never answered with 5xx', async (route) => {
  const names = Object.keys(route.body ?? {})
  for (const value of hostile) {
    if (route.path.includes(':value')) await expectNoFailure(route, value, route.body)
    for (const name of names) await expectNoFailure(route, uuid, { ...route.body, [name]: value })
  }
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom('', ...names), async (value, name) => {
      const body = route.body && (name === '' ? value : { ...route.body, [name]: value })
      await expectNoFailure(route, value, body)
    }),
    { numRuns: depth(10, 40) },
  )
})

describe('actions of the catalog, quoted', () => {
  const fieldValues = [
    '\0',
    'a\0b',
    '\ud800',
    'x'.repeat(3_000),
    '',
    2 ** 53,
    1e308,
    -1,
    ['\0'],
    [''],
    {},
  ]
  const actions = providers.flatMap((provider) =>
    provider.actions.map((action, place) => ({
      id: `${provider.id}/${action.name}`,
      action,
      place,
    })),
  )

  /** Whether the gateway refuses this input when it reads it, as the fault of the caller. */
  function isRefused(action: Action, input: object): boolean {
    try {
      validateCall(action, JSON.parse(JSON.stringify(input)))
      return false
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown
      expect(thrown.status).toBeLessThan(500)
      return true
    }
  }

  test.each(actions)('$id is never answered with 5xx', async ({ id, action, place }) => {
    if (action.unavailable !== undefined) return
    const { properties = {} } = z.toJSONSchema(action.input, {
      io: 'input',
      unrepresentable: 'any',
    })
    const example = action.example.input as object
    const inputs = [...Object.keys(properties), 'max_cost_cents'].flatMap((name) =>
      fieldValues.map((value) => ({ ...example, [name]: value })),
    )
    const refused = inputs.filter((input) => isRefused(action, input))
    const first = place % refused.length
    const unsent = new Set(refused)
    for (const input of refused.slice(first, first + depth(1, refused.length))) unsent.delete(input)
    for (const input of inputs.filter((each) => !unsent.has(each))) {
      const { status, body } = await account.call(`${id}?quote=true`, input)
      const seen = `${JSON.stringify(input).slice(0, 500)} ${JSON.stringify(body)}`
      expect(status, seen).toBeLessThan(500)
    }
  })
})

test.each([
  'idempotency-key',
  'authorization',
  'payment-signature',
  'x-payment',
  'accept-payment',
  'sign-in-with-x',
])('the header %s may hold anything that a header can', async (name) => {
  const values = [
    '',
    ' ',
    'x'.repeat(6_000),
    '\u00ff\u0080',
    'Bearer \u00ff',
    'Payment \u00ff',
    'e30=',
    'null',
    '{}',
    '9007199254740993',
    'Payment e30',
    btoa('{"x402Version":2}'),
    btoa('"\\u0000"'),
  ]
  for (const value of values) {
    const status = await sendHeader(name, value)
    expect(status, `${name}: ${value.slice(0, 40)}`).toBeLessThan(500)
  }
})

/** Sends the raw bytes, which fetch would refuse to send. */
function sendHeader(name: string, value: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${account.key}`,
    'content-type': 'application/json',
    [name]: value,
  }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${shared().url}/api/run/test/echo`,
      { method: 'POST', headers },
      (reply) => {
        reply.resume()
        resolve(reply.statusCode ?? 0)
      },
    )
    sent.on('error', reject).end('{}')
  })
}
