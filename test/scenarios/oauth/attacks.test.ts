// What an attacker tries against the authorization server. Sources: RFC 9700 and RFC 6819.
import { describe, expect, test } from 'vitest'
import { removeHidden } from '#core/input/hidden-characters.ts'
import { serve } from '#platform/egress/loopback.fixture.ts'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { adminToken, shareGateway } from '#test/harness.ts'
import {
  createOAuthTestClient,
  openConsent,
  redirectUri,
  registerClient,
} from '#test/oauth/client.ts'

const gateway = shareGateway()
const client = () => createOAuthTestClient(gateway().url)
const callWith = async (key: string) => (await gateway().call('test/echo', {}, { key })).status
const open = () => createCookieBrowser(gateway().url)

test('a code works once; a second use ends the access that the first one gave', async () => {
  const account = await gateway().account(100)
  const app = await client()
  const code = (await app.ask(account.key)).get('code')
  const { body: tokens } = await app.exchange(code)
  expect(await callWith(tokens.access_token)).toBe(200)
  const replayed = await app.exchange(code)
  expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant'])
  expect(await callWith(tokens.access_token)).toBe(401)
  expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
})

test('a code that is used several times at once gives no lasting access', async () => {
  const account = await gateway().account(100)
  const app = await client()
  const code = (await app.ask(account.key)).get('code')
  const answers = await Promise.all([1, 2, 3, 4].map(() => app.exchange(code)))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  for (const { body } of answers)
    if (body.access_token !== undefined) expect(await callWith(body.access_token)).toBe(401)
})

test('PKCE cannot be left out, weakened or guessed', async () => {
  const account = await gateway().account(100)
  const app = await client()
  for (const changes of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge: app.verifier, code_challenge_method: 'plain' },
    { code_challenge: app.verifier, code_challenge_method: undefined },
  ]) {
    const { url } = await open().visit(app.authorizeUrl(changes))
    expect(new URL(url).searchParams.get('error')).toBe('invalid_request')
  }
  const code = (await app.ask(account.key)).get('code')
  const guessed = await app.exchange(code, { code_verifier: 'x'.repeat(43) })
  expect(guessed.body.error).toBe('invalid_grant')
  const without = await app.exchange(code, { code_verifier: '' })
  expect(without.status).toBe(400)
})

describe('redirects', () => {
  test('lead only to an address that the client registered, exactly', async () => {
    const app = await client()
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${redirectUri}/../evil`,
      `${redirectUri}?next=https://evil.example`,
      'https://app.example.evil.example/callback',
      'https://app.example@evil.example/callback',
      'http://app.example/callback',
      'https://app.example:444/callback',
      'javascript:alert(1)',
    ]) {
      const page = await open().visit(app.authorizeUrl({ redirect_uri }))
      expect([page.status, new URL(page.url).origin]).toEqual([400, gateway().url])
      expect(page.headers.get('location')).toBeNull()
    }
  })

  test('cannot be registered where a stranger reads the code', async () => {
    for (const uri of [
      'http://app.example/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'mailto:eve@evil.example',
      'tel:+15550100',
      'view-source:https://evil.example/',
      'intent://callback',
      'https://app.example/callback#part',
      'https://user@app.example/callback',
      'not an address',
    ]) {
      const { status, body } = await registerClient(gateway().url, { redirect_uris: [uri] })
      expect([uri, status, typeof body.error]).toEqual([uri, 400, 'string'])
    }
  })

  test('are the same when the code is exchanged', async () => {
    const account = await gateway().account(0)
    const app = await client()
    const code = (await app.ask(account.key)).get('code')
    const { body } = await app.exchange(code, { redirect_uri: 'https://evil.example/callback' })
    expect(body.error).toBe('invalid_grant')
  })
})

