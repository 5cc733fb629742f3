// What strangers write, and what other sites try, does nothing in the console.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { createLogCapture } from '#test/log-capture.ts'
import { oauthTestClient, registerClient } from '#test/oauth/client.ts'
import { hostileMarkdown, hostileProvider, markup } from './hostile-provider.ts'
import { chromiumPath, shareConsole, type Visit, withoutRefusals } from './open-console.ts'

interface Row {
  readonly transaction_id: string
}

describe.skipIf(chromiumPath === undefined)('strangers and the console', () => {
  const log = createLogCapture()
  const opened = shareConsole({ providers: [hostileProvider], log })

  async function visit(secret: string): Promise<Visit> {
    const visit = await opened().signIn(secret)
    onTestFinished(() => visit.context.close())
    return visit
  }

  test('the document holds no inline script, no inline style and no foreign address', async () => {
    const html = await readFile(path.join(opened().folder, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\ssrc="\/console\/)|<style|\sstyle=|\son\w+=/)
    expect(html).not.toMatch(/https?:\/\//)
  })

  test('the key stays in the cookie’s sign-in: no storage, address, page or log holds it', async () => {
    const { key } = await opened().gateway.account(500)
    const { context, page, enter } = await visit(key)
    await enter('/catalog')
    const kept = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
        performance.getEntriesByType('resource').map(({ name }) => name),
      ]),
    )
    expect(kept).not.toContain(key)
    await page.goBack()
    expect(page.url()).not.toContain(key)
    expect(log.text()).not.toContain(key)
    expect(JSON.stringify(await context.cookies())).not.toContain(key)
  })

  test('the cookie alone does nothing: a request without the token of the page is refused', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    const { context } = await visit(key)
    const [cookie] = await context.cookies()
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
    expect((await gateway.request('POST', '/api/v1/keys', { headers, body: {} })).status).toBe(401)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  })

  test('another site can neither frame the console nor act in the name of a person', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    const { page } = await visit(account.key)
    await page.route('http://other.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${gateway.url}/console">` }),
    )
    await page.goto('http://other.example/')
    await page.frameLocator('iframe').locator('body').waitFor({ state: 'attached' })
    expect(page.frames().map((frame) => frame.url())).toEqual([
      'http://other.example/',
      'chrome-error://chromewebdata/',
    ])
    // Browsers send it without the cookie, or not at all.
    await page.evaluate(async (url) => {
      const init = { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{}' } as const
      await fetch(`${url}/api/v1/keys`, init).catch(() => undefined)
    }, gateway.url)
    expect((await account.get('/api/v1/keys')).body.keys).toHaveLength(1)
  })

  test('texts of strangers stay text: titles, Markdown, tables and addresses run and load nothing', async () => {
    const { key } = await opened().gateway.account(500)
    const { page, enter, complaints } = await visit(key)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).host))
    await enter('/catalog/hostile/page')
    await page.getByRole('button', { name: 'Run' }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByRole('heading', { name: 'Title <img' }).waitFor()
    const links = await answer
      .getByRole('link')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    expect(new Set(links.filter((link) => !link.startsWith('/console/')))).toEqual(
      new Set([
        'https://tracker.example/pixel.png',
        'https://good.example/page',
        'https://good.example/',
      ]),
    )
    expect(await answer.locator('img, script, iframe').count()).toBe(0)
    expect(await page.evaluate(() => 'attacked' in globalThis)).toBe(false)
    expect(new Set(asked)).toEqual(new Set([new URL(opened().gateway.url).host]))
    expect(complaints).toEqual([])
  })

  test('texts of strangers stay text in chats, errors and names of accounts', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    const { page, enter, complaints } = await visit(key)
    const isUnharmed = async () => {
      expect(await page.locator('main img, main iframe, main script').count()).toBe(0)
      expect(await page.evaluate(() => 'attacked' in globalThis)).toBe(false)
    }
    gateway.upstream.behave('one', (exchange) => exchange.answer({ tokens: [hostileMarkdown] }))
    await enter('/chat')
    await page.getByLabel('Model').selectOption('lab/one')
    await page.getByLabel('Your message').fill(markup)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: 'Title <img' }).waitFor()
    await isUnharmed()
    await enter('/catalog/hostile/refusal')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').getByText(markup).waitFor()
    await isUnharmed()
    const { body } = await gateway.request('POST', '/api/v1/agents', { body: { name: markup } })
    const operator = await visit(adminToken)
    await operator.enter(`/operator/accounts/${body.account_id}`)
    await operator.page.getByRole('heading', { name: markup, level: 1 }).waitFor()
    expect(await operator.page.evaluate(() => 'attacked' in globalThis)).toBe(false)
    expect([...withoutRefusals(complaints), ...operator.complaints]).toEqual([])
  })

  test('texts of strangers stay text in names of keys and apps, in mail, errors and lists', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    const made = { key: account.key, body: { name: markup } }
    await gateway.request('POST', '/api/v1/keys', made)
    const { body: registered } = await registerClient(gateway.url, { client_name: markup })
    await oauthTestClient(gateway.url, registered.client_id).connect(account.key, {})
    await account.call('hostile/refusal', {}, { 'idempotency-key': markup.slice(0, 40) })
    const reason = { amount_cents: 1, reason: markup }
    const path = `/api/v1/admin/accounts/${account.id}/credit`
    await gateway.request('POST', path, { key: adminToken, body: reason })
    const { body: statement } = await account.get('/api/v1/transactions')
    const ids: string[] = statement.transactions.map((row: Row) => row.transaction_id)
    const person = await visit(account.key)
    const operator = await visit(adminToken)
    const see = async ({ page, enter }: Visit, paths: readonly string[]) => {
      for (const at of paths) {
        await enter(at)
        expect(await page.locator('main img, main iframe, main script').count(), at).toBe(0)
        expect(await page.evaluate(() => 'attacked' in globalThis), at).toBe(false)
      }
    }
    await see(person, ['/', '/keys', ...ids.map((id) => `/transactions/${id}`), '/apps'])
    await person.page.getByRole('cell', { name: markup }).first().waitFor()
    await see(person, ['/catalog/hostile/inbox'])
    await person.page.getByRole('button', { name: 'Run' }).click()
    await person.page.getByRole('heading', { name: '1. Letter <img' }).waitFor()
    await person.page.getByText('<body onload=').first().waitFor()
    await see(operator, ['/operator', '/operator/audit', '/operator/providers'])
    await see(operator, [`/operator/accounts/${account.id}`])
    await operator.page.getByRole('cell', { name: markup }).first().waitFor()
    const images = await person.page.locator('main img, main iframe, main script').count()
    expect([images, ...person.complaints, ...operator.complaints]).toEqual([0])
  })
})
