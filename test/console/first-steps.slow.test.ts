// What the console shows before there is anything to show: while it loads, when it fails, and on a new gateway.
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noteBackup } from '#platform/backups/last-backup.ts'
import { adminToken } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { expectAccessible, themes } from './accessible.ts'
import { chromiumPath, shareConsole, type Visit } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('the console of a new gateway', () => {
  // Models of a file would be something to sell.
  const opened = shareConsole({ config: { upstreams: {}, tiers: {}, prices: {} } })

  async function visit(secret = adminToken): Promise<Visit> {
    const visit = await opened().signIn(secret)
    onTestFinished(() => visit.context.close())
    return visit
  }

  test('the first steps tick themselves off by what the gateway finds', async () => {
    const { gateway } = opened()
    const operate = (method: 'GET' | 'PUT', at: string, body?: object) =>
      gateway.request(method, `/api/v1/admin/${at}`, { key: adminToken, ...(body && { body }) })
    const { page, enter, complaints } = await visit()
    const steps = page.getByRole('region', { name: 'First steps' })
    const step = (title: string) => steps.getByRole('listitem').filter({ hasText: title })
    const look = async () => {
      await enter('/operator')
      await steps.getByText(/are done/).waitFor()
    }
    const expectDone = async (title: string, done: boolean) => {
      await look()
      expect(await step(title).getByText('done', { exact: true }).count(), title).toBe(Number(done))
    }

    await expectDone('Something to sell', false)
    await expectDone('A price', false)
    await operate('PUT', 'price-overrides/test/echo', { price_usd: '0.05' })
    await expectDone('A price', true)

    await expectDone('A backup', false)
    const at = new Date('2026-11-29T12:00:00Z')
    await noteBackup(gateway.dataDir, { at, file: path.join(gateway.dataDir, 'data.tar.gz') })
    expect((await operate('GET', 'backups')).body).toMatchObject({
      last_backup_at: at.toISOString(),
    })
    await expectDone('A backup', true)

    await expectDone('The first sale', false)
    const account = await gateway.account(100)
    await account.call('test/echo', { text: 'sold' })
    await expectDone('The first sale', true)
    await sell(gateway, {
      address: 'http://127.0.0.1:9/tea',
      name: 'tea_house',
      kind: 'endpoint',
      private: true,
      price: 1,
    })
    await expectDone('Something to sell', true)
    await step('A price')
      .getByText('1 price of your own, and those of 1 API that you sell')
      .waitFor()

    await expectDone('A way to be paid', false)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page, `the first steps, ${colorScheme}`)
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(excess, `${width} px`).toBeLessThanOrEqual(0)
      }
    }
    expect(complaints).toEqual([])
  })

  test('a page says that it loads from the first moment on, and what failed can be tried again', async () => {
    const { page, enter } = await visit()
    const held = Promise.withResolvers<void>()
    await page.route('**/console/assets/*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${opened().gateway.url}/console/operator/audit`, { waitUntil: 'commit' })
    await page.getByText('Loading …').waitFor()
    await page.route('**/api/v1/admin/audit*', (route) =>
      route.fulfill({
        status: 400,
        json: { ok: false, error: 'bad_request', message: 'Not now.' },
      }),
    )
    held.resolve()
    await page.getByRole('alert').getByText('Not now.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.unroute('**/api/v1/admin/audit*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await enter('/operator/audit')
  })

  test('an action that takes a ceiling has one field for it, and a wallet leads to what it has', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(100)
    const caller = await visit(key)
    await caller.enter('/catalog/tollway/run-plan')
    await caller.page.getByLabel('max_cost_cents').waitFor()
    expect(await caller.page.getByLabel('Ceiling in cents').count()).toBe(0)
    const { page } = await visit()
    const wallet = '01a22846-57b0-719a-968c-d95d3ad641fd'
    await page.goto(`${gateway.url}/console/operator/accounts/${wallet}`)
    await page.getByRole('link', { name: 'its statements by month' }).click()
    await page.waitForURL(`**/operator/accounts/${wallet}/statements`)
  })

  test('a refusal is told once, until the person changes what they entered', async () => {
    const account = await opened().gateway.account(100)
    const { page, enter } = await visit()
    await enter(`/operator/accounts/${account.id}`)
    await page.route('**/credit', (route) =>
      route.fulfill({
        status: 400,
        json: { ok: false, error: 'bad_request', message: 'Too much.' },
      }),
    )
    await page.getByLabel('Dollars').fill('1')
    await page.getByLabel('Reason').first().fill('a test')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByRole('alert').getByText('Too much.').waitFor()
    await page.getByLabel('Dollars').fill('2')
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })
})
