// People operate the gateway with a role of their own, beside the holder of ADMIN_TOKEN.
import { describe, expect, test } from 'vitest'
import type { OperatorRole } from '#accounts/operators/role.ts'
import { createAuthenticator } from '#test/browsers/authenticator.ts'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { startSecondGateway } from '#test/gateways/second-gateway.ts'
import { adminToken, shareGatewayOfWorker } from '#test/harness.ts'

const prefix = '/api/v1/admin'
const gateway = shareGatewayOfWorker({ changes: 'offers' })

const operate = (
  key: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) => gateway().request(method, `${prefix}/${path}`, { key, body, headers })

interface Invitation {
  readonly account_id: string
  readonly operator_token: string
  readonly sign_in_url: string
}

async function invite(role: OperatorRole, name = `A ${role}`): Promise<Invitation> {
  const { status, body } = await operate(adminToken, 'POST', 'operators', { name, role })
  expect(status).toBe(201)
  return body
}

async function signIn(credential: object) {
  const browser = createCookieBrowser(gateway().url)
  const reply = await browser.fetch('POST', '/api/v1/sign-in', { body: credential })
  const body = await reply.json()
  const headers = { 'x-csrf-token': body.csrf_token }
  return {
    body,
    ask: (method: string, at: string, sent?: object) =>
      browser.fetch(method, at, { headers, ...(sent && { body: sent }) }),
    browser,
  }
}

describe('a person who is invited', () => {
  test('signs in once by the link, and operates under their name', async () => {
    const invited = await invite('support', 'Ada')
    const browser = createCookieBrowser(gateway().url)
    const visited = await browser.visit(invited.sign_in_url)
    await browser.submit(visited, {})
    const person = await (await browser.fetch('GET', '/api/v1/sign-in')).json()
    expect(person).toMatchObject({
      operator: true,
      operator_role: 'support',
      account_id: invited.account_id,
      account_name: 'Ada',
    })
    const account = await gateway().account(0)
    const credited = await browser.fetch('POST', `${prefix}/accounts/${account.id}/credit`, {
      headers: { 'x-csrf-token': person.csrf_token },
      body: { amount_cents: 7, reason: 'goodwill' },
    })
    expect(credited.status).toBe(200)
    const { body: audit } = await operate(adminToken, 'GET', `audit?operator=${invited.account_id}`)
    expect(audit.actions).toMatchObject([
      {
        action: 'account.credit',
        subject: account.id,
        actor: 'sign-in',
        operator: { account_id: invited.account_id, name: 'Ada' },
        details: { amount_cents: 7 },
      },
    ])
    expect((await createCookieBrowser(gateway().url).visit(invited.sign_in_url)).status).toBe(404)
  })

  test('adds a passkey, with which they operate later', async () => {
    const { operator_token: token } = await invite('viewer')
    const device = createAuthenticator(gateway().url)
    const key = token
    const { body: options } = await gateway().request('POST', '/api/v1/passkeys/options', { key })
    const added = await gateway().request('POST', '/api/v1/passkeys', {
      key,
      body: { name: 'Phone', passkey: device.create(options) },
    })
    expect(added.status).toBe(201)
    const { body: asked } = await gateway().request('POST', '/api/v1/sign-in/passkey-options')
    const { body, ask } = await signIn({ passkey: device.get(asked) })
    expect(body).toMatchObject({ operator: true, operator_role: 'viewer' })
    expect((await ask('GET', `${prefix}/accounts`)).status).toBe(200)
  })

  test('in scripts sends their token, at the second gateway too', async () => {
    const { operator_token: token } = await invite('viewer')
    const second = await startSecondGateway(gateway())
    const at = (url: string) =>
      fetch(`${url}${prefix}/accounts`, { headers: { authorization: `Bearer ${token}` } })
    expect([(await at(gateway().url)).status, (await at(second.url)).status]).toEqual([200, 200])
  })
})

