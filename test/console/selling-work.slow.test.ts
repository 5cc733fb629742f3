// Selling with the keyboard and with a screen reader: what is announced, what buttons are called, where the focus is.
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, shareConsole, withoutRefusals } from './open-console.ts'

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** The names of buttons and links in tables that are there more than once. */
const repeatedNames = (page: Page) =>
  page.evaluate(() => {
    const names = [...document.querySelectorAll('td button')].map(
      (button) => button.getAttribute('aria-label') ?? button.textContent,
    )
    return names.filter((name, at) => names.indexOf(name) !== at)
  })

describe.skipIf(chromiumPath === undefined)('the work of selling', () => {
  const weather = shareWeatherApi()
  const opened = shareConsole()

  async function visit() {
    const visited = await opened().signIn(adminToken)
    onTestFinished(() => visited.context.close())
    return visited
  }

  test('a sale is announced, keeps the focus, and is first among the keys', async () => {
    const { page, enter, press, complaints } = await visit()
    await enter('/operator/selling')
    await page.getByLabel('Address', { exact: true }).fill(weather().descriptionUrl)
    await page.getByLabel('Name', { exact: true }).fill('by_keyboard')
    await page.getByLabel('It is in your own network').check()
    await press('Look at it')
    await page.getByText('4 actions would be sold').waitFor()
    await expect.poll(() => focused(page)).toBe('Look at it')
    await press('Sell')
    await expect.poll(() => focused(page)).toBe('Cancel')
    await press('Sell 4 actions')
    const told = '4 actions of by_keyboard are sold now.'
    await page.getByRole('status').getByText(told).waitFor()
    await expect.poll(() => focused(page)).toContain(told)
    const keys = page.getByRole('table', { name: 'Keys of providers' })
    await keys.getByRole('row', { name: 'by_keyboard' }).waitFor()
    expect(await keys.getByRole('row').nth(1).textContent()).toContain('by_keyboard')
    expect(await repeatedNames(page)).toEqual([])
    await expectAccessible(page, 'after a sale')

    await press('Stop: by_keyboard')
    await press('Stop selling it')
    await page.getByText('The operator stopped selling by_keyboard').waitFor()
    await page.getByRole('button', { name: 'Stop: by_keyboard' }).waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain('by_keyboard')
    await page.getByRole('link', { name: 'Sell again: by_keyboard' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a key that the API refuses is stored where the person ticks that it is not tested', async () => {
    const { gateway } = opened()
    await sell(gateway, {
      address: weather().descriptionUrl,
      name: 'refusing',
      private: true,
      price: 1,
    })
    const { page, enter, press, complaints } = await visit()
    await enter('/operator/selling')
    await press('Paste a key: refusing')
    const dialog = page.getByRole('dialog', { name: 'The key of refusing' })
    await dialog.getByLabel('Key', { exact: true }).fill(`not-${weatherKey}`)
    await press('Store the key')
    await dialog.getByText('or tick “Store it without the test”').waitFor()
    expect(await dialog.textContent()).not.toContain('"test"')
    weather().fault = 'status 500'
    await press('Store the key')
    await dialog.getByText('did not say whether this key is good').waitFor()
    expect(await dialog.textContent()).not.toContain('"test"')
    weather().fault = 'none'
    await dialog.getByLabel('Store it without the test').check()
    await press('Store the key')
    await page.getByRole('row', { name: 'refusing Alpine Weather pasted' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Paste a key')
    expect(withoutRefusals(complaints)).toEqual([])
  })

  test('the budget of a provider is set, shown and removed', async () => {
    const { gateway } = opened()
    const { page, enter, press, complaints } = await visit()
    await enter('/operator/selling')
    const section = page.getByRole('region', { name: 'Budgets', exact: true })
    await section.getByLabel('Provider').selectOption('test')
    await section.getByLabel('Calls a day').fill('500')
    await press('Set the budget')
    await section.getByText('The budget of test is set.').waitFor()
    await expect.poll(() => focused(page)).toBe('Set the budget')
    await section.getByRole('row', { name: 'test 500 0' }).waitFor()
    const listed = await gateway.request('GET', '/api/v1/admin/provider-budgets', {
      key: adminToken,
    })
    expect(listed.body.provider_budgets).toMatchObject([{ provider: 'test', calls_per_day: 500 }])
    await expectAccessible(page, 'a budget')
    await press('Remove: test')
    await press('Remove the budget')
    await section.getByText('No provider has a budget.').waitFor()
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
    expect(complaints).toEqual([])
  })

  test('a canary that is asked keeps the focus on its button', async () => {
    const { gateway } = opened()
    await sell(gateway, {
      address: weather().descriptionUrl,
      name: 'asked',
      private: true,
      price: 1,
    })
    await gateway.request('PUT', '/api/v1/admin/provider-keys/asked', {
      key: adminToken,
      body: { key: weatherKey },
    })
    const { page, enter, press } = await visit()
    await enter('/operator/canaries')
    await press('Check: asked')
    await press('Ask it')
    await page.getByText('as expected', { exact: true }).waitFor()
    await expect.poll(() => focused(page)).toBe('Check')
    expect(await repeatedNames(page)).toEqual([])
  })

  test('an API with a key is named once among the first steps', async () => {
    const { page, enter } = await visit()
    await enter('/operator')
    const step = page.getByRole('listitem').filter({ hasText: 'Something to sell' })
    await step.getByText('done').waitFor()
    const text = (await step.textContent()) ?? ''
    expect(text.match(/Alpine Weather/g)).toHaveLength(2)
    expect(text).toMatch(/\b\d+ language models/)
  })

  test('a price of a group is asked for in what the action takes', async () => {
    const { page, enter, press } = await visit()
    await enter('/operator/price-groups')
    await page.getByLabel('Name').fill('Partners')
    await press('Open the group')
    await page.getByRole('heading', { name: 'Set a price of Partners' }).waitFor()
    expect(await page.getByLabel('Factor').count()).toBe(0)
    await page.getByLabel('Action').selectOption('asked/get-forecast')
    await page.getByLabel('Dollars for a call', { exact: true }).waitFor()
    await page.getByText('Such as 0.025. Empty: the price of everyone.').waitFor()
    expect(await repeatedNames(page)).toEqual([])
  })
})
