import { describe, expect, test } from 'vitest'
import {
  type Authenticator,
  type AuthenticatorChanges,
  createAuthenticator,
} from '#test/browsers/authenticator.ts'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { startSecondGateway } from '#test/gateways/second-gateway.ts'
import { type Gateway, shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'

const gateway = shareGatewayOfWorker()

const optionsAt = async (at: Pick<Gateway, 'request'>) =>
  (await at.request('POST', '/api/v1/sign-in/passkey-options')).body

const newOptions = async ({ key }: TestAccount) =>
  (await gateway().request('POST', '/api/v1/passkeys/options', { key })).body

const add = (account: TestAccount, passkey: object) =>
  gateway().request('POST', '/api/v1/passkeys', {
    key: account.key,
    body: { name: 'Phone', passkey },
  })

/** A device whose passkey signs in to a new account. */
async function withPasskey(balanceCents = 0) {
  const account = await gateway().account(balanceCents)
  const device = createAuthenticator(gateway().url)
  const added = await add(account, device.create(await newOptions(account)))
  expect(added.status).toBe(201)
  return { account, device, added: added.body }
}

async function signIn(passkey: object, url = gateway().url) {
  const browser = createCookieBrowser(url)
  const reply = await browser.fetch('POST', '/api/v1/sign-in', { body: { passkey } })
  const body = await reply.json()
  return { status: reply.status, body, browser, headers: { 'x-csrf-token': body.csrf_token } }
}

const signInBy = async (device: Authenticator, changes?: AuthenticatorChanges) =>
  await signIn(device.get(await optionsAt(gateway()), changes))

test('a person adds a passkey to the account, signs in by it, and ends it as a key', async () => {
  const { account, device, added } = await withPasskey(10)
  expect(added).toMatchObject({ name: 'Phone', signs_in_by: 'passkey', client_id: null })
  expect(added).not.toHaveProperty('api_key')
  const { status, body, browser, headers } = await signInBy(device)
  expect(status).toBe(200)
  expect(body).toMatchObject({ operator: false, account_id: account.id })
  expect(body.key.key_id).toBe(added.key_id)
  const called = await browser.fetch('POST', '/api/run/test/echo', { headers, body: {} })
  expect(await called.json()).toMatchObject({ ok: true, charged_cents: 2 })
  await gateway().request('DELETE', `/api/v1/keys/${added.key_id}`, { key: account.key })
  expect((await browser.fetch('GET', '/api/v1/account', { headers })).status).toBe(401)
  expect((await signInBy(device)).status).toBe(401)
})

test('limits of the key of a passkey hold for the person who signs in by it', async () => {
  const { account, device, added } = await withPasskey(10)
  await gateway().request('PATCH', `/api/v1/keys/${added.key_id}`, {
    key: account.key,
    body: { max_cents_per_day: 1 },
  })
  const { browser, headers } = await signInBy(device)
  const called = await browser.fetch('POST', '/api/run/test/echo', { headers, body: {} })
  expect(called.status).toBe(402)
  const more = await browser.fetch('POST', '/api/v1/passkeys/options', { headers })
  expect(more.status).toBe(403)
})

describe('an answer to sign in', () => {
  test('counts once', async () => {
    const { device } = await withPasskey()
    const answer = device.get(await optionsAt(gateway()))
    expect((await signIn(answer)).status).toBe(200)
    expect((await signIn(answer)).status).toBe(401)
  })

  test('counts once when it comes twice at the same time', async () => {
    const { device } = await withPasskey()
    const answer = device.get(await optionsAt(gateway()))
    const both = await Promise.all([signIn(answer), signIn(answer)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  test.each<[string, AuthenticatorChanges]>([
    ['from a page of another site', { origin: 'https://gateway.evil.example' }],
    ['from a page on another port', { origin: 'http://localhost:1' }],
    ['with a passkey of another site', { siteId: 'evil.example' }],
    ['without a PIN or a finger', { isVerified: false }],
  ])('is refused %s', async (_title, changes) => {
    const { device } = await withPasskey()
    expect((await signInBy(device, changes)).status).toBe(401)
    expect((await signInBy(device)).status).toBe(200)
  })

  test('is refused from a copy of a device that counts', async () => {
    const { device } = await withPasskey()
    expect((await signInBy(device, { signCount: 5 })).status).toBe(200)
    expect((await signInBy(device, { signCount: 4 })).status).toBe(401)
    expect((await signInBy(device, { signCount: 6 })).status).toBe(200)
  })

  test('is refused with a challenge that this gateway did not make for it', async () => {
    const { account, device } = await withPasskey()
    const { challenge } = await newOptions(account)
    for (const each of [challenge, 'bm90aGluZw', `${challenge}AAAA`])
      expect((await signIn(device.get({ challenge: each }))).status).toBe(401)
  })

  test('is refused from an unknown device', async () => {
    expect((await signInBy(createAuthenticator(gateway().url))).status).toBe(401)
  })
})

describe('a new passkey', () => {
  test('is not added by a limited key', async () => {
    const account = await gateway().account(0)
    const made = await gateway().request('POST', '/api/v1/keys', {
      key: account.key,
      body: { max_cents_per_day: 5 },
    })
    const key = made.body.api_key
    const asked = await gateway().request('POST', '/api/v1/passkeys/options', { key })
    expect(asked.status).toBe(403)
  })

  test('is added once, and only to the account that asked', async () => {
    const [account, other] = [await gateway().account(0), await gateway().account(0)]
    const made = createAuthenticator(gateway().url).create(await newOptions(account))
    expect((await add(other, made)).status).toBe(400)
    expect((await add(account, made)).status).toBe(201)
    expect((await add(account, made)).status).toBe(400)
    expect((await other.get('/api/v1/keys')).body.keys).toHaveLength(1)
  })

  test('with the id of another one is refused', async () => {
    const { device } = await withPasskey()
    const other = await gateway().account(0)
    expect((await add(other, device.create(await newOptions(other)))).status).toBe(400)
    expect((await other.get('/api/v1/keys')).body.keys).toHaveLength(1)
  })

  test('with certificates of its maker is refused before they are read', async () => {
    const account = await gateway().account(0)
    const certificates = [Buffer.from('no certificate')]
    const device = createAuthenticator(gateway().url)
    const made = device.create(await newOptions(account), { certificates })
    const { status, body } = await add(account, made)
    expect([status, body.message]).toEqual([400, expect.stringContaining('certificates')])
  })

  test('is refused with a clear message when it is not one', async () => {
    const account = await gateway().account(0)
    const { status, body } = await add(account, { id: 'x' })
    expect([status, body.error]).toEqual([400, 'bad_request'])
  })
})

test('two gateways know the same passkeys, and count an answer once', async () => {
  const one = gateway()
  const two = await startSecondGateway(one)
  const { key } = await one.account(0)
  const device = createAuthenticator(one.url)
  const { body: options } = await one.request('POST', '/api/v1/passkeys/options', { key })
  const body = { passkey: device.create(options) }
  expect((await two.request('POST', '/api/v1/passkeys', { key, body })).status).toBe(201)
  const answer = device.get(await optionsAt(two))
  expect((await signIn(answer, one.url)).status).toBe(200)
  expect((await signIn(answer, two.url)).status).toBe(401)
})

test('a gateway without a domain name or TLS says that it has no passkeys', async () => {
  const plain = await startSecondGateway(gateway(), 'http://gateway.example')
  const { status, body } = await plain.request('POST', '/api/v1/sign-in/passkey-options')
  expect(status).toBe(503)
  expect(body.message).toContain('PUBLIC_BASE_URL')
  const { text } = await createCookieBrowser(plain.url).visit('/sign-in')
  expect(text).not.toContain('data-passkey')
})