test('mix-up: answers name their issuer, codes belong to one client, tokens to one resource', async () => {
  const account = await gateway().account(0)
  const [app, other] = [await client(), await client()]
  const answer = await app.ask(account.key)
  expect(answer.get('iss')).toBe(gateway().url)
  const refused = await open().visit(app.authorizeUrl({ code_challenge: undefined }))
  expect(new URL(refused.url).searchParams.get('iss')).toBe(gateway().url)
  const stolen = await other.exchange(answer.get('code'), { code_verifier: app.verifier })
  expect(stolen.body.error).toBe('invalid_grant')
  const elsewhere = await open().visit(app.authorizeUrl({ resource: 'https://other.example/mcp' }))
  expect(new URL(elsewhere.url).searchParams.get('error')).toBe('invalid_target')
})

test('a refresh token works once; a second use ends the whole family', async () => {
  const account = await gateway().account(100)
  const app = await client()
  const first = await app.connect(account.key)
  const { body: second } = await app.refresh(first.refresh_token)
  expect(await callWith(second.access_token)).toBe(200)
  expect((await app.refresh(first.refresh_token)).body.error).toBe('invalid_grant')
  expect(await callWith(second.access_token)).toBe(401)
  expect((await app.refresh(second.refresh_token)).body.error).toBe('invalid_grant')
  const stranger = await client()
  const fresh = await app.connect(account.key)
  expect((await stranger.refresh(fresh.refresh_token)).body.error).toBe('invalid_grant')
  expect(await callWith(fresh.access_token)).toBe(200)
})

describe('a token cannot grow', () => {
  test('beyond its scope', async () => {
    const account = await gateway().account(100)
    const app = await client()
    const asked = app.authorizeUrl({ scope: 'tollway:pay tollway:admin openid offline_access' })
    const { browser, page } = await openConsent(gateway().url, account.key, asked)
    const landed = await browser.submit(page, {}, 'allow')
    const { body: tokens } = await app.exchange(new URL(landed.url).searchParams.get('code'))
    expect(tokens.scope).toBe('tollway:pay')
    expect(tokens.id_token).toBeUndefined()
    const wider = await app.refresh(tokens.refresh_token, { scope: 'tollway:pay tollway:admin' })
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope'])
    const key = tokens.access_token
    for (const [method, at] of [
      ['POST', '/api/v1/keys'],
      ['GET', '/api/v1/admin/accounts'],
      ['POST', '/api/v1/sign-in'],
    ] as const) {
      const body = method === 'POST' ? { body: { secret: key } } : {}
      const { status } = await gateway().request(method, at, { key, ...body })
      expect([at, status >= 400 && status < 500]).toEqual([at, true])
    }
  })

  test('beyond its limits', async () => {
    const account = await gateway().account(100)
    const app = await client()
    const tokens = await app.connect(account.key, { per_day: '0.02' })
    const key = tokens.access_token
    const { keys } = (await gateway().request('GET', '/api/v1/keys', { key })).body
    expect(keys).toHaveLength(1)
    const at = `/api/v1/keys/${keys[0].key_id}`
    const body = { max_cents_per_day: null }
    expect((await gateway().request('PATCH', at, { key, body })).status).toBe(403)
    expect(await callWith(key)).toBe(200)
    expect(await callWith(key)).toBe(402)
    const { body: renewed } = await app.refresh(tokens.refresh_token)
    expect(await callWith(renewed.access_token)).toBe(402)
  })

  test('from a key with limits, which lets no client in', async () => {
    const account = await gateway().account(100)
    const made = await gateway().request('POST', '/api/v1/keys', {
      key: account.key,
      body: { max_cents_per_day: 1 },
    })
    const app = await client()
    const { page } = await openConsent(gateway().url, made.body.api_key, app.authorizeUrl())
    expect(page.status).toBe(403)
    expect(page.text).toContain('unlimited key')
    const operator = await openConsent(gateway().url, adminToken, app.authorizeUrl())
    expect(new URL(operator.page.url).pathname).toBe('/sign-in')
  })
})

