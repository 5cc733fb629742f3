import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { adminToken, shareGateway } from '#test/harness.ts'

const consoleFolder = mkdtempSync(path.join(tmpdir(), 'tollway-console-'))
writeFileSync(path.join(consoleFolder, 'index.html'), '<title>Console</title>')
afterAll(() => rmSync(consoleFolder, { recursive: true }))

const gateway = shareGateway({ consoleFolder })
const open = () => createCookieBrowser(gateway().url)

/** A browser that has signed in, and the header by which its pages prove where they come from. */
async function signedIn(secret: string, browser = open()) {
  const reply = await browser.fetch('POST', '/api/v1/sign-in', { body: { secret } })
  expect(reply.status).toBe(200)
  const body = await reply.json()
  return { browser, body, headers: { 'x-csrf-token': body.csrf_token as string } }
}

const by = ({ headers }: { headers: Record<string, string> }) => ({ headers })

async function ask(browser: ReturnType<typeof open>, ...asked: Parameters<typeof browser.fetch>) {
  const reply = await browser.fetch(...asked)
  return { status: reply.status, body: await reply.json() }
}

describe('a person', () => {
  test('signs in with an API key, acts with its rights, and signs out', async () => {
    const account = await gateway().account(10)
    const { browser, body, headers } = await signedIn(account.key)
    expect(body).toMatchObject({ operator: false, account_id: account.id })
    expect(JSON.stringify(body)).not.toContain(account.key)
    const read = await ask(browser, 'GET', '/api/v1/account', { headers })
    expect(read.body).toMatchObject({ account_id: account.id, balance_cents: 10 })
    const called = await ask(browser, 'POST', '/api/run/test/echo', { headers, body: {} })
    expect(called.body).toMatchObject({ ok: true, charged_cents: 2, balance_remaining_cents: 8 })
    expect((await ask(browser, 'DELETE', '/api/v1/sign-in', { headers })).status).toBe(200)
    expect(browser.cookies.size).toBe(0)
    expect((await ask(browser, 'GET', '/api/v1/sign-in')).status).toBe(401)
  })

  test('signs in by the form of a page, and comes to the page that they wanted', async () => {
    const account = await gateway().account(0)
    const browser = open()
    const page = await browser.visit('/sign-in?next=/docs/use')
    const refused = await browser.submit(page, { secret: 'guess' })
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('role="alert"')
    const landed = await browser.submit(refused, { secret: ` ${account.key} ` })
    expect([landed.status, new URL(landed.url).pathname]).toEqual([200, '/docs/use'])
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example'])
      expect((await browser.visit(`/sign-in?next=${encodeURIComponent(next)}`)).text).not.toContain(
        'evil',
      )
  })

  test('comes to the console when they wanted no page in particular, or one elsewhere', async () => {
    const account = await gateway().account(0)
    for (const asked of ['', '?next=//evil.example']) {
      const browser = open()
      const landed = await browser.submit(await browser.visit(`/sign-in${asked}`), {
        secret: account.key,
      })
      expect([landed.status, new URL(landed.url).pathname]).toEqual([200, '/console'])
    }
  })

  test('is signed out when the key is revoked, and everywhere when they ask for it', async () => {
    const account = await gateway().account(0)
    const made = await gateway().request('POST', '/api/v1/keys', { key: account.key, body: {} })
    const first = await signedIn(made.body.api_key)
    const second = await signedIn(account.key)
    const third = await signedIn(account.key)
    const at = `/api/v1/keys/${made.body.key_id}`
    await gateway().request('DELETE', at, { key: account.key })
    expect((await ask(first.browser, 'GET', '/api/v1/account', by(first))).status).toBe(401)
    expect(
      (await ask(second.browser, 'DELETE', '/api/v1/sign-in?everywhere=true', by(second))).status,
    ).toBe(200)
    expect((await ask(third.browser, 'GET', '/api/v1/account', by(third))).status).toBe(401)
  })
})

test('the operator signs in with the token or by a link that works once, and beside it to an account', async () => {
  const operator = await signedIn(adminToken)
  expect(operator.body).toMatchObject({ operator: true, account_id: null, key: null })
  expect((await ask(operator.browser, 'GET', '/api/v1/admin/accounts', by(operator))).status).toBe(
    200,
  )
  expect((await ask(operator.browser, 'GET', '/api/v1/admin/accounts')).status).toBe(401)
  expect((await ask(operator.browser, 'GET', '/api/v1/account', by(operator))).status).toBe(401)

  const link = await ask(operator.browser, 'POST', '/api/v1/admin/sign-in-links', by(operator))
  const browser = open()
  const page = await browser.visit(link.body.url)
  expect(page.status).toBe(200)
  expect(browser.cookies.size).toBe(0)
  expect((await browser.submit(page)).status).toBe(200)
  expect(browser.cookies.size).toBe(1)
  expect((await open().submit(page)).status).toBe(401)
  expect((await open().visit(link.body.url)).status).toBe(404)

  const account = await gateway().account(5)
  const both = await signedIn(account.key, browser)
  expect(both.body).toMatchObject({ operator: true, account_id: account.id })
  expect((await ask(browser, 'GET', '/api/v1/admin/accounts', by(both))).status).toBe(200)
  expect((await ask(browser, 'GET', '/api/v1/account', by(both))).status).toBe(200)
})

describe('pages of other sites', () => {
  test('cannot act with the cookie of a person, nor sign a person in', async () => {
    const account = await gateway().account(10)
    const { browser, headers } = await signedIn(account.key)
    for (const site of ['cross-site', 'same-site'] as const) {
      for (const proof of [headers, {}])
        expect(
          (await ask(browser, 'POST', '/api/run/test/echo', { headers: proof, site, body: {} }))
            .status,
        ).not.toBe(200)
      expect((await ask(browser, 'GET', '/api/v1/sign-in', { site })).status).toBe(403)
      const body = { secret: account.key }
      expect((await ask(browser, 'POST', '/api/v1/sign-in', { site, body })).status).toBe(403)
    }
    const wrong = { 'x-csrf-token': 'x'.repeat(43) }
    expect((await ask(browser, 'GET', '/api/v1/account', { headers: wrong })).status).toBe(401)
    const page = await browser.visit('/sign-in')
    const foreign = await fetch(page.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
      },
      body: `secret=${account.key}`,
    })
    expect(foreign.status).toBe(403)
    expect((await account.state()).availableCents).toBe(10)
  })

  test('cannot frame the pages, and these run their own script only', async () => {
    const { headers } = await open().visit('/sign-in')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

test('the cookie is out of reach of scripts, and the database knows only its hash', async () => {
  const account = await gateway().account(0)
  const browser = open()
  const reply = await browser.fetch('POST', '/api/v1/sign-in', { body: { secret: account.key } })
  expect(reply.headers.get('set-cookie')).toMatch(
    /^tollway=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  )
  const rows = await gateway().database.query<{ hash: Buffer }>('select hash from sign_in')
  const [token = ''] = browser.cookies.values()
  expect(rows.map(({ hash }) => hash.toString())).not.toContain(token)
})

test('a gateway that sends no mail says so, and its page offers none', async () => {
  const browser = open()
  const { status, body } = await gateway().request('POST', '/api/v1/sign-in/links', {
    body: { email: 'person@home.example' },
  })
  expect([status, body.message.includes('SMTP_RELAY_URL')]).toEqual([503, true])
  expect((await browser.visit('/sign-in')).text).not.toContain('E-mail')
})
