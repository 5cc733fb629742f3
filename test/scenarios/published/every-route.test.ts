// Every route, requested by a limited key and by a page of another origin. A new route fails here until its answers are
// listed.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adminToken, shareGateway } from '#test/harness.ts'

const gateway = shareGateway()

/** The statuses for a limited key with foreign ids and empty bodies. */
const decided: Readonly<Record<string, number>> = {
  'GET /': 200,
  'GET /docs': 200,
  'GET /changelog': 200,
  'GET /changelog.md': 200,
  'GET /docs/search': 200,
  'GET /docs/site/:file': 404,
  'GET /docs/*': 404,
  // The gateways of tests have no console.
  'GET /console': 503,
  'GET /console/*': 503,
  'GET /llms.txt': 200,
  'GET /healthz': 200,
  'GET /readyz': 200,
  'GET /api/run': 200,
  'GET /openapi.json': 200,
  'GET /api/browsers/:id/connect': 401,
  'GET /api/browsers/:id/live': 401,
  'GET /api/browsers/:id/frames': 401,
  'GET /api/catalog': 200,
  'GET /api/run/:service/:action': 200,
  'POST /api/run/:service/:action': 200,
  // An empty object is not a JSON-RPC message.
  'POST /mcp': 400,
  'GET /api/files/:id': 404,
  'PUT /api/files/:id': 404,
  'GET /api/jobs/:id': 404,
  // A vendor that knows the secret of a job says that its work is done.
  'POST /api/jobs/:id/wake': 404,
  // Git is asked for the password of the repository. An API key is not one.
  'GET /git/:repository/info/refs': 404,
  'POST /git/:repository/git-upload-pack': 404,
  'POST /git/:repository/git-receive-pack': 404,
  'GET /git/:repository/*': 404,
  'GET /git/:repository/info/lfs/*': 400,
  'POST /git/:repository/info/lfs/*': 400,
  'GET /api/v1/connections': 200,
  // APIs that the operator sells. There is none of this name.
  'GET /sell/:name': 404,
  'GET /sell/:name/*': 404,
  'POST /sell/:name': 404,
  'POST /sell/:name/*': 404,
  'PUT /sell/:name': 404,
  'PUT /sell/:name/*': 404,
  'PATCH /sell/:name': 404,
  'PATCH /sell/:name/*': 404,
  'DELETE /sell/:name': 404,
  'DELETE /sell/:name/*': 404,
  'POST /api/llm/v1/chat/completions': 400,
  'POST /api/llm/v1/responses': 400,
  'GET /api/llm/v1/responses/:id': 404,
  'DELETE /api/llm/v1/responses/:id': 404,
  'GET /api/llm/v1/responses/:id/input_items': 404,
  'POST /api/llm/v1/responses/:id/cancel': 404,
  'POST /api/llm/v1/messages': 400,
  'POST /api/llm/v1/messages/count_tokens': 400,
  'POST /api/llm/v1/embeddings': 400,
  'POST /api/llm/v1/images/generations': 400,
  'POST /api/llm/v1/images/edits': 400,
  'POST /api/llm/v1/audio/speech': 400,
  'POST /api/llm/v1/audio/transcriptions': 400,
  'POST /api/llm/v1/moderations': 400,
  'POST /api/llm/v1/rerank': 400,
  // Of this key: those of other keys are not found.
  'POST /api/llm/v1/files': 400,
  'GET /api/llm/v1/files': 200,
  'GET /api/llm/v1/files/:id': 404,
  'GET /api/llm/v1/files/:id/content': 404,
  'DELETE /api/llm/v1/files/:id': 404,
  'POST /api/llm/v1/batches': 400,
  'GET /api/llm/v1/batches': 200,
  'GET /api/llm/v1/batches/:id': 404,
  'POST /api/llm/v1/batches/:id/cancel': 404,
  'GET /api/llm/v1/pricing': 200,
  'GET /api/llm/v1/models': 200,
  'GET /api/llm/v1/models/*': 404,
  'GET /api/llm/v1/key': 200,
  'GET /api/llm/v1/credits': 200,
  // Its own chats only.
  'GET /api/llm/v1/generation': 400,
  'POST /api/v1/keys': 403,
  'GET /api/v1/jobs': 200,
  'GET /api/v1/keys': 200,
  'GET /api/v1/keys/:id': 404,
  'PATCH /api/v1/keys/:id': 403,
  'DELETE /api/v1/keys/:id': 403,
  // A limited key may read pages within its limits.
  'GET /read/*': 400,
  'GET /api/v1/account': 200,
  // It calls the plans of its list, and reads neither their steps nor the statements of the account.
  'GET /api/v1/plans': 403,
  'POST /api/v1/plans': 403,
  'GET /api/v1/plans/:name': 403,
  'PUT /api/v1/plans/:name': 403,
  'PATCH /api/v1/plans/:name': 403,
  'DELETE /api/v1/plans/:name': 403,
  'GET /api/v1/plans/:name/revisions': 403,
  'GET /api/v1/statements': 403,
  'GET /api/v1/statements/:month': 403,
  'GET /api/v1/statements/:month.csv': 403,
  'GET /api/v1/statements/:month.pdf': 403,
  // Those that it created itself.
  'GET /api/v1/sessions': 200,
  'GET /api/v1/sessions/:id': 404,
  'DELETE /api/v1/sessions/:id': 404,
  'POST /api/v1/sessions/:id/run': 400,
  'GET /api/v1/transactions': 200,
  'GET /api/v1/transactions/sum': 200,
  'GET /api/v1/files': 200,
  'GET /api/v1/transactions.csv': 200,
  'GET /api/v1/transactions/:id': 404,
  // Its own calls only.
  'GET /api/v1/usage': 200,
  'GET /api/v1/health': 200,
  // Opening, claiming and topping up an account need no key.
  'POST /api/v1/agents': 201,
  'GET /claim/:token': 404,
  'POST /claim/:token': 400,
  'POST /claim/:token/owner': 404,
  'POST /api/v1/topups': 503,
  // Of OAuth clients, which have no key yet.
  'GET /.well-known/oauth-authorization-server': 200,
  'GET /.well-known/oauth-protected-resource': 200,
  'GET /.well-known/oauth-protected-resource/mcp': 200,
  'POST /oauth/register': 400,
  'GET /oauth/authorize': 400,
  'GET /oauth/authorize/:uid': 400,
  'GET /oauth/consent/:uid': 400,
  'POST /oauth/consent/:uid': 400,
  'POST /oauth/token': 400,
  // People who may be in answers have no key. Without mail, no link can be sent.
  'GET /people': 200,
  'POST /people': 503,
  'GET /people/:link': 404,
  'POST /people/:link': 404,
  'POST /oauth/revoke': 400,
  // Of people with browsers, who sign in with a key instead of sending it.
  'GET /sign-in': 200,
  'POST /sign-in': 401,
  'POST /sign-in/switch': 404,
  'GET /sign-in/:link': 404,
  'POST /sign-in/:link': 401,
  // They lead to the page to sign in.
  'GET /sign-in/methods': 200,
  'GET /status': 200,
  'GET /status.json': 200,
  'POST /sign-in/methods': 200,
  'POST /api/v1/sign-in/passkey-options': 200,
  'POST /sign-in/links': 400,
  'POST /api/v1/sign-in/links': 400,
  'POST /api/v1/sign-in-addresses': 403,
  'POST /api/v1/sign-in-addresses/confirm': 403,
  'POST /api/v1/passkeys': 403,
  'POST /api/v1/passkeys/options': 403,
  'POST /api/v1/sign-in': 400,
  'GET /api/v1/sign-in': 401,
  'DELETE /api/v1/sign-in': 401,
}

