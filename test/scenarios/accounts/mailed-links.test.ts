import { describe, expect, test } from 'vitest'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import type { TestAccount } from '#test/harness.ts'
import { shareMailGateway } from '#test/mail/gateway.ts'
import { linkMailedTo, shareSmtpSink } from '#test/mail/smtp-sink.ts'

const sink = shareSmtpSink()
const gateway = shareMailGateway({ env: () => ({ SMTP_RELAY_URL: sink().url }) })
const open = () => createCookieBrowser(gateway().url)

let people = 0
const newAddress = () => `person${++people}@home.example`

const mailsTo = (address: string) => sink().taken.filter(({ to }) => to.includes(address))

const linkTo = (address: string, count?: number) => linkMailedTo(sink(), address, count)

const tokenIn = (link: string) => new URL(link).searchParams.get('confirm') ?? ''

const askToConfirm = ({ key }: TestAccount, email: string) =>
  gateway().request('POST', '/api/v1/sign-in-addresses', { key, body: { email } })

const confirm = ({ key }: TestAccount, token: string) =>
  gateway().request('POST', '/api/v1/sign-in-addresses/confirm', { key, body: { token } })

/** An account to which mail signs in. */
async function withAddress() {
  const account = await gateway().account(0)
  const address = newAddress()
  expect((await askToConfirm(account, address)).status).toBe(202)
  const confirmed = await confirm(account, tokenIn(await linkTo(address)))
  expect(confirmed.status).toBe(201)
  return { account, address, confirmed: confirmed.body }
}

const askForLink = (browser: ReturnType<typeof open>, email: string) =>
  browser.fetch('POST', '/api/v1/sign-in/links', { body: { email, next: '/docs/use' } })

test('a person adds an address on the page, and signs in by a link that is mailed to it', async () => {
  const account = await gateway().account(0)
  const address = newAddress()
  const browser = open()
  const signIn = await browser.visit('/sign-in?next=/sign-in/methods')
  const page = await browser.submit(signIn, { secret: account.key })
  const told = await browser.submit(page, { email: address.toUpperCase() })
  expect([told.status, told.text.includes(`on its way to ${address}`)]).toEqual([200, true])
  const asked = await browser.visit(await linkTo(address))
  const confirmed = await browser.submit(asked, {}, tokenIn(await linkTo(address)))
  expect([confirmed.status, confirmed.text.includes(`<strong>${address}</strong>`)]).toEqual([
    200,
    true,
  ])

  const phone = open()
  const start = await phone.visit('/sign-in?next=/docs/use')
  const sent = await phone.submit(start, { email: address }, undefined, '/sign-in/links')
  expect([sent.status, sent.text.includes('Look into your mail')]).toEqual([200, true])
  const opened = await phone.visit(await linkTo(address, 2))
  const landed = await phone.submit(opened)
  expect([landed.status, new URL(landed.url).pathname]).toEqual([200, '/docs/use'])
  const shown = await phone.fetch('GET', '/api/v1/sign-in')
  expect(await shown.json()).toMatchObject({
    account_id: account.id,
    key: { name: address, signs_in_by: 'email' },
  })
})

describe('a mailed link', () => {
  test('works once, in the browser that asked for it and in no other', async () => {
    const { address } = await withAddress()
    const browser = open()
    expect((await askForLink(browser, address)).status).toBe(202)
    const link = await linkTo(address, 2)
    const stranger = open()
    expect((await stranger.visit(link)).status).toBe(404)
    await askForLink(stranger, newAddress())
    expect((await stranger.visit(link)).status).toBe(404)
    const page = await browser.visit(link)
    expect((await stranger.submit(page)).status).toBe(401)
    expect((await browser.submit(page)).status).toBe(200)
    expect((await browser.visit(link)).status).toBe(404)
  })

  test('ends with its time', async () => {
    const { address } = await withAddress()
    const browser = open()
    await askForLink(browser, address)
    const link = await linkTo(address, 2)
    await gateway().database.query('update sign_in_link set expires_at = now()')
    expect((await browser.visit(link)).status).toBe(404)
  })

  test('is stored as a hash only', async () => {
    const { address } = await withAddress()
    const browser = open()
    await askForLink(browser, address)
    const [, token = ''] = /sign-in\/([\w-]{43})/.exec(await linkTo(address, 2)) ?? []
    expect(token).not.toBe('')
    const stored = await gateway().database.query(
      `select l.*, encode(hash, 'escape'), encode(browser_hash, 'escape') from sign_in_link l`,
    )
    for (const secret of [token, ...browser.cookies.values()])
      expect(JSON.stringify(stored)).not.toContain(secret)
  })
})

describe('asking for a link', () => {
  test('is answered alike for an address that signs in and for one that does not', async () => {
    const { address } = await withAddress()
    const unknown = newAddress()
    const answers = []
    for (const each of [unknown, address]) {
      const reply = await askForLink(open(), each)
      answers.push([reply.status, [...reply.headers.keys()].toSorted(), await reply.json()])
    }
    expect(answers[0]).toEqual(answers[1])
    await linkTo(address, 2)
    expect(mailsTo(unknown)).toEqual([])
  })

  test('is limited for each address, whether or not it signs in', async () => {
    const { address } = await withAddress()
    for (const each of [address, newAddress()]) {
      const statuses: number[] = []
      for (let turn = 0; turn < 6; turn += 1) statuses.push((await askForLink(open(), each)).status)
      expect(statuses.at(-1)).toBe(429)
    }
  })

  test('is refused for a page of another site, and for what is not one address', async () => {
    const browser = open()
    const body = { email: newAddress() }
    const foreign = await browser.fetch('POST', '/api/v1/sign-in/links', {
      site: 'cross-site',
      body,
    })
    expect(foreign.status).toBe(403)
    for (const email of ['ada', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example'])
      expect((await askForLink(browser, email)).status).toBe(400)
  })
})

describe('an address', () => {
  test('is confirmed by the account that asked, once, and never by a limited key', async () => {
    const [account, other] = [await gateway().account(0), await gateway().account(0)]
    const address = newAddress()
    await askToConfirm(account, address)
    const token = tokenIn(await linkTo(address))
    expect((await confirm(other, token)).status).toBe(404)
    const limited = await gateway().request('POST', '/api/v1/keys', {
      key: account.key,
      body: { max_cents_per_day: 5 },
    })
    const weak = { ...account, key: limited.body.api_key as string }
    expect((await confirm(weak, token)).status).toBe(403)
    expect((await confirm(account, token)).status).toBe(201)
    expect((await confirm(account, token)).status).toBe(404)
  })

  test('signs in to one account. Once its key is revoked it gets no links, and may sign in to another', async () => {
    const { account, address, confirmed } = await withAddress()
    const other = await gateway().account(0)
    await askToConfirm(other, address)
    const refused = await confirm(other, tokenIn(await linkTo(address, 2)))
    expect([refused.status, refused.body.message.includes('already')]).toEqual([400, true])
    await gateway().request('DELETE', `/api/v1/keys/${confirmed.key_id}`, { key: account.key })
    expect((await askForLink(open(), address)).status).toBe(202)
    await askToConfirm(other, address)
    expect((await confirm(other, tokenIn(await linkTo(address, 3)))).status).toBe(201)
  })
})
