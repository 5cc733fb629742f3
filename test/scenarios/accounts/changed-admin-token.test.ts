// The operator changes ADMIN_TOKEN and starts the gateway again: what the earlier token has opened ends, and what
// belongs to accounts goes on.
import { expect, test } from 'vitest'
import { adminToken, type Gateway, shareGateway, startGateway } from '#test/harness.ts'

const laterToken = 'the-later-token-of-the-operator'
const health = '/api/v1/admin/health'

const before = shareGateway()

const startLater = () =>
  startGateway({ databaseUrl: before().databaseUrl, env: { ADMIN_TOKEN: laterToken } })

/** Signs in, in a browser that may have a cookie already. */
async function signIn(on: Gateway, proof: { secret: string } | { link: string }, cookie = '') {
  const reply = await fetch(`${on.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify(proof),
  })
  const sent = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { status: reply.status, body: await reply.json(), cookie: sent }
}

const readSignIn = async (on: Gateway, cookie: string) => {
  const reply = await fetch(`${on.url}/api/v1/sign-in`, { headers: { cookie } })
  return { status: reply.status, body: await reply.json() }
}

async function operate(on: Gateway, { cookie, body }: { cookie: string; body: unknown }) {
  const { csrf_token: csrf } = body as { csrf_token: string }
  const headers = { cookie, 'x-csrf-token': csrf }
  return (await fetch(on.url + health, { headers })).status
}

async function makeLink(on: Gateway, key: string): Promise<string> {
  const { body } = await on.request('POST', '/api/v1/admin/sign-in-links', { key, body: {} })
  return new URL(body.url).pathname.split('/').at(-1) ?? ''
}

test('the earlier token, browsers that it signed in and links that it made operate nothing', async () => {
  const account = await before().account(10)
  const browser = await signIn(before(), { secret: adminToken })
  expect(await operate(before(), browser)).toBe(200)
  const link = await makeLink(before(), adminToken)
  const byLink = await signIn(before(), { link: await makeLink(before(), adminToken) })
  expect(await operate(before(), byLink)).toBe(200)

  const later = await startLater()
  expect((await later.request('GET', health, { key: adminToken })).status).toBe(401)
  expect((await signIn(later, { secret: adminToken })).status).toBe(401)
  for (const each of [browser, byLink]) {
    expect(await operate(later, each)).toBe(401)
    expect((await readSignIn(later, each.cookie)).status).toBe(401)
  }
  expect((await signIn(later, { link })).status).toBe(401)
  // In a browser that it signed in, another sign-in does not bring its rights back.
  const again = await signIn(later, { secret: account.key }, browser.cookie)
  expect(again.body).toMatchObject({ operator: false, account_id: account.id })

  expect((await later.request('GET', health, { key: laterToken })).status).toBe(200)
  expect(await operate(later, await signIn(later, { secret: laterToken }))).toBe(200)
  const next = await signIn(later, { link: await makeLink(later, laterToken) })
  expect(await operate(later, next)).toBe(200)
})

test('accounts, their keys and sign-ins, and people who operate go on', async () => {
  const account = await before().account(10)
  const both = await signIn(before(), { secret: adminToken })
  const { cookie } = await signIn(before(), { secret: account.key }, both.cookie)
  expect((await readSignIn(before(), cookie)).body).toMatchObject({ operator: true })
  const { body: person } = await before().request('POST', '/api/v1/admin/operators', {
    key: adminToken,
    body: { name: 'Ada', role: 'manager' },
  })
  const ada = await signIn(before(), { secret: person.operator_token })

  const later = await startLater()
  expect((await later.request('GET', '/api/v1/account', { key: account.key })).status).toBe(200)
  expect(await readSignIn(later, cookie)).toMatchObject({
    status: 200,
    body: { operator: false, account_id: account.id },
  })
  expect((await later.request('GET', health, { key: person.operator_token })).status).toBe(200)
  expect(await operate(later, ada)).toBe(200)
})