describe('a role', () => {
  test('of a viewer reads all, and changes nothing at any address', async () => {
    const { operator_token: token } = await invite('viewer')
    const id = '01970000-0000-7000-8000-000000000000'
    for (const { url, methods } of gateway()
      .routes()
      .filter(({ operator }) => operator)) {
      const path = url.replaceAll(/:\w+|\*/g, id).slice(prefix.length + 1)
      for (const method of methods) {
        if (['HEAD', 'OPTIONS', 'TRACE'].includes(method)) continue
        const { status, body } = await operate(token, method, path)
        const isKnown = status !== 404 && status !== 405
        if (method === 'GET') expect([method, url, status]).not.toContain(403)
        else if (isKnown) expect([method, url, body.error]).toEqual([method, url, 'forbidden'])
      }
    }
  })

  test.each([
    ['support', ['credit', 'freeze', 'revoke a key'], ['give a key', 'price', 'invite']],
    ['manager', ['credit', 'freeze', 'revoke a key', 'give a key', 'price'], ['invite']],
    ['owner', ['credit', 'freeze', 'revoke a key', 'give a key', 'price', 'invite'], []],
  ] as const)('of %s may %j, and not %j', async (role, allowed, refused) => {
    const { operator_token: token } = await invite(role)
    const account = await gateway().account(0)
    const made = await operate(adminToken, 'POST', `accounts/${account.id}/keys`, {})
    const works: Record<string, readonly [string, string, object?]> = {
      credit: ['POST', `accounts/${account.id}/credit`, { amount_cents: 1, reason: 'goodwill' }],
      freeze: ['POST', `accounts/${account.id}/freeze`, { reason: 'stolen key' }],
      'revoke a key': ['DELETE', `accounts/${account.id}/keys/${made.body.key_id}`],
      'give a key': ['POST', `accounts/${account.id}/keys`, {}],
      price: ['PUT', 'price-overrides/test/echo', { price_usd: '0.02' }],
      invite: ['POST', 'operators', { name: 'Eve', role: 'owner' }],
    }
    const attempt = async (work: string) => {
      const [method, path, sent] = works[work] ?? ['GET', 'nowhere']
      return await operate(token, method, path, sent)
    }
    for (const work of refused) {
      const { status, body } = await attempt(work)
      expect([work, status, body.error]).toEqual([work, 403, 'forbidden'])
      expect(body.message).toContain(`You operate this gateway as ${role}.`)
    }
    for (const work of allowed) expect((await attempt(work)).status).toBeLessThan(300)
    await operate(adminToken, 'DELETE', 'price-overrides/test/echo')
  })

  test('of support gives and takes no more than CONFIRM_ABOVE_CENTS, confirmed or not', async () => {
    const { operator_token: token } = await invite('support')
    const account = await gateway().account(0)
    const large = { amount_cents: 100_001, confirm_cents: 100_001, reason: 'large' }
    const credited = await operate(token, 'POST', `accounts/${account.id}/credit`, large)
    expect([credited.status, credited.body.error]).toEqual([403, 'forbidden'])
    const { confirm_cents: _, ...debit } = large
    const debited = await operate(token, 'POST', `accounts/${account.id}/debit`, debit)
    expect([debited.status, debited.body.error]).toEqual([403, 'forbidden'])
    const { body } = await operate(adminToken, 'GET', `accounts/${account.id}`)
    expect(body.balance_cents).toBe(0)
  })

  test('that is changed counts from the next request on', async () => {
    const invited = await invite('owner')
    const { body, ask } = await signIn({ secret: invited.operator_token })
    expect(body).toMatchObject({ operator_role: 'owner' })
    const path = `operators/${invited.account_id}`
    expect((await operate(adminToken, 'PATCH', path, { role: 'viewer' })).body).toMatchObject({
      role: 'viewer',
      signs_in_by: ['token'],
    })
    const wish = { name: 'Eve', role: 'owner' }
    expect((await ask('POST', `${prefix}/operators`, wish)).status).toBe(403)
    expect((await operate(invited.operator_token, 'POST', 'operators', wish)).status).toBe(403)
  })
})

describe('no operator', () => {
  test('gives credit to their own account', async () => {
    const invited = await invite('owner')
    const credit = { amount_cents: 1, reason: 'for me' }
    const path = `accounts/${invited.account_id}/credit`
    expect((await operate(invited.operator_token, 'POST', path, credit)).status).toBe(403)
    expect((await operate(adminToken, 'POST', path, credit)).status).toBe(200)
  })

  test('locks out one with a higher role, or lets them in again', async () => {
    const { operator_token: token } = await invite('manager')
    const owner = await invite('owner')
    const path = `accounts/${owner.account_id}`
    const { body } = await operate(adminToken, 'GET', path)
    for (const [method, rest, sent] of [
      ['POST', 'freeze', { reason: 'mine' }],
      ['POST', 'unfreeze', undefined],
      ['POST', 'keys', {}],
      ['DELETE', `keys/${body.keys[0].key_id}`, undefined],
      ['PATCH', `keys/${body.keys[0].key_id}`, { max_cents_per_day: 1 }],
    ] as const)
      expect([rest, (await operate(token, method, `${path}/${rest}`, sent)).status]).toEqual([
        rest,
        403,
      ])
    expect((await operate(owner.operator_token, 'GET', 'operators')).status).toBe(200)
  })

  test('reads the answer of another by its Idempotency-Key', async () => {
    const [first, second] = [await invite('owner'), await invite('owner')]
    const body = { name: 'Grace', role: 'viewer' }
    const add = (token: string) =>
      operate(token, 'POST', 'operators', body, { 'idempotency-key': 'the-same' })
    const [one, again, other] = [
      await add(first.operator_token),
      await add(first.operator_token),
      await add(second.operator_token),
    ]
    expect(again.body.operator_token).toBe(one.body.operator_token)
    expect(other.body.operator_token).not.toBe(one.body.operator_token)
  })
})

