import { expect, test } from 'vitest'
import { hello, shareLlmGateway } from '#test/llm-gateway.ts'
import {
  createOAuthTestClient,
  openConsent,
  redirectUri,
  registerClient,
} from '#test/oauth/client.ts'

const gateway = shareLlmGateway()

test('a client finds its way from a 401 to the metadata of the resource and of the server', async () => {
  const { url } = gateway()
  const refused = await gateway().request('GET', '/api/v1/account')
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const [, at = ''] =
    /^Bearer resource_metadata="([^"]+)", scope="tollway:pay"$/.exec(challenge) ?? []
  const resource = await gateway().request('GET', at)
  expect(resource.body).toMatchObject({ resource: url, authorization_servers: [url] })
  const ofMcp = await gateway().request('GET', '/.well-known/oauth-protected-resource/mcp')
  expect(ofMcp.body).toMatchObject({ resource: `${url}/mcp`, scopes_supported: ['tollway:pay'] })
  const server = await gateway().request('GET', '/.well-known/oauth-authorization-server')
  expect(server.body).toMatchObject({
    issuer: url,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
})

test('a person lets a client in, and its token pays for calls over HTTP and MCP within the limits', async () => {
  const account = await gateway().account(100)
  const client = await createOAuthTestClient(gateway().url)
  const { page, browser } = await openConsent(gateway().url, account.key, client.authorizeUrl())
  expect([page.status, new URL(page.url).pathname.split('/')[2]]).toEqual([200, 'consent'])
  expect(page.text).toContain('Test app')
  expect(page.headers.get('content-security-policy')).toContain(
    "form-action 'self' https://app.example; frame-ancestors 'none'",
  )
  const wrong = await browser.submit(page, { per_day: 'much' }, 'allow')
  expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true])
  const fields = { per_call: '', per_day: '0.05', actions: 'test/*', days: '30' }
  const landed = await browser.submit(wrong, fields, 'allow')
  expect(landed.url.startsWith(`${redirectUri}?`)).toBe(true)
  const answer = new URL(landed.url).searchParams
  expect(Object.fromEntries(answer)).toMatchObject({
    state: 'state-of-the-client',
    iss: gateway().url,
  })
  const { status, body: tokens } = await client.exchange(answer.get('code'))
  expect(status).toBe(200)
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'tollway:pay', expires_in: 3600 })

  const key = tokens.access_token
  const called = await gateway().call('test/echo', {}, { key })
  expect(called.body).toMatchObject({ ok: true, charged_cents: 2 })
  const overMcp = await gateway().request('POST', '/mcp', {
    key,
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run', arguments: { action: 'test/echo', params: {}, max_cost_cents: 5 } },
    },
  })
  expect(JSON.stringify(overMcp.body)).toContain('charged_cents')
  // 4 of 5 cents are spent.
  expect((await gateway().call('test/echo', {}, { key })).status).toBe(402)
  expect((await gateway().request('POST', '/api/v1/keys', { key, body: {} })).status).toBe(403)
  expect((await account.state()).availableCents).toBe(96)
})

test('a client pays for chats too, refreshes its token, and the limits count over all its tokens', async () => {
  const account = await gateway().account(100)
  const client = await createOAuthTestClient(gateway().url)
  const first = await client.connect(account.key, { per_day: '0.03' })
  expect((await gateway().call('test/echo', {}, { key: first.access_token })).status).toBe(200)
  const chat = await gateway().request('POST', '/api/llm/v1/chat/completions', {
    key: first.access_token,
    body: { model: 'lab/one', messages: hello, max_tokens: 10 },
  })
  expect(chat.status).toBe(200)
  const { status, body: second } = await client.refresh(first.refresh_token)
  expect(status).toBe(200)
  expect((await gateway().call('test/echo', {}, { key: second.access_token })).status).toBe(402)
})

test('a person sees connected clients among the keys, changes their limits, and ends them', async () => {
  const account = await gateway().account(100)
  const client = await createOAuthTestClient(gateway().url)
  const tokens = await client.connect(account.key, { per_day: '0' })
  const call = () => gateway().call('test/echo', {}, { key: tokens.access_token })
  expect((await call()).status).toBe(402)
  const { keys } = (await account.get('/api/v1/keys')).body
  const [connected] = keys.filter((key: { client_id: string | null }) => key.client_id !== null)
  expect(connected).toMatchObject({
    client_id: client.clientId,
    name: 'Test app',
    max_cents_per_day: 0,
    expires_at: expect.any(String),
  })
  const at = `/api/v1/keys/${connected.key_id}`
  const body = { max_cents_per_day: 10 }
  await gateway().request('PATCH', at, { key: account.key, body })
  expect((await call()).status).toBe(200)
  await gateway().request('DELETE', at, { key: account.key })
  expect((await call()).status).toBe(401)
  expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
})

test('a client ends its own access by revoking its tokens', async () => {
  const account = await gateway().account(100)
  const client = await createOAuthTestClient(gateway().url)
  const tokens = await client.connect(account.key)
  const call = () => gateway().call('test/echo', {}, { key: tokens.access_token })
  expect((await client.revoke(tokens.access_token)).status).toBe(200)
  expect((await call()).status).toBe(401)
  const { body: renewed } = await client.refresh(tokens.refresh_token)
  expect((await client.revoke(renewed.refresh_token)).status).toBe(200)
  expect((await gateway().call('test/echo', {}, { key: renewed.access_token })).status).toBe(401)
})

test('a person does not let a client in: it is told so and gets nothing', async () => {
  const account = await gateway().account(100)
  const client = await createOAuthTestClient(gateway().url)
  const { page, browser } = await openConsent(gateway().url, account.key, client.authorizeUrl())
  const landed = await browser.submit(page, {}, 'deny')
  expect(Object.fromEntries(new URL(landed.url).searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'state-of-the-client',
    iss: gateway().url,
  })
  const { keys } = (await account.get('/api/v1/keys')).body
  expect(keys).toHaveLength(1)
})

test('programs on a person’s machine register with any port of this machine or a scheme of their own', async () => {
  const { url } = gateway()
  const { status, body } = await registerClient(url, {
    redirect_uris: [
      'http://127.0.0.1/callback',
      'com.example.app:/callback',
      // Programs that people use, whose schemes are older than the rule of a dot.
      'cursor://anysphere/callback',
    ],
    token_endpoint_auth_method: 'client_secret_basic',
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ application_type: 'native', token_endpoint_auth_method: 'none' })
  expect(body.client_secret).toBeUndefined()
})

test('codes and tokens are stored as hashes only', async () => {
  const account = await gateway().account(0)
  const client = await createOAuthTestClient(gateway().url)
  const code = (await client.ask(account.key)).get('code') ?? 'none'
  const { body: tokens } = await client.exchange(code)
  const stored = JSON.stringify(
    await gateway().database.query("select r.*, encode(hash, 'escape') from oauth_record r"),
  )
  for (const secret of [code, tokens.access_token, tokens.refresh_token, client.verifier])
    expect(stored).not.toContain(secret)
})
