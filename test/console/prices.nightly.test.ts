// The operator's page of prices.
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { adminToken } from '#test/harness.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

/** Each of its calls costs the operator 0.7¢. */
const shop = defineProvider({
  id: 'shop',
  title: 'A shop',
  actions: [
    defineAction('lookup', {
      summary: 'Look something up.',
      input: z.strictObject({}),
      output: z.looseObject({}),
      price: { cents: 2 },
      example: { input: {}, cents: 2 },
      costUsd: () => 0.007,
      run: () => ({}),
    }),
    defineAction('varied', {
      summary: 'Look more up.',
      input: z.strictObject({ all: z.boolean().default(false) }),
      output: z.looseObject({}),
      price: { cents: 2, variants: [{ when: { all: true }, cents: 6 }] },
      example: { input: {}, cents: 2 },
      run: () => ({}),
    }),
  ],
})

describe.skipIf(chromiumPath === undefined)('the page of prices', () => {
  const opened = shareConsole({ providers: [shop] })

  test('shows what a price would earn, asks before it makes a loss, and restores that of the catalog', async () => {
    const { gateway, signIn } = opened()
    const account = await gateway.account(100)
    for (let calls = 0; calls < 3; calls += 1) await account.call('shop/lookup', {})
    const priceOf = async () =>
      (await gateway.request('GET', '/api/run/shop/lookup')).body.price.text
    const { context, page, enter, complaints } = await signIn(adminToken)
    onTestFinished(() => context.close())
    await enter('/operator/prices')
    await page.getByText('Every action costs what the catalog says.').waitFor()
    const own = page.getByRole('table', { name: 'Your own prices' })
    const listed = page.getByRole('table', { name: 'All prices' })
    await page.getByLabel('Search', { exact: true }).fill('shop/')
    await listed.getByRole('row', { name: 'shop/lookup 2¢' }).waitFor()
    expect(await listed.getByRole('row').count()).toBe(3)
    await page.getByRole('button', { name: 'Change the price of shop/varied' }).click()
    await page.getByLabel('Factor for all its amounts').waitFor()
    await page.getByLabel('Action').selectOption('shop/lookup')
    const price = page.getByLabel('Dollars for a call')
    await price.fill('two cents')
    await page.getByText('Enter dollars, such as 0.025.').waitFor()
    await price.fill('0.03')
    // Three calls at 3¢ less 2.1¢ of cost, instead of 3.9¢.
    await page.getByText('6.9¢').waitFor()
    await page.getByText('3.9¢').waitFor()
    await page.getByRole('button', { name: 'Set the price' }).click()
    await own.getByRole('cell', { name: 'shop/lookup', exact: true }).waitFor()
    expect(await priceOf()).toBe('3¢')
    await listed.getByRole('row', { name: 'shop/lookup 3¢' }).waitFor()

    await price.fill('0.005')
    const loss = page.getByLabel('Sell them at a loss')
    await loss.waitFor()
    await expectAccessible(page, 'the page of prices')
    // The browser asks for the box to be checked, and nothing is sent.
    await page.getByRole('button', { name: 'Set the price' }).click()
    expect(await priceOf()).toBe('3¢')
    await loss.check()
    await page.getByRole('button', { name: 'Set the price' }).click()
    await own.getByRole('cell', { name: '0.5¢', exact: true }).waitFor()
    expect(await priceOf()).toBe('0.5¢')

    await page.getByLabel('Action').selectOption('shop/varied')
    await page.getByLabel('Factor for all its amounts').fill('1.25')
    await page.getByText('2.5¢, 7.5¢ with all true').waitFor()
    await page.getByRole('button', { name: 'Set the price' }).click()
    await own.getByRole('cell', { name: 'shop/varied', exact: true }).waitFor()
    expect((await gateway.request('GET', '/api/run/shop/varied')).body.price.text).toBe(
      '2.5¢, 7.5¢ with all true',
    )
    await gateway.request('DELETE', '/api/v1/admin/price-overrides/shop/varied', {
      key: adminToken,
    })
    await page.reload()

    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Restore the price of the catalog' }).click()
    await page.getByText('Every action costs what the catalog says.').waitFor()
    expect(await priceOf()).toBe('2¢')
    expect(complaints).toEqual([])
  })
})
