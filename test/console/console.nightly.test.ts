// People use the console of a gateway in a browser.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { createOAuthTestClient } from '#test/oauth/client.ts'
import { expectAccessible, themes } from './accessible.ts'
import { fillStatement } from './fill-statement.ts'
import { chromiumPath, shareConsole, type Visit } from './open-console.ts'

const firstPageBytesMax = 25_000
/** Of all pages together, each of which is loaded when it is opened. */
const allBytesMax = 100_000

const accountPages = [
  '/',
  '/catalog',
  '/catalog/test/echo',
  '/transactions',
  '/work',
  '/connect',
  '/keys',
  '/apps',
  '/files',
  '/chat',
]
const operatorPages = [
  '/operator',
  '/operator/providers',
  '/operator/models',
  '/operator/prices',
  '/operator/canaries',
  '/operator/price-groups',
  '/operator/costs',
  '/operator/margins',
  '/operator/accounts',
  '/operator/purchases',
  '/operator/rails',
  '/operator/sessions',
  '/operator/reading',
  '/operator/audit',
  '/operator/ledger',
]
/** The narrowest phone, a tablet and a desk. */
const widths = [360, 768, 1440]

describe.skipIf(chromiumPath === undefined)('the console', () => {
  const opened = shareConsole()

  async function visit(secret: string): Promise<Visit> {
    const visit = await opened().signIn(secret)
    onTestFinished(() => visit.context.close())
    return visit
  }

  test('the scripts of the first page, and all scripts together, stay small', async () => {
    const { folder } = opened()
    const compressedBytes = async (name: string) =>
      gzipSync(await readFile(path.join(folder, name))).length
    const html = await readFile(path.join(folder, 'index.html'), 'utf8')
    const first = [...html.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(
      ([, name = '']) => name,
    )
    const names = await readdir(path.join(folder, 'assets'))
    const all = names.filter((name) => name.endsWith('.js')).map((name) => `assets/${name}`)
    const sum = async (each: readonly string[]) =>
      (await Promise.all(each.map(compressedBytes))).reduce((one, other) => one + other, 0)
    expect(first.length).toBeGreaterThan(0)
    expect(await sum(first)).toBeLessThanOrEqual(firstPageBytesMax)
    expect(await sum(all)).toBeLessThanOrEqual(allBytesMax)
  })

  test('a person who is not signed in is led to the sign-in page, and back to where they were', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    const { context, page } = await visit(key)
    await context.clearCookies()
    await page.goto(`${gateway.url}/console/catalog/test/echo`)
    await page.waitForURL('**/sign-in?next=**')
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'test/echo', level: 1 }).waitFor()
  })

  test('an action is priced while its form is filled in, run, and shown with what it cost', async () => {
    const { key } = await opened().gateway.account(500)
    const { page, enter, complaints } = await visit(key)
    await enter('/catalog')
    await page.getByLabel('What do you need?').fill('answer what was sent')
    await page.getByRole('link', { name: 'test/echo' }).click()
    await page.getByLabel('text').fill('<img src=x onerror=alert(1)>')
    await page.getByText('2¢', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Charged').waitFor()
    // What a stranger wrote is text, in the answer as everywhere.
    await page
      .getByRole('region', { name: 'Answer' })
      .getByText('<img src=x onerror=alert(1)>')
      .waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    // The pointer rests on the button, which keeps its contrast.
    await expectAccessible(page, 'an answer')
    expect(complaints).toEqual([])
  })

  test('a transaction shows what happened to the money, and its stored answer', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    const { key } = account
    await gateway.call('test/echo', { text: 'hello' }, { key })
    await account.call('test/free', {}, { 'idempotency-key': 'kept' })
    const { page, enter } = await visit(key)
    await enter('/transactions')
    await page.getByRole('cell', { name: 'test/echo', exact: true }).waitFor()
    expect(await page.getByRole('cell', { name: /^test\/free/ }).count()).toBe(0)
    await page.getByLabel('Free calls').selectOption('')
    await page.getByRole('cell', { name: /^test\/free/ }).waitFor()
    await page.getByLabel('Free calls').selectOption('false')
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('No transactions match.').waitFor()
    // What is chosen is in the address: after a reload, after Back and in another browser.
    const address = page.url()
    await page.reload()
    await page.getByText('No transactions match.').waitFor()
    expect(await page.getByLabel('Status').inputValue()).toBe('failed')
    const other = await visit(key)
    await other.page.goto(address)
    await other.page.getByText('No transactions match.').waitFor()
    await page.getByLabel('Status').selectOption('succeeded')
    await page.getByRole('cell', { name: 'test/echo', exact: true }).waitFor()
    await page.goBack()
    await page.getByText('No transactions match.').waitFor()
    await page.goForward()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const saved = await readFile(await (await saving).path(), 'utf8')
    expect(saved.trim().split('\n')).toContainEqual(expect.stringContaining('test/echo'))
    expect(saved).not.toContain('test/free')
    await page.getByRole('row').filter({ hasText: 'test/echo' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    expect(await page.locator('.timeline strong').allTextContents()).toEqual([
      'Quoted and held',
      'Charged',
    ])
    await page.getByRole('button', { name: 'Read the stored answer, free' }).click()
    await page.getByText('"echo": "hello"').waitFor()
  })

  test('times are those of the reader’s zone, and amounts are exact on demand', async () => {
    const account = await opened().gateway.account(500)
    await account.call('test/echo', {})
    const { page, enter } = await visit(account.key)
    await enter('/transactions')
    const { body } = await account.get('/api/v1/transactions?type=call')
    const at: string = body.transactions[0].created_at
    const shown = await page.locator(`time[datetime="${at}"]`).textContent()
    const inKolkata = new Intl.DateTimeFormat('en-US', {
      ...({ dateStyle: 'medium', timeStyle: 'short' } as const),
      timeZone: 'Asia/Kolkata',
    })
    const words = (text: string | null) => text?.split(/\s+/)
    expect(words(shown)).toEqual(words(inKolkata.format(new Date(at))))
    await page.getByRole('cell', { name: '−$0.02' }).waitFor()
    await page.getByRole('button', { name: 'Exact amounts' }).click()
    await page.getByRole('cell', { name: '−$0.020000' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('$4.980000').waitFor()
  })

  test('a key is shown once, follows its changed limits, and is refused after it is revoked', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    const { page, enter, complaints } = await visit(key)
    await enter('/keys')
    await page.getByLabel('Name').fill('<b>robot</b>')
    await page.getByLabel('Most per day, in $').fill('1.50')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const secret = (await page.locator('.notice code').textContent()) ?? ''
    expect((await gateway.request('GET', '/api/v1/account', { key: secret })).status).toBe(200)
    const row = page.getByRole('row').filter({ hasText: '<b>robot</b>' })
    await row.getByText('$1.50 a day').waitFor()
    await page.reload()
    await row.waitFor()
    expect(await page.content()).not.toContain(secret)
    await row.getByRole('button', { name: 'Limits' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Most per day, in $').inputValue()).toBe('1.50')
    await dialog.getByLabel('Most per day, in $').fill('two')
    await dialog.getByRole('button', { name: 'Change the limits' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Most per day, in $').fill('0.03')
    await dialog.getByLabel('Actions').fill('test/echo')
    await dialog.getByRole('button', { name: 'Change the limits' }).click()
    await row.getByText('$0.03 a day · test/echo').waitFor()
    expect((await gateway.call('test/echo', {}, { key: secret })).status).toBe(200)
    expect((await gateway.call('test/echo', {}, { key: secret })).status).not.toBe(200)
    expect((await gateway.call('test/either', {}, { key: secret })).status).toBe(403)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await row.getByText('revoked').waitFor()
    expect((await gateway.request('GET', '/api/v1/account', { key: secret })).status).toBe(401)
    expect(complaints).toEqual([])
  })

  test('a ceiling below the price refuses the call before it runs', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    const { page, enter } = await visit(key)
    await enter('/catalog/test/echo')
    const askedBefore = gateway.provider.asked.length
    await page.getByLabel('max_cost_cents').fill('1')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').waitFor()
    expect(gateway.provider.asked.length).toBe(askedBefore)
  })

  test('a lost network is told, and a call that it interrupts is made once it is back', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    const { context, page, enter } = await visit(key)
    await enter('/catalog/test/echo')
    const askedBefore = gateway.provider.asked.length
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('The gateway cannot be reached. Trying again').waitFor()
    await context.setOffline(false)
    await page.getByText('Charged').waitFor()
    expect(gateway.provider.asked.length).toBe(askedBefore + 1)
    expect(await page.getByText('Trying again').count()).toBe(0)
  })

  test('a call whose answers were all lost is charged once when the person runs it again', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    const { page, enter } = await visit(account.key)
    await enter('/catalog/test/echo')
    await page.getByText('2¢', { exact: true }).first().waitFor()
    await page.route(/\/api\/run\/test\/echo$/, async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').getByText('The gateway cannot be reached.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('This is the stored answer of the same call').waitFor()
    expect(await account.state()).toMatchObject({ availableCents: 498, heldCents: 0 })
    // What was answered is not asked for again: the same input is a new call.
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('This is the stored answer').waitFor({ state: 'detached' })
    await page.getByText('Charged').waitFor()
    expect((await account.state()).availableCents).toBe(496)
  })

  test('the keyboard alone reaches the page, its menu, its content and its questions', async () => {
    const { key } = await opened().gateway.account(500)
    const { page, enter } = await visit(key)
    await enter('/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await page.getByRole('link', { name: 'Catalog' }).press('Enter')
    await page.getByRole('heading', { name: 'Catalog', level: 1 }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await enter('/keys')
    await page.getByRole('button', { name: 'Limits' }).press('Enter')
    const isInside = () => document.activeElement?.closest('dialog') !== null
    expect(await page.evaluate(isInside)).toBe(true)
    await expectAccessible(page, 'a question')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Limits')
  })

  test('a job shows its progress, and goes on if the question before its end is not confirmed', async () => {
    const { gateway } = opened()
    const { key, state } = await gateway.account(500)
    await gateway.call('test/job', { steps: 3, ends: 'never' }, { key })
    const { page, enter } = await visit(key)
    await enter('/work')
    const row = page.getByRole('row').filter({ hasText: 'test/job' })
    await row.getByRole('progressbar').waitFor()
    await row.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Let it run' }).click()
    expect((await state()).heldCents).toBeGreaterThan(0)
  })

  test('a file with a hostile name is stored, shown as text, and deleted', async () => {
    const { key } = await opened().gateway.account(500)
    const { page, enter, complaints } = await visit(key)
    await enter('/files')
    const name = '<img src=x onerror=alert(1)>.txt'
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await page.getByLabel('Store a file').setInputFiles(file)
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: name })
    await row.waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the file' }).click()
    await page.getByText('No files match.').waitFor()
    expect(complaints).toEqual([])
  })

  test('a connected app is listed with its limits, which change, and refused once its access has ended', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    const client = await createOAuthTestClient(gateway.url)
    const { access_token } = await client.connect(key, { per_day: '0.05' })
    await gateway.call('test/echo', {}, { key: access_token })
    const { page, enter, complaints } = await visit(key)
    await enter('/apps')
    const row = page.getByRole('row').filter({ hasText: 'Test app' })
    await row.getByText('$0.05 a day').waitFor()
    await row.getByText('$0.02').first().waitFor()
    await row.getByRole('button', { name: 'Limits' }).click()
    await page.getByRole('dialog').getByLabel('Most per day, in $').fill('0.03')
    await page.getByRole('button', { name: 'Change the limits' }).click()
    await row.getByText('$0.03 a day').waitFor()
    expect((await gateway.call('test/echo', {}, { key: access_token })).status).not.toBe(200)
    await row.getByRole('button', { name: 'End' }).click()
    await page.getByRole('button', { name: 'End the access' }).click()
    await row.getByText('ended').waitFor()
    expect((await gateway.call('test/echo', {}, { key: access_token })).status).toBe(401)
    expect(complaints).toEqual([])
  })

  test('an action that fails often is marked in the catalog, and found by it', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    for (let call = 0; call < 5; call += 1) await gateway.call('test/nonsense', {}, { key })
    const { page, enter } = await visit(key)
    await expect
      .poll(
        async () => {
          await enter('/catalog')
          await page.getByLabel('Health').selectOption('failing')
          return await page.getByRole('heading', { name: 'test/nonsense' }).count()
        },
        { interval: 1_000 },
      )
      .toBe(1)
  })

  test('a statement of 100,000 transactions is read page by page, and summed', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    await fillStatement(gateway, account.id, 100_000)
    const { page, enter } = await visit(account.key)
    await enter('/transactions')
    expect(await page.getByRole('row').count()).toBe(51)
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('Page 2').waitFor()
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('Page 2').waitFor({ state: 'detached' })
    await enter('/')
    await page.getByText('Spending in the last 30 days').waitFor()
    await page.getByRole('cell', { name: '100,000' }).first().waitFor()
    await page.getByText('As a table').click()
    await page.getByRole('figure').getByRole('row').nth(30).waitFor()
  })

  test('an account sees no page of operators', async () => {
    const { key } = await opened().gateway.account(500)
    const { page, enter } = await visit(key)
    await enter('/operator')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  })

  describe.each(themes)('in the %s theme', (theme) => {
    test.for([
      ['an account', accountPages],
      ['the operator', operatorPages],
    ] as const)(
      'no page of %s breaks a rule of accessibility or scrolls sideways',
      async ([who, paths]) => {
        const { gateway } = opened()
        const account = await gateway.account(500)
        const { key } = account
        await account.call('test/echo', { text: 'hello' })
        const { body } = await account.get('/api/v1/transactions?type=call')
        const one =
          who === 'an account'
            ? `/transactions/${body.transactions[0].transaction_id}`
            : `/operator/accounts/${account.id}`
        const { page, enter, complaints } = await visit(who === 'an account' ? key : adminToken)
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        for (const at of [...paths, one]) {
          await enter(at)
          await expectAccessible(page, at)
          for (const width of widths) {
            await page.setViewportSize({ width, height: 900 })
            const excess = await page.evaluate(
              () => document.documentElement.scrollWidth - innerWidth,
            )
            expect(excess, `${at} at ${width} px`).toBeLessThanOrEqual(0)
            // Tables are cards there.
            if (theme === 'light' && width === 360) await expectAccessible(page, `${at} at 360 px`)
          }
        }
        expect(complaints).toEqual([])
      },
    )
  })
})
