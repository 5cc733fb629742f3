// The operator's page of what they sell, and the frame around it.
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi } from '#test/selling/weather-api.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('the page of what is sold', () => {
  const weather = shareWeatherApi()
  const opened = shareConsole()

  test('leads from an API to its actions, and to what is left out and why', async () => {
    const { gateway, signIn } = opened()
    const rules = [
      { match: '#admin', price: 'not sold' },
      { match: '*', price: 3 },
    ]
    const address = weather().descriptionUrl
    await sell(gateway, { address, name: 'weather', private: true, rules })
    await sell(gateway, {
      address: `${weather().url}/raw`,
      name: 'raw',
      kind: 'endpoint',
      private: true,
      price: 2,
    })
    const { context, page, enter, complaints } = await signIn(adminToken)
    onTestFinished(() => context.close())
    await enter('/operator/selling')
    await page.getByRole('link', { name: 'weather', exact: true }).click()
    await page.getByRole('heading', { name: 'What is sold as weather' }).waitFor()
    const actions = page.getByRole('table', { name: 'Its actions' })
    await actions.getByRole('row', { name: 'weather/get-forecast 3¢' }).waitFor()
    expect(await actions.getByRole('row').count()).toBe(4)
    await expectAccessible(page, 'what is sold as weather')
    await enter('/operator/selling/raw')
    await page.getByRole('row', { name: 'raw/call 2¢' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('an API that is sold again, by its link or by its address, keeps its rules, price and name', async () => {
    const { gateway, signIn } = opened()
    const rules = [
      { match: '#admin', price: 'not sold' },
      { match: 'get-status', price: 'free' },
      { match: '*', price: 3 },
    ]
    const address = weather().descriptionUrl
    const sold = { address, name: 'twice', private: true }
    const { actions } = await sell(gateway, { ...sold, rules })
    const storedRules = async () => {
      const reply = await gateway.request('GET', '/api/v1/admin/sold-apis/twice', {
        key: adminToken,
      })
      return reply.body.rules
    }
    const { context, page, enter, complaints } = await signIn(adminToken)
    onTestFinished(() => context.close())
    await enter('/operator/selling')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'twice' }) })
    await row.getByRole('link', { name: 'Sell again' }).click()
    await page.getByRole('heading', { name: 'Sell twice again' }).waitFor()
    const price = page.getByLabel('Cents for each call')
    expect(await price.inputValue()).toBe('3')
    await expectAccessible(page, 'selling again')
    await price.fill('4')
    await page.getByRole('button', { name: 'Look at it' }).click()
    const planned = page.getByRole('table', { name: 'What would be sold as twice' })
    await planned.getByRole('row', { name: '4¢, was 3¢' }).first().waitFor()
    expect(await planned.getByRole('row').count()).toBe(actions.length + 1)
    expect(await planned.getByRole('cell', { name: 'new', exact: true }).count()).toBe(0)
    const changes = page.getByRole('table', { name: 'Its price rules' })
    await changes.getByRole('row', { name: '"price":4} new' }).waitFor()
    await changes.getByRole('row', { name: '"price":3} removed' }).waitFor()
    await page.getByRole('button', { name: 'Sell', exact: true }).click()
    await page.getByRole('button', { name: `Sell ${actions.length} actions` }).click()
    await page.getByRole('heading', { name: 'Sell an API' }).waitFor()
    expect(await storedRules()).toEqual([...rules.slice(0, 2), { match: '*', price: 4 }])

    // The preview finds out that it is sold.
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByLabel('Name', { exact: true }).fill('twice')
    await page.getByLabel('It is in your own network').check()
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByRole('heading', { name: 'Sell twice again' }).waitFor()
    await planned.waitFor()
    expect(await price.inputValue()).toBe('4')
    expect(await planned.getByRole('cell', { name: 'same', exact: true }).count()).toBe(
      actions.length,
    )
    expect(complaints).toEqual([])
  })

  test('asks to sell one action as one', async () => {
    const { context, page, enter } = await opened().signIn(adminToken)
    onTestFinished(() => context.close())
    await enter('/operator/selling')
    await page.getByLabel('Address', { exact: true }).fill(`${weather().url}/raw`)
    await page.getByLabel('Name', { exact: true }).fill('raw_one')
    await page.getByLabel('It is in your own network').check()
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByRole('button', { name: 'Sell', exact: true }).click()
    await page.getByRole('button', { name: 'Sell 1 action', exact: true }).waitFor()
  })

  test('the menu scrolls to its end in a low window, and names no key on a narrow one', async () => {
    const { context, page, enter } = await opened().signIn(adminToken)
    onTestFinished(() => context.close())
    await page.setViewportSize({ width: 900, height: 900 })
    await enter('/operator/ledger')
    const current = page.getByRole('link', { name: 'Ledger' })
    const isSeen = async () => {
      const box = await current.boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 900
    }
    expect(await isSeen()).toBe(true)
    await page.getByRole('button', { name: 'Sign out everywhere' }).scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    const shortcut = page.getByText('Ctrl K')
    expect(await shortcut.isVisible()).toBe(true)
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await shortcut.isVisible()).toBe(false)
  })

  test('the id of an account stays on one line of a table', async () => {
    const { gateway, signIn } = opened()
    const account = await gateway.account(100)
    await account.call('test/echo', { text: 'a' })
    const { context, page, enter } = await signIn(adminToken)
    onTestFinished(() => context.close())
    await page.setViewportSize({ width: 1280, height: 900 })
    await enter('/operator/transactions?free=')
    const link = page.getByRole('table').getByRole('link', { name: account.id }).first()
    await link.waitFor()
    const height = (await link.boundingBox())?.height ?? 0
    expect(height).toBeLessThan(30)
  })
})
