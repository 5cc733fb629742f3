// A person takes over an account that an agent opened: from the link to being signed in, without the agent's key.
import { expect, test } from 'vitest'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { type Gateway, shareGatewayOfWorker } from '#test/harness.ts'
import { shareMailGateway } from '#test/mail/gateway.ts'
import { linkMailedTo, shareSmtpSink } from '#test/mail/smtp-sink.ts'

const sink = shareSmtpSink()
const mailing = shareMailGateway({ env: () => ({ SMTP_RELAY_URL: sink().url }) })
const silent = shareGatewayOfWorker()

async function openByAgent(gateway: Gateway) {
  const { body } = await gateway.request('POST', '/api/v1/agents', { body: { name: 'Crawler' } })
  return { ...body, path: new URL(body.claim_url).pathname } as {
    account_id: string
    api_key: string
    path: string
  }
}

const linkTo = (address: string, count?: number) => linkMailedTo(sink(), address, count)

const ownerOf = async (gateway: Gateway, accountId: string) =>
  await gateway.database.query('select owner_email as owner from account where id = $1', [
    accountId,
  ])

const whoIs = async (browser: ReturnType<typeof createCookieBrowser>) =>
  (await (await browser.fetch('GET', '/api/v1/sign-in')).json()) as {
    account_id: string | null
    operator: boolean
  }

test('a person claims the account, is signed in, confirms the address, and signs in by mail in another browser', async () => {
  const gateway = mailing()
  const agent = await openByAgent(gateway)
  const browser = createCookieBrowser(gateway.url)
  const form = await browser.visit(agent.path)
  expect(form.text).toContain(agent.account_id)
  expect(form.text).toMatch(/An agent opened the account <strong[^>]*>Crawler<\/strong>/)
  const claimed = await browser.submit(form, { email: 'Ada@home.example' })
  expect([claimed.status, new URL(claimed.url).pathname]).toEqual([200, '/sign-in/methods'])
  expect(claimed.text).toContain('A link is on its way to your address')
  expect(await whoIs(browser)).toMatchObject({ account_id: agent.account_id, operator: false })

  const link = await linkTo('ada@home.example')
  const token = new URL(link).searchParams.get('confirm') ?? ''
  const confirmed = await browser.submit(await browser.visit(link), {}, token)
  expect(confirmed.text).toContain('<strong>ada@home.example</strong> (mail)')
  const other = createCookieBrowser(gateway.url)
  const asked = { email: 'ada@home.example', next: '/docs/use' }
  expect((await other.fetch('POST', '/api/v1/sign-in/links', { body: asked })).status).toBe(202)
  await other.submit(await other.visit(await linkTo('ada@home.example', 2)))
  expect(await whoIs(other)).toMatchObject({ account_id: agent.account_id })
  expect(await ownerOf(gateway, agent.account_id)).toEqual([{ owner: 'Ada@home.example' }])
})

test('without mail, the person is signed in and told how to sign in later', async () => {
  const gateway = silent()
  const agent = await openByAgent(gateway)
  const browser = createCookieBrowser(gateway.url)
  const claimed = await browser.submit(await browser.visit(agent.path), {
    email: 'ada@home.example',
  })
  expect(claimed.text).toContain('Add a passkey or make an API key, so that you can sign in later.')
  // At this address browsers make no passkey, so the person is led to what works here.
  expect(claimed.text).toContain('<a href="/console/keys">Make an API key</a>')
  expect(await whoIs(browser)).toMatchObject({ account_id: agent.account_id })
})

test('a link that was used shows people a page, and signs no one in', async () => {
  const gateway = silent()
  const agent = await openByAgent(gateway)
  const first = createCookieBrowser(gateway.url)
  const second = createCookieBrowser(gateway.url)
  const forms = [await first.visit(agent.path), await second.visit(agent.path)] as const
  await first.submit(forms[0], { email: 'ada@home.example' })
  for (const late of [
    await second.submit(forms[1], { email: 'eve@home.example' }),
    await second.visit(agent.path),
    await second.visit('/claim/nothing'),
  ]) {
    expect(late.status).toBe(404)
    expect(late.text).toContain('This claim link was used before')
  }
  expect((await second.fetch('GET', '/api/v1/sign-in')).status).toBe(401)
})

test('of two who claim at once, one owns the account', async () => {
  const gateway = silent()
  const agent = await openByAgent(gateway)
  const people = ['ada@home.example', 'eve@home.example'].map((email) => ({
    email,
    browser: createCookieBrowser(gateway.url),
  }))
  const claimed = await Promise.all(
    people.map(async ({ email, browser }) =>
      browser.submit(await browser.visit(agent.path), { email }),
    ),
  )
  expect(claimed.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const owner = people[claimed.findIndex(({ status }) => status === 200)]?.email
  expect(await ownerOf(gateway, agent.account_id)).toEqual([{ owner }])
})

test('an address that is none is told on the page, and the link still works', async () => {
  const gateway = silent()
  const agent = await openByAgent(gateway)
  const browser = createCookieBrowser(gateway.url)
  const told = await browser.submit(await browser.visit(agent.path), { email: 'ada' })
  expect([told.status, told.text.includes('role="alert"')]).toEqual([400, true])
  const claimed = await browser.submit(told, { email: 'ada@home.example' })
  expect(new URL(claimed.url).pathname).toBe('/sign-in/methods')
})

test('the form of another site claims nothing', async () => {
  const gateway = silent()
  const agent = await openByAgent(gateway)
  const reply = await fetch(`${gateway.url}${agent.path}/owner`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ email: 'eve@home.example' }),
    redirect: 'manual',
  })
  expect([reply.status, reply.headers.getSetCookie()]).toEqual([403, []])
  expect((await gateway.request('GET', agent.path)).status).toBe(200)
})
