// Forms of the console: where the focus goes, what is said, and what is sent once.
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi } from '#test/selling/weather-api.ts'
import { expectAccessible } from './accessible.ts'
import { fillStatement } from './fill-statement.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

/** What has the focus: the label of a field, or the name of a button. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    if (at instanceof HTMLInputElement || at instanceof HTMLSelectElement)
      return at.labels?.[0]?.textContent
    return at?.getAttribute('aria-label') ?? at?.textContent
  })

describe.skipIf(chromiumPath === undefined)('a form of the console', () => {
  const weather = shareWeatherApi()
  const opened = shareConsole()

  async function visit(secret = adminToken) {
    const visited = await opened().signIn(secret)
    onTestFinished(() => visited.context.close())
    return visited
  }

  test('that corrects an invoice takes the focus, and gives it back to its row', async () => {
    const { gateway } = opened()
    const { id } = await gateway.account(100)
    await fillStatement(gateway, id, 20)
    const invoice = {
      provider: 'test',
      from: new Date(Date.now() - 7_200_000).toISOString(),
      until: new Date().toISOString(),
      amount_usd: '3',
      shared_by: 'calls',
    }
    const body = { key: adminToken, body: invoice }
    expect((await gateway.request('POST', '/api/v1/admin/invoices', body)).status).toBe(201)
    const { page, enter, complaints } = await visit()
    await page.setViewportSize({ width: 390, height: 844 })
    await enter('/operator/costs')
    const correct = page.getByRole('button', { name: /^Correct: test/ })
    const name = await correct.getAttribute('aria-label')
    await correct.press('Enter')
    await expect.poll(() => focused(page)).toBe('Provider')
    await expectAccessible(page, 'the form of an invoice')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe(name)

    await correct.press('Enter')
    await page.getByRole('dialog').getByLabel('Dollars').fill('4')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Invoices' }).getByText('$4.00').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(name)
    expect(complaints).toEqual([])
  })

  test('that changes a price takes the focus, and gives it back to its row', async () => {
    const { page, enter, press, complaints } = await visit()
    await page.setViewportSize({ width: 390, height: 844 })
    await enter('/operator/prices?search=test/echo')
    const change = 'Change the price of test/echo'
    await press(change)
    await page.getByText('Would cost').waitFor()
    await expect.poll(() => focused(page)).toBe('Dollars for a call')
    await press('Cancel')
    await expect.poll(() => focused(page)).toBe(change)
    expect(await page.getByText('Would cost').count()).toBe(0)

    await press(change)
    await page.getByText('Would cost').waitFor()
    await expect.poll(() => focused(page)).toBe('Dollars for a call')
    await page.keyboard.type('0.05')
    await page.getByText('5¢', { exact: true }).waitFor()
    await press('Set the price')
    await page.getByText('test/echo has its new price.').waitFor()
    await expect.poll(() => focused(page)).toBe(change)
    // The form is still open, and the row leads there again.
    await press(change)
    await expect.poll(() => focused(page)).toBe('Dollars for a call')
    await expectAccessible(page, 'a price that is changed')
    expect(complaints).toEqual([])
  })

  test('that sells asks the API once for what it shows', async () => {
    const { page, enter, press } = await visit()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/sold-apis/preview')) asked.push(request.method())
    })
    await enter('/operator/selling')
    await page.getByLabel('Address', { exact: true }).fill(weather().descriptionUrl)
    await page.getByLabel('Name', { exact: true }).fill('once')
    await page.getByLabel('It is in your own network').check()
    await press('Look at it')
    await page.getByText('4 actions would be sold').waitFor()
    await press('Sell')
    await press('Sell 4 actions')
    await page.getByText('4 actions of once are sold now.').waitFor()
    expect(asked).toEqual(['POST'])
    expect(await page.getByText('would be sold').count()).toBe(0)
  })

  test('that credits keeps its draft when the page is loaded again', async () => {
    const account = await opened().gateway.account(100)
    const { page, enter } = await visit()
    await enter(`/operator/accounts/${account.id}`)
    await page.getByLabel('Dollars').fill('2.50')
    await page.getByLabel('Reason').first().fill('For the wrong answer')
    await page.reload()
    await expect.poll(() => page.getByLabel('Dollars').inputValue()).toBe('2.50')
    expect(await page.getByLabel('Reason').first().inputValue()).toBe('For the wrong answer')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The account was credited.').waitFor()
    expect(new URL(page.url()).search).toBe('')

    await enter(`/operator/transactions?account=${account.id}&free=`)
    await page.getByRole('cell', { name: 'Credit', exact: true }).first().waitFor()
  })

  test('keeps its fields in one line where one of them is wrong', async () => {
    const account = await opened().gateway.account(100)
    const { page, enter } = await visit(account.key)
    await enter('/keys')
    const call = page.getByLabel('Most per call, in $')
    await call.fill('much')
    await call.locator('..').locator('.problem').waitFor()
    const topOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.y
    expect(await topOf('Most per call, in $')).toBe(await topOf('Most per day, in $'))
  })

  test('works once at a time, says what was done, and no more once the person changes something', async () => {
    await sell(opened().gateway, {
      address: weather().descriptionUrl,
      name: 'limited',
      private: true,
      price: 1,
    })
    const { page, enter, press } = await visit()
    const sent: string[] = []
    const held = Promise.withResolvers<void>()
    await page.route('**/provider-budgets/*', async (route) => {
      sent.push(route.request().method())
      await held.promise
      await route.continue()
    })
    await enter('/operator/selling')
    const section = page.getByRole('region', { name: 'Budgets', exact: true })
    await section.getByLabel('Provider').selectOption('limited')
    await section.getByLabel('Calls a day').fill('500')
    await press('Set the budget')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Set the budget')
    held.resolve()
    const told = section.getByRole('status').getByText('The budget of limited is set.')
    await told.waitFor()
    expect(sent).toEqual(['PUT'])
    await section.getByLabel('Calls a day').fill('600')
    await told.waitFor({ state: 'detached' })
  })
})