describe('the API keys of an operator’s account', () => {
  test('pay for calls and operate nothing, by themselves or in a browser', async () => {
    const invited = await invite('owner')
    const { body: made } = await gateway().request('POST', '/api/v1/keys', {
      key: invited.operator_token,
      body: { name: 'agent' },
    })
    const refused = await operate(made.api_key, 'GET', 'accounts')
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token'])
    const { body, ask } = await signIn({ secret: made.api_key })
    expect(body).toMatchObject({ operator: false, operator_role: null })
    expect((await ask('GET', `${prefix}/accounts`)).status).toBe(401)
  })

  test('add no way to sign in, which would operate', async () => {
    const invited = await invite('owner')
    const { body: made } = await gateway().request('POST', '/api/v1/keys', {
      key: invited.operator_token,
      body: { name: 'agent' },
    })
    const key = made.api_key
    const device = createAuthenticator(gateway().url)
    const { body: options } = await gateway().request('POST', '/api/v1/passkeys/options', { key })
    const added = await gateway().request('POST', '/api/v1/passkeys', {
      key,
      body: { name: 'Phone', passkey: device.create(options) },
    })
    expect([added.status, added.body.error]).toEqual([403, 'forbidden'])
  })
})

describe('who operates no longer', () => {
  test('is refused at the next request: removed, frozen, or with an earlier token', async () => {
    const [removed, frozen, renewed] = [
      await invite('viewer'),
      await invite('viewer'),
      await invite('viewer'),
    ]
    const browsers = await Promise.all(
      [removed, frozen, renewed].map(({ operator_token: secret }) => signIn({ secret })),
    )
    const reads = async () => [
      ...(await Promise.all(
        [removed, frozen, renewed].map(
          async ({ operator_token: token }) => (await operate(token, 'GET', 'operators')).status,
        ),
      )),
      ...(await Promise.all(
        browsers.map(async ({ ask }) => (await ask('GET', `${prefix}/operators`)).status),
      )),
    ]
    expect(await reads()).toEqual(Array(6).fill(200))
    await operate(adminToken, 'DELETE', `operators/${removed.account_id}`)
    await operate(adminToken, 'POST', `accounts/${frozen.account_id}/freeze`, { reason: 'left' })
    const { body } = await operate(adminToken, 'POST', `operators/${renewed.account_id}/tokens`, {})
    expect(await reads()).toEqual(Array(6).fill(401))
    expect((await operate(body.operator_token, 'GET', 'operators')).status).toBe(200)
    const again = await operate(adminToken, 'DELETE', `operators/${removed.account_id}`)
    expect([again.status, again.body.error]).toEqual([404, 'not_found'])
    const { body: shown } = await operate(adminToken, 'GET', `accounts/${removed.account_id}`)
    expect(shown).toMatchObject({ account_id: removed.account_id, live_keys: 0 })
  })
})

test('the last use of a token is recorded, in scripts and in a browser, once a minute', async () => {
  const invited = await invite('viewer', 'Lise')
  const lastUse = async () => {
    const { body } = await operate(adminToken, 'GET', 'operators')
    const listed: { account_id: string; last_used_at: string | null }[] = body.operators
    return listed.find(({ account_id }) => account_id === invited.account_id)?.last_used_at
  }
  expect(await lastUse()).toBeNull()
  await operate(invited.operator_token, 'GET', 'operators')
  await expect.poll(lastUse).toEqual(expect.any(String))
  const first = await lastUse()
  for (let times = 0; times < 3; times++) await operate(invited.operator_token, 'GET', 'operators')
  expect(await lastUse()).toBe(first)

  const other = await invite('viewer', 'Otto')
  const { ask } = await signIn({ secret: other.operator_token })
  await ask('GET', `${prefix}/operators`)
  await expect
    .poll(async () => {
      const { body: read } = await operate(adminToken, 'GET', `accounts/${other.account_id}`)
      return read.last_used_at
    })
    .toEqual(expect.any(String))
})

test('an account says why an operator may not change it, as its routes then do', async () => {
  const [support, manager] = [await invite('support'), await invite('manager')]
  const read = async (key: string, id: string) =>
    (await operate(key, 'GET', `accounts/${id}`)).body.refusals
  const freeze = (id: string) =>
    operate(support.operator_token, 'POST', `accounts/${id}/freeze`, { reason: 'lost laptop' })
  const told = await read(support.operator_token, manager.account_id)
  expect(told).toEqual({
    access: expect.stringContaining('the role manager, which is higher than yours'),
    credit: null,
  })
  const refused = await freeze(manager.account_id)
  expect([refused.status, refused.body.message]).toEqual([403, told.access])
  expect(await read(adminToken, manager.account_id)).toEqual({ access: null, credit: null })

  const own = await read(support.operator_token, support.account_id)
  expect(own).toEqual({ access: null, credit: expect.stringContaining('your own account') })
  const credit = { amount_cents: 5, reason: 'mine' }
  const at = `accounts/${support.account_id}/credit`
  const given = await operate(support.operator_token, 'POST', at, credit)
  expect([given.status, given.body.message]).toEqual([403, own.credit])
})
