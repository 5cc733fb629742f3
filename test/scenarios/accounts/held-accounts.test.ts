// A browser that is signed in to several accounts: it acts for one, and no page acts for another than it shows.
import { expect, test } from 'vitest'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { adminToken, shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'
import { createOAuthTestClient } from '#test/oauth/client.ts'

const gateway = shareGatewayOfWorker()
const open = () => createCookieBrowser(gateway().url)
type Browser = ReturnType<typeof open>

const accountNamed = async (name: string) => {
  const { body } = await gateway().request('POST', '/api/v1/admin/accounts', {
    key: adminToken,
    body: { name, balance_cents: 10 },
  })
  return { id: body.account_id as string, key: body.api_key as string }
}

async function ask(browser: Browser, ...asked: Parameters<Browser['fetch']>) {
  const reply = await browser.fetch(...asked)
  return { status: reply.status, body: await reply.json() }
}

/** Signs in as a page does, and gives what that page proves itself by. */
async function signIn(browser: Browser, secret: string) {
  const { body } = await ask(browser, 'POST', '/api/v1/sign-in', { body: { secret } })
  return { body, headers: { 'x-csrf-token': body.csrf_token as string } }
}

const whoIs = async (browser: Browser) => (await ask(browser, 'GET', '/api/v1/sign-in')).body

const switchTo = async (browser: Browser, { id }: Pick<TestAccount, 'id'>) =>
  await browser.submit(
    await browser.visit('/sign-in?next=/docs/use'),
    { account: id },
    undefined,
    '/sign-in/switch',
  )

test('a page of one account does nothing for another after a switch, and works again after a switch back', async () => {
  const [ada, grace] = [await accountNamed('Ada'), await accountNamed('Grace')]
  const browser = open()
  const pageOfAda = await signIn(browser, ada.key)
  expect(pageOfAda.body.other_accounts).toBe(0)
  const pageOfGrace = await signIn(browser, grace.key)
  expect(pageOfGrace.body).toMatchObject({ account_id: grace.id, other_accounts: 1 })

  const call = (page: typeof pageOfAda) =>
    ask(browser, 'POST', '/api/run/test/echo', { headers: page.headers, body: {} })
  for (const [method, at] of [
    ['POST', '/api/run/test/echo'],
    ['GET', '/api/v1/account'],
    ['GET', '/api/v1/catalog'],
    ['GET', '/api/v1/admin/accounts'],
  ] as const) {
    const refused = await ask(browser, method, at, {
      headers: pageOfAda.headers,
      ...(method === 'POST' && { body: {} }),
    })
    expect([at, refused.status, refused.body.error]).toEqual([at, 401, 'invalid_token'])
    expect(refused.body.data).toEqual({ reason: 'sign_in_changed' })
    expect(refused.body.message).toContain('Reload the page')
  }
  expect((await call(pageOfGrace)).body).toMatchObject({ balance_remaining_cents: 8 })

  const landed = await switchTo(browser, ada)
  expect([landed.status, new URL(landed.url).pathname]).toEqual([200, '/docs/use'])
  expect(await whoIs(browser)).toMatchObject({ account_id: ada.id, other_accounts: 1 })
  expect((await call(pageOfAda)).body).toMatchObject({ balance_remaining_cents: 8 })
  expect((await call(pageOfGrace)).status).toBe(401)
  expect((await call(pageOfAda)).body).toMatchObject({ balance_remaining_cents: 6 })
})

test('the pages that sign in say which account the browser acts for, and which it keeps', async () => {
  const [ada, grace] = [await accountNamed('Ada <1>'), await accountNamed('Grace')]
  const browser = open()
  await signIn(browser, ada.key)
  const { body: person } = await gateway().request('POST', '/api/v1/admin/operators', {
    key: adminToken,
    body: { name: 'Hedy', role: 'viewer' },
  })
  const link = await browser.visit(person.sign_in_url)
  expect(link.text).toContain('signs in to <strong>Hedy</strong>')
  expect(link.text).toContain('signed in to <strong>Ada &lt;1&gt;</strong> now')
  await browser.submit(link)
  expect(await whoIs(browser)).toMatchObject({ account_name: 'Hedy', other_accounts: 1 })
  await signIn(browser, grace.key)
  const page = await browser.visit('/sign-in')
  expect(page.text).toContain('This browser is signed in to <strong>Grace</strong>')
  for (const name of ['Ada &lt;1&gt;', 'Hedy']) expect(page.text).toContain(`Switch to ${name}`)
  const { body: agent } = await gateway().request('POST', '/api/v1/agents', { body: {} })
  const claim = await browser.visit(new URL(agent.claim_url).pathname)
  expect(claim.text).toContain('signed in to <strong>Grace</strong> now')
  await browser.submit(claim, { email: 'grace@home.example' })
  expect(await whoIs(browser)).toMatchObject({ account_id: agent.account_id, other_accounts: 3 })
  // A browser without an account is told nothing of others.
  expect((await open().visit('/sign-in')).text).not.toContain('Accounts in this browser')
})

test('the rights of the operator stay with the account that has them', async () => {
  const [ada, grace] = [await accountNamed('Ada'), await accountNamed('Grace')]
  const browser = open()
  await signIn(browser, adminToken)
  expect((await signIn(browser, ada.key)).body).toMatchObject({ operator: true })
  const pageOfGrace = await signIn(browser, grace.key)
  expect(pageOfGrace.body).toMatchObject({ operator: false, other_accounts: 1 })
  const asked = { headers: pageOfGrace.headers }
  expect((await ask(browser, 'GET', '/api/v1/admin/accounts', asked)).status).toBe(401)
  await switchTo(browser, ada)
  expect(await whoIs(browser)).toMatchObject({ account_id: ada.id, operator: true })
})

test('one signs out of one account, or of all of the browser', async () => {
  const [ada, grace, hedy] = await Promise.all(['Ada', 'Grace', 'Hedy'].map(accountNamed))
  if (ada === undefined || grace === undefined || hedy === undefined) throw new Error('No account')
  const browser = open()
  await signIn(browser, ada.key)
  await signIn(browser, grace.key)
  const page = await signIn(browser, hedy.key)
  await browser.fetch('DELETE', '/api/v1/sign-in', page)
  expect((await ask(browser, 'GET', '/api/v1/sign-in')).status).toBe(401)
  await switchTo(browser, grace)
  const pageOfGrace = await whoIs(browser)
  expect(pageOfGrace).toMatchObject({ account_id: grace.id, other_accounts: 1 })
  const held = [...browser.cookies]
  await browser.fetch('DELETE', '/api/v1/sign-in?all_accounts=true', {
    headers: { 'x-csrf-token': pageOfGrace.csrf_token },
  })
  expect(browser.cookies.size).toBe(0)
  // What the cookies held works no more, wherever it was copied.
  const cookie = held.map(([name, value]) => `${name}=${value}`).join('; ')
  const copied = { headers: { cookie, 'sec-fetch-site': 'same-origin' } }
  expect((await fetch(`${gateway().url}/api/v1/sign-in`, copied)).status).toBe(401)
  expect(await (await fetch(`${gateway().url}/sign-in`, copied)).text()).not.toContain('Switch to')
})

test('signing in again to a held account keeps one sign-in, and at most four others wait', async () => {
  const accounts = await Promise.all([1, 2, 3, 4, 5, 6].map((each) => accountNamed(`No ${each}`)))
  const browser = open()
  for (const { key } of accounts) await signIn(browser, key)
  expect(await whoIs(browser)).toMatchObject({ account_name: 'No 6', other_accounts: 4 })
  const page = await browser.visit('/sign-in')
  expect(page.text).not.toContain('Switch to No 1')
  await signIn(browser, accounts[3]?.key ?? '')
  expect(await whoIs(browser)).toMatchObject({ account_name: 'No 4', other_accounts: 4 })
  const [row] = await gateway().database.query<{ count: number }>(
    `select count(*) from sign_in s join api_key k on k.id = s.key_id where k.account_id = any($1)`,
    [accounts.map(({ id }) => id)],
  )
  expect(row?.count).toBe(5)
})

test('no other site switches accounts, and an account that is not held is refused', async () => {
  const [ada, grace] = [await accountNamed('Ada'), await accountNamed('Grace')]
  const browser = open()
  await signIn(browser, ada.key)
  await signIn(browser, grace.key)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = (headers: Record<string, string>, account: string) =>
    fetch(`${gateway().url}/sign-in/switch`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
      body: new URLSearchParams({ account, next: '/console' }).toString(),
    })
  expect((await send({ origin: 'https://evil.example' }, ada.id)).status).toBe(403)
  expect((await send({ 'sec-fetch-site': 'same-site' }, ada.id)).status).toBe(403)
  const own = { 'sec-fetch-site': 'same-origin' }
  const stranger = await accountNamed('Stranger')
  expect((await send(own, stranger.id)).status).toBe(404)
  const switched = await send(own, ada.id)
  expect(switched.status).toBe(303)
  for (const set of switched.headers.getSetCookie())
    expect(set).toMatch(
      /^tollway(-others)?=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    )
})