const values: Readonly<Record<string, string>> = {
  ':service': 'test',
  ':action': 'echo',
  '*': 'nothing',
}
const addressOf = (url: string) =>
  url.replaceAll(/:[a-zA-Z]+|[*]$/g, (name) => values[name] ?? randomUUID())

test('a limited key may use the routes meant for it, and no others', async () => {
  const account = await gateway().account(100)
  const other = await account.call('test/echo', { text: 'said in private' })
  const made = await gateway().request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 5 },
  })
  const key = made.body.api_key
  const seen: Record<string, number> = {}
  for (const { url, methods, operator } of gateway().routes()) {
    for (const method of methods.filter((name) => name !== 'HEAD' && name !== 'TRACE')) {
      const body = method === 'GET' ? {} : { body: {} }
      const reply = await gateway().request(method, addressOf(url), { key, ...body })
      const text = JSON.stringify(reply.body)
      for (const secret of [other.body.transaction_id, 'said in private', account.key.slice(0, 12)])
        expect(text).not.toContain(secret)
      if (operator) expect([url, reply.status]).toEqual([url, 401])
      else seen[`${method} ${url}`] = reply.status
    }
  }
  expect(seen).toEqual(decided)
})

test('no route that reads a body takes a compressed one, except those of Git', async () => {
  const { key } = await gateway().account(100)
  const seen: unknown[] = []
  for (const { url, methods, operator } of gateway().routes()) {
    if (url.startsWith('/git/:repository/git-')) continue
    for (const method of methods.filter((name) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].includes(name),
    )) {
      const { status, body } = await gateway().request(method, addressOf(url), {
        key: operator ? adminToken : key,
        headers: { 'content-encoding': 'gzip' },
        body: {},
      })
      if (status !== 415 || !JSON.stringify(body).includes('uncompressed'))
        seen.push([method, url, status, body])
    }
  }
  expect(seen).toEqual([])
})