test('documents of clients are fetched through the egress guard: no address of this network is reached', async () => {
  const server = await serve((_request, response) => response.end('{}'))
  const { url } = gateway()
  for (const client_id of [
    `https://127.0.0.1:${server.port}/client.json`,
    `https://localhost:${server.port}/client.json`,
    `https://[::1]:${server.port}/client.json`,
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://user@app.example/client.json',
    `http://127.0.0.1:${server.port}/client.json`,
  ]) {
    const address = new URL(`${url}/oauth/authorize`)
    address.search = new URLSearchParams({ client_id, response_type: 'code' }).toString()
    const page = await open().visit(address.href)
    expect([client_id, page.status]).toEqual([client_id, 400])
  }
  expect(server.hits).toEqual([])
  await server.close()
})

describe('consent', () => {
  test('cannot be given by a page of another site, without its CSRF token, or in another browser', async () => {
    const account = await gateway().account(0)
    const app = await client()
    const { browser, page } = await openConsent(gateway().url, account.key, app.authorizeUrl())
    const forged = await browser.fetch('POST', page.url, { site: 'cross-site', body: {} })
    expect(forged.status).toBe(403)
    const withoutToken = await browser.submit(page, { csrf: '' }, 'allow')
    expect(withoutToken.status).toBe(403)
    const stranger = open()
    expect((await stranger.visit(page.url)).status).toBe(400)
    expect((await stranger.submit(page, {}, 'allow')).status).toBe(400)
    const { keys } = (await account.get('/api/v1/keys')).body
    expect(keys).toHaveLength(1)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
  })

  test('shows what an app says of itself as text', async () => {
    const account = await gateway().account(0)
    const name = '<script>alert(1)</script>"\'>'
    const { body } = await registerClient(gateway().url, { client_name: name })
    const app = await client()
    const url = app.authorizeUrl({ client_id: body.client_id })
    const { page } = await openConsent(gateway().url, account.key, url)
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;script&gt;')
  })

  test('shows the name of an app apart from the host that was verified', async () => {
    const account = await gateway().account(0)
    const name = 'Bank\u202E\u2066\u200B moc.live\u0007'
    const { body } = await registerClient(gateway().url, { client_name: name })
    const app = await client()
    const url = app.authorizeUrl({ client_id: body.client_id })
    const { page } = await openConsent(gateway().url, account.key, url)
    expect(page.text).toContain('<bdi>Bank moc.live</bdi>')
    expect(page.text).toContain('\u2068Bank moc.live\u2069')
    for (const hidden of ['\u202E', '\u2066', '\u200B', '\u0007'])
      expect(page.text).not.toContain(hidden)
  })
})

test('two presses of “Allow” connect one app, and a code that is never exchanged connects none', async () => {
  const account = await gateway().account(0)
  const app = await client()
  const apps = async () => {
    const { keys } = (await account.get('/api/v1/keys')).body
    return keys.filter(({ client_id }: { client_id: string | null }) => client_id === app.clientId)
  }
  await app.ask(account.key)
  expect(await apps()).toEqual([])
  const { browser, page } = await openConsent(gateway().url, account.key, app.authorizeUrl())
  const presses = await Promise.all([
    browser.submit(page, {}, 'allow'),
    browser.submit(page, {}, 'allow'),
  ])
  const codes = presses.flatMap(({ url }) => new URL(url).searchParams.get('code') ?? [])
  expect(codes).not.toEqual([])
  expect((await app.exchange(codes[0] ?? '')).status).toBe(200)
  expect(await apps()).toHaveLength(1)
  const [connected] = await apps()
  expect(connected.created_by).toBe((await account.get('/api/v1/keys')).body.keys.at(-1).key_id)
})

