// What the console shows of who one is: the account of this browser, and what a role may not press. And how tables
// show amounts and times.
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { shareWeatherApi } from '#test/selling/weather-api.ts'
import { expectAccessible, themes } from './accessible.ts'
import { fillPages } from './every-page.ts'
import { chromiumPath, shareConsole, withoutRefusals } from './open-console.ts'

const pictures = process.env.CONSOLE_PICTURES
/** Of a large screen and of a phone. */
const widths = [1440, 390]

/** The page in both themes and at both widths: it is accessible, and nothing sticks out. */
async function look(page: Page, name: string) {
  for (const colorScheme of themes)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page, `${name} ${width} ${colorScheme}`)
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(excess, `${name} at ${width}`).toBeLessThanOrEqual(0)
      if (pictures !== undefined)
        await page.screenshot({
          path: path.join(pictures, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe.skipIf(chromiumPath === undefined)(
  'the console of a browser with several accounts',
  () => {
    const opened = shareConsole()

    async function visit(secret: string) {
      const visited = await opened().signIn(secret)
      onTestFinished(() => visited.context.close())
      return visited
    }

    const accountNamed = async (name: string, cents: number) => {
      const { body } = await opened().gateway.request('POST', '/api/v1/admin/accounts', {
        key: adminToken,
        body: { name, balance_cents: cents },
      })
      return { id: body.account_id as string, key: body.api_key as string }
    }

    test('one switches accounts, and a page of the other one offers to reload and does nothing', async () => {
      const { gateway } = opened()
      const [ada, grace] = [await accountNamed('Ada', 500), await accountNamed('Grace', 700)]
      const { page, context, enter, complaints } = await visit(ada.key)
      await page.getByRole('link', { name: 'Add another account' }).click()
      await page.getByText('This browser is signed in to Ada').waitFor()
      await page.getByLabel('API key').fill(grace.key)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Grace' }).waitFor()
      await page.getByText('$7.00').first().waitFor()
      await enter('/catalog/test/echo')
      await page.getByText('2¢', { exact: true }).first().waitFor()

      const second = await context.newPage()
      await second.goto(`${gateway.url}/console`)
      await second.getByRole('link', { name: 'Switch account (1 more)' }).click()
      for (const colorScheme of themes) {
        await second.emulateMedia({ colorScheme })
        await expectAccessible(second, `the accounts of a browser, ${colorScheme}`)
        if (pictures !== undefined)
          await second.screenshot({ path: path.join(pictures, `accounts-${colorScheme}.png`) })
      }
      await second.getByRole('button', { name: 'Switch to Ada' }).click()
      await second.getByRole('heading', { name: 'Ada' }).waitFor()
      await second.getByText('$5.00').first().waitFor()

      await page.getByRole('button', { name: 'Run' }).click()
      const alert = page.getByRole('alert').filter({ hasText: 'opened for another sign-in' })
      await alert.first().waitFor()
      expect(new URL(page.url()).pathname).toBe('/console/catalog/test/echo')
      for (const { key, cents } of [
        { ...ada, cents: 500 },
        { ...grace, cents: 700 },
      ])
        expect((await gateway.request('GET', '/api/v1/account', { key })).body.balance_cents).toBe(
          cents,
        )
      await alert.first().getByRole('button', { name: 'Reload the page' }).click()
      await page.getByRole('heading', { name: 'Ada' }).waitFor()

      await page.getByRole('button', { name: 'Sign out of all accounts' }).click()
      await page.waitForURL(({ pathname }) => pathname === '/sign-in')
      expect(await page.getByText('Accounts in this browser').count()).toBe(0)
      expect((await context.cookies()).map(({ name }) => name)).toEqual([])
      expect(withoutRefusals(complaints)).toEqual([])
    })
  },
)

describe.skipIf(chromiumPath === undefined)('the console of a person with a role', () => {
  const weather = shareWeatherApi()
  const opened = shareConsole()
  const operate = (method: string, at: string, body?: object) =>
    opened().gateway.request(method, `/api/v1/admin/${at}`, {
      key: adminToken,
      ...(body && { body }),
    })

  async function operatorWith(role: string) {
    const { body } = await operate('POST', 'operators', { name: `A ${role}`, role })
    const visited = await opened().signIn(body.operator_token)
    onTestFinished(() => visited.context.close())
    return visited
  }

  test('what it may not press is disabled and says why, and the rest works', async () => {
    const { gateway } = opened()
    await fillPages(gateway, weather())
    const account = await gateway.account(500)
    const reason = (least: string, role: string) =>
      `This needs the role ${least}. You operate as ${role}.`

    const viewer = await operatorWith('viewer')
    const pages = [
      'selling',
      'prices',
      'costs',
      'price-groups',
      'canaries',
      'plans',
      'backups',
      `accounts/${account.id}`,
    ]
    for (const at of pages) {
      await viewer.enter(`/operator/${at}`)
      const open = viewer.page.locator('main button[type=submit]:not([aria-disabled=true])')
      expect(await open.count(), at).toBe(0)
    }
    const credit = viewer.page.getByRole('button', { name: 'Credit', exact: true })
    expect(await credit.getAttribute('title')).toBe(reason('support', 'viewer'))
    const described = await credit.getAttribute('aria-describedby')
    expect(await viewer.page.locator(`[id="${described}"]`).textContent()).toBe(
      reason('support', 'viewer'),
    )
    await look(viewer.page, 'account-of-a-viewer')
    const asked: string[] = []
    viewer.page.on('request', (request) => {
      if (request.method() !== 'GET') asked.push(request.url())
    })
    await viewer.page.getByLabel('Dollars').fill('1')
    await viewer.page.getByLabel('Reason').first().fill('none')
    await viewer.press('Credit')
    await viewer.page.keyboard.press('Enter')
    await viewer.press('Freeze')
    expect(await viewer.page.getByRole('dialog').count()).toBe(0)
    expect(asked).toEqual([])

    const support = await operatorWith('support')
    await support.enter(`/operator/accounts/${account.id}`)
    const space = support.page.getByRole('button', { name: 'Space' })
    expect(await space.getAttribute('title')).toBe(reason('manager', 'support'))
    await support.page.getByLabel('Dollars').fill('1')
    await support.page.getByLabel('Reason').first().fill('goodwill')
    await support.press('Credit')
    await support.page.getByText('The account was credited.').waitFor()
    expect((await account.state()).availableCents).toBe(600)

    const manager = await operatorWith('manager')
    await manager.enter(`/operator/accounts/${account.id}`)
    expect(await manager.page.getByRole('button', { name: 'Space' }).getAttribute('title')).toBe(
      null,
    )
  })

  test('the points of a column of amounts stand under each other, and exact amounts are in the address', async () => {
    const { gateway } = opened()
    const account = await gateway.account(100_000)
    for (const cents of [4, 30, 250]) await account.call('test/either', { cents })
    await account.call('test/echo', {})
    const visited = await opened().signIn(adminToken)
    onTestFinished(() => visited.context.close())
    const { page, enter } = visited
    await enter('/operator/transactions')
    await page.getByRole('cell', { name: '−$0.02', exact: true }).first().waitFor()
    // Amounts of three places and of two in one column.
    for (const known of ['$0.004', '$0.03', '$0.25'])
      await page.getByRole('cell', { name: known, exact: true }).waitFor()
    /** Where the points of each column are. */
    const points = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('td.amount data')].map((amount) => {
          const text = amount.firstChild as Text
          const at = text.data.indexOf('.')
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          const column = amount.closest('td')?.dataset.name ?? ''
          return [column, range.getBoundingClientRect().left] as const
        }),
      )
    const expectAligned = async () => {
      const columns = Map.groupBy(await points(), ([column]) => column)
      expect([...columns.keys()].toSorted()).toEqual(['Change', 'Known cost'])
      for (const [column, found] of columns) {
        const places = found.map(([, left]) => left)
        expect(Math.max(...places) - Math.min(...places), column).toBeLessThan(0.75)
      }
    }
    await expectAligned()
    await look(page, 'transactions')
    await page.getByRole('button', { name: 'Exact amounts' }).click()
    await page.getByRole('cell', { name: '−$0.020000', exact: true }).first().waitFor()
    await expectAligned()
    expect(new URL(page.url()).searchParams.get('exact')).toBe('yes')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.waitForURL(({ pathname, search }) => pathname.endsWith('/operator') && search !== '')
    await page.reload()
    expect(
      await page.getByRole('button', { name: 'Exact amounts' }).getAttribute('aria-pressed'),
    ).toBe('true')
    await page.goBack()
    await page.goBack()
    await page.getByRole('cell', { name: '−$0.02', exact: true }).first().waitFor()
  })

  test('correcting an invoice keeps the exact times that were not edited', async () => {
    const account = await opened().gateway.account(500)
    await account.call('test/echo', {})
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    // With seconds, which the fields of the form do not show.
    const [from, until] = [daysAgo(1).replace(/:\d\d\.\d+Z/, ':17.250Z'), daysAgo(0)]
    const { body } = await operate('POST', 'invoices', {
      provider: 'test',
      from,
      until,
      amount_usd: '12.5',
      shared_by: 'calls',
    })
    expect(body).toHaveProperty('invoice_id')
    const { page, enter, context } = await opened().signIn(adminToken)
    onTestFinished(() => context.close())
    const read = async () => (await operate('GET', 'costs')).body.invoices[0]
    const correct = async (fill: () => Promise<void>) => {
      await enter('/operator/costs')
      await page.getByRole('button', { name: /^Correct: test/ }).click()
      await fill()
      await page.getByRole('button', { name: 'Correct the invoice' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const dialog = page.getByRole('dialog')
    await correct(() => dialog.getByLabel('Dollars').fill('13'))
    expect(await read()).toMatchObject({ amount_usd: '13.000000', from, until })
    const [day = ''] = daysAgo(2).split('T')
    // In the time zone of the browser, which is five and a half hours ahead.
    await correct(() => dialog.getByLabel('From').fill(`${day}T06:00`))
    expect(await read()).toMatchObject({ from: `${day}T00:30:00.000Z`, until })
  })

  test('the page of backups shows the last one, the last test and a failure in plain words', async () => {
    const visited = await opened().signIn(adminToken)
    onTestFinished(() => visited.context.close())
    const { page, enter, press, complaints } = visited
    await enter('/operator/backups')
    await page.getByText('Your own PostgreSQL keeps the books').waitFor()

    const file = '/var/backups/tollway/tollway-2026-11-29T12-00-00-000Z.tar.gz'
    const run = {
      asked_by: 'schedule',
      file,
      started_at: '2026-11-29T12:00:00Z',
      ended_at: '2026-11-29T12:01:00Z',
    }
    const made = { ...run, kind: 'backup', state: 'succeeded', problem: null, bytes: 48_200_000 }
    const tested = { ...made, kind: 'restore-test', bytes: null, accounts: 12, postings: 3456 }
    const shown = {
      database: 'embedded',
      last_backup_at: run.started_at,
      file,
      folder: '/var/backups/tollway',
      schedule: { every_hours: 24, kept: 7 },
      last_run: { ...made, accounts: null, postings: null },
      last_restore_test: tested as object,
      last_good_run: { ...made, accounts: null, postings: null },
      last_good_restore_test: tested as object,
      backups: [{ file, bytes: 48_200_000, made_at: run.ended_at }],
    }
    const sent: unknown[] = []
    await page.route('**/api/v1/admin/backups**', async (route) => {
      const method = route.request().method()
      if (method !== 'GET') sent.push([method, route.request().postDataJSON()])
      await route.fulfill({ json: method === 'PUT' ? shown.schedule : shown })
    })
    await enter('/operator/backups')
    await page
      .getByText(
        '12 balances, with those of the house, and 3,456 postings were there, and the books added up.',
      )
      .waitFor()
    await look(page, 'backups')
    await page.getByLabel('Back up', { exact: true }).selectOption('Every week')
    await page.getByLabel('Keep the newest').fill('0')
    await page.getByText('Enter a number from 1 to 100.').waitFor()
    await page.getByLabel('Keep the newest').fill('4')
    await press('Save')
    await expect.poll(() => sent).toEqual([['PUT', { every_hours: 168, kept: 4 }]])

    shown.last_restore_test = {
      ...tested,
      state: 'failed',
      problem: 'The disk is full. Make room in the data folder.',
    }
    await press('Back up now')
    await page.getByText('The disk is full. Make room in the data folder.').waitFor()
    await look(page, 'backups-failed')
    expect(complaints).toEqual([])
  })
})