test.each(['identity', 'Identity'])('a body with Content-Encoding %s is read', async (encoding) => {
  const account = await gateway().account(100)
  const reply = await account.call('test/echo', { text: 'a' }, { 'content-encoding': encoding })
  expect(reply.status).toBe(200)
})

describe('a page of another origin', () => {
  test('receives an answer to its preflight from every route except the operator’s', async () => {
    for (const { url, methods, operator } of gateway().routes()) {
      const reply = await gateway().request('OPTIONS', addressOf(url), {
        headers: {
          origin: 'https://shop.example',
          'access-control-request-method': methods[0] ?? '',
          'access-control-request-headers': 'authorization,content-type,idempotency-key',
        },
      })
      const { headers } = reply
      expect([url, headers.get('access-control-allow-origin')]).toEqual([
        url,
        operator ? null : '*',
      ])
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      if (operator) continue
      expect(reply.status).toBe(204)
      expect((headers.get('access-control-allow-methods') ?? '').split(', ')).toEqual(
        expect.arrayContaining([...methods]),
      )
    }
  })

  test('can read the headers of a response, whether the request succeeded or failed', async () => {
    // Headers that browsers always expose, or never.
    const silent =
      /^(access-control-.*|cache-control|content-(length|type|encoding)|connection|date|keep-alive|vary|transfer-encoding|trailer|x-accel-buffering)$/
    const account = await gateway().account(3)
    const rich = await gateway().account(100)
    const replies = [
      await gateway().request('GET', '/api/run'),
      await gateway().request('GET', '/nothing'),
      await gateway().request('PUT', '/api/run'),
      await gateway().request('GET', '/api/v1/account'),
      await gateway().request('POST', '/api/run/test/echo', { raw: 'x'.repeat(70_000) }),
      await account.call('test/echo', {}, { 'idempotency-key': 'once' }),
      await account.call('test/echo', {}, { 'idempotency-key': 'once' }),
      await account.call('test/echo', {}),
      await rich.call('test/fails', { code: 'rate_limited' }),
      await gateway().request('GET', '/api/run/test/retiring'),
      await gateway().request('POST', '/api/v1/topups', { body: {} }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([
      200, 404, 405, 401, 413, 200, 200, 402, 429, 200, 503,
    ])
    for (const { headers } of replies) {
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
      const told = [...headers.keys()].filter((name) => !silent.test(name))
      expect(exposed).toEqual(expect.arrayContaining(told))
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })
})

test('sign-ups beyond the limit of an address leave no rows', async () => {
  const counted = `select (select count(*) from account) as accounts, (select count(*) from api_key) as keys,
    (select count(*) from request_once) as answers`
  const signUp = () =>
    gateway().request('POST', '/api/v1/agents', {
      headers: { 'idempotency-key': randomUUID() },
      body: {},
    })
  while ((await signUp()).status === 201);
  const before = await gateway().database.query(counted)
  const replies = await Promise.all(Array.from({ length: 40 }, signUp))
  expect(replies.map(({ body }) => body.error)).toEqual(replies.map(() => 'rate_limited'))
  expect(await gateway().database.query(counted)).toEqual(before)
})