test('a code that was issued before the account was frozen connects no app', async () => {
  const account = await gateway().account(100)
  const app = await client()
  const code = (await app.ask(account.key)).get('code')
  const operate = async (change: string, body: object) => {
    const path = `/api/v1/admin/accounts/${account.id}/${change}`
    expect((await gateway().request('POST', path, { key: adminToken, body })).status).toBe(200)
  }
  await operate('freeze', { reason: 'stolen' })
  const refused = await app.exchange(code)
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant'])
  await operate('unfreeze', {})
  const { keys } = (await account.get('/api/v1/keys')).body
  expect(keys.some(({ client_id }: { client_id: string }) => client_id === app.clientId)).toBe(
    false,
  )
})

test('a refresh that is refused for its resource leaves the refresh token as it was', async () => {
  const account = await gateway().account(100)
  const app = await client()
  const tokens = await app.connect(account.key)
  for (const resource of [`${gateway().url}/other`, 'https://evil.example/', '']) {
    const { status, body } = await app.refresh(tokens.refresh_token, { resource })
    if (resource !== '') expect([status, body.error]).toEqual([400, 'invalid_target'])
    else expect(status).toBe(200)
  }
  expect(await callWith(tokens.access_token)).toBe(200)
})

describe('registrations', () => {
  const behindProxy = shareGateway({ env: { TRUST_PROXY: 'loopback' } })

  test('from one address are limited', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 35; count += 1)
      statuses.add((await registerClient(gateway().url)).status)
    expect([...statuses].at(-1)).toBe(429)
  })

  test('from one network are limited, however many addresses it has', async () => {
    const own = behindProxy()
    const register = async (address: string) => {
      const headers = { 'x-forwarded-for': address }
      const body = { redirect_uris: [redirectUri] }
      return (await own.request('POST', '/oauth/register', { headers, body })).status
    }
    const crowd: number[] = []
    for (let count = 0; count < 65; count += 1) crowd.push(await register(`203.0.113.${count}`))
    expect(crowd).toEqual([...Array(60).fill(201), ...Array(5).fill(429)])
    for (let count = 0; count < 60; count += 1)
      expect(await register(`2001:db8:1:${count.toString(16)}::1`)).toBe(201)
    expect(await register('2001:db8:1:ff::1')).toBe(429)
    expect(await register('2001:db8:1:100::1')).toBe(201)
    expect(await register('203.0.114.1')).toBe(201)
  })

  test('of others make the oldest unused clients forgotten, and keep no one out', async () => {
    const own = behindProxy()
    const account = await own.account(100)
    const app = await createOAuthTestClient(own.url)
    const tokens = await app.connect(account.key)
    await own.database.query(
      `insert into oauth_record (hash, kind, payload, expires_at)
       select sha256(n::text::bytea), 'Client', jsonb_build_object('client_id', n), now() + interval '1 day' - n * interval '1 second'
       from generate_series(1, 12000) n`,
    )
    const waiting = await createOAuthTestClient(own.url)
    const unused = `select count(*)::integer as count, bool_or(hash = sha256('1'::bytea)) as newest,
      bool_or(hash = sha256('12000'::bytea)) as oldest
      from oauth_record where kind = 'Client' and expires_at <= now() + interval '1 day'`
    expect(await own.database.query(unused)).toEqual([
      { count: 10_000, newest: true, oldest: false },
    ])
    expect((await waiting.connect(account.key)).token_type).toBe('Bearer')
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('with text that cannot be stored, or with too much of it, are refused', async () => {
    const own = behindProxy()
    for (const metadata of [
      { redirect_uris: ['https://app.example/\u0000'] },
      { redirect_uris: [`https://app.example/${'\ud800'}`] },
      {
        redirect_uris: Array.from(
          { length: 20 },
          (_, n) => `https://app.example/${n}${'x'.repeat(1_000)}`,
        ),
      },
    ]) {
      const { status, body } = await registerClient(own.url, metadata)
      expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
    }
    for (const client_name of ['NUL \u0000', 'half \ud800', '\u202E\u0000']) {
      const { status, body } = await registerClient(own.url, { client_name })
      expect([status, removeHidden(body.client_name ?? '')]).toEqual([201, body.client_name ?? ''])
    }
  })
})