test('a sign-in whose key was revoked is not gone on with, and not switched to', async () => {
  const [ada, grace] = [await accountNamed('Ada'), await accountNamed('Grace')]
  const browser = open()
  await signIn(browser, ada.key)
  await signIn(browser, grace.key)
  const revoke = async ({ id }: Pick<TestAccount, 'id'>) => {
    const operate = (method: string, path: string) =>
      gateway().request(method, `/api/v1/admin/accounts/${id}${path}`, { key: adminToken })
    const { body } = await operate('GET', '')
    for (const { key_id } of body.keys) await operate('DELETE', `/keys/${key_id}`)
  }
  const text = async () => (await browser.visit('/sign-in')).text
  expect(await text()).toMatch(/signed in to <strong>Grace[\s\S]*Ada/)
  await revoke(grace)
  expect(await text()).not.toContain('Grace')
  expect(await text()).toContain('Ada')
  await revoke(ada)
  expect(await text()).not.toContain('Ada')
})

test('the pages to claim an account and to let an app in say it too', async () => {
  const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
  const accounts = await Promise.all(names.map(accountNamed))
  const browser = open()
  const client = await createOAuthTestClient(gateway().url)
  const { body: agent } = await gateway().request('POST', '/api/v1/agents', { body: {} })
  const claimPath = new URL(agent.claim_url).pathname
  const said = async () =>
    await Promise.all(
      [claimPath, client.authorizeUrl()].map(
        async (at) =>
          /signs it out of <strong>(\w+)<\/strong>/.exec((await browser.visit(at)).text)?.[1],
      ),
    )
  for (const { key } of accounts.slice(0, 4)) await signIn(browser, key)
  expect(await said()).toEqual([undefined, undefined])
  await signIn(browser, accounts[4]?.key ?? '')
  expect(await said()).toEqual(['First', 'First'])
  await browser.submit(await browser.visit(claimPath), { email: 'ada@home.example' })
  expect((await browser.visit('/sign-in')).text).not.toContain('Switch to First')
  // The claim of an account that the browser acts for already ends no other.
  const { body: own } = await gateway().request('POST', '/api/v1/agents', { body: {} })
  await signIn(browser, own.api_key)
  expect((await browser.visit(new URL(own.claim_url).pathname)).text).not.toContain('signs it out')
})

test('the page to sign in says which account a sixth sign-in ends, before it does', async () => {
  const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
  const accounts = await Promise.all(names.map(accountNamed))
  const browser = open()
  const said = async () =>
    /signs it out of <strong>(\w+)<\/strong>/.exec((await browser.visit('/sign-in')).text)?.[1]
  for (const { key } of accounts.slice(0, 4)) {
    await signIn(browser, key)
    expect(await said()).toBeUndefined()
  }
  await signIn(browser, accounts[4]?.key ?? '')
  expect(await said()).toBe('First')
  // Signing in again to one of the five ends none of the others.
  await signIn(browser, accounts[1]?.key ?? '')
  expect(await said()).toBe('First')
  await signIn(browser, accounts[5]?.key ?? '')
  const { text: html } = await browser.visit('/sign-in')
  expect(names.filter((name) => html.includes(`Switch to ${name}`)).sort()).toEqual(
    ['Fifth', 'Fourth', 'Second', 'Third'].sort(),
  )
})
