// Ctrl-K: pages, actions, accounts and ids from anywhere in the console.
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('the command palette', () => {
  const opened = shareConsole()

  async function visit(secret: string) {
    const visited = await opened().signIn(secret)
    onTestFinished(() => visited.context.close())
    const { page } = visited
    const palette = page.getByRole('dialog', { name: 'Go to' })
    return {
      ...visited,
      palette,
      field: palette.getByRole('combobox'),
      option: (name: string) => palette.getByRole('option', { name }),
      path: () => new URL(page.url()).pathname,
    }
  }

  test('an operator finds pages, accounts by name and calls by id, with the keyboard alone', async () => {
    const { gateway } = opened()
    const account = await gateway.account(100)
    const created = await gateway.request('POST', '/api/v1/admin/accounts', {
      key: adminToken,
      body: { name: 'Harbour & Söhne' },
    })
    const called = await account.call('test/echo', { text: 'found' })
    const { page, palette, field, option, path, enter, complaints } = await visit(adminToken)
    await enter('/operator')

    await page.keyboard.press('Control+k')
    await field.fill('refu')
    await option('Payments and refunds').waitFor()
    await expectAccessible(page, 'palette')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/operator/rails')

    await page.keyboard.press('Control+k')
    expect(await field.inputValue()).toBe('')
    await field.fill('harbour')
    await option('Harbour & Söhne').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/operator/accounts/${created.body.account_id}`)

    await page.keyboard.press('Control+k')
    await field.fill(called.body.transaction_id)
    await option(called.body.transaction_id).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/operator/transactions/${called.body.transaction_id}`)

    await page.keyboard.press('Control+k')
    await field.fill(called.body.transaction_id.slice(0, 13))
    await palette.getByText('Enter the whole id.').waitFor()
    await field.fill('no page has this name')
    await palette.getByText('Nothing matches.').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    expect(path()).toContain(called.body.transaction_id)
    expect(complaints).toEqual([])
  })

  test('a person of an account finds actions by what they do, with arrows or by a click, and nothing of operators', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(100)
    const { page, palette, field, option, complaints } = await visit(key)
    await page.setViewportSize({ width: 390, height: 800 })

    await page.getByRole('button', { name: 'Go to' }).click()
    await field.fill('test/')
    const first = palette.getByRole('option').first()
    await first.waitFor()
    expect(await first.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    const second = palette.getByRole('option', { selected: true })
    expect(await second.textContent()).not.toBe(await first.textContent())
    const [, chosen] = /^(\S+?)Action$/.exec((await second.textContent()) ?? '') ?? []
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/catalog/${chosen}`)

    await page.getByRole('button', { name: 'Go to' }).click()
    await field.fill('keys')
    await option('Keys').click()
    await page.waitForURL('**/console/keys')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    await page.keyboard.press('Control+k')
    await field.fill('ledger')
    await palette.getByText('Nothing matches.').waitFor()
    expect(complaints).toEqual([])
  })

  test('an id of no transaction is said to be none, and not tried again', async () => {
    const { page, field, option, enter } = await visit(adminToken)
    const id = '01a22846-57b0-719a-968c-d95d3ad641fd'
    await enter('/operator')
    await page.keyboard.press('Control+k')
    await field.fill(id)
    await option(id).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/operator/transactions/${id}`)
    const told = await page.getByRole('alert').textContent()
    expect(told).toBe('There is no such transaction.')
  })

  test.for([
    ['operator', 'invite', 'Operators'],
    ['operator', 'credit', 'Accounts'],
    ['operator', 'refund', 'Payments and refunds'],
    ['operator', 'top up', 'Accounts'],
    ['operator', 'docs', 'Guide for operators'],
    ['operator', 'password', 'Operators'],
    ['account', 'top up', 'Home'],
    ['account', 'credit', 'Home'],
    ['account', 'refund', 'Transactions'],
    ['account', 'docs', 'Documents'],
    ['account', 'password', 'Ways to sign in'],
  ])('%s: "%s" finds %s', async ([side, typed, name]) => {
    const { gateway } = opened()
    const { key } = await gateway.account(0)
    const { page, field, option, enter } = await visit(side === 'operator' ? adminToken : key)
    await enter('/')
    await page.keyboard.press('Control+k')
    await field.fill(typed ?? '')
    await option(name ?? '')
      .first()
      .waitFor()
  })

  test('a document that the palette finds is opened outside of the console', async () => {
    const { key } = await opened().gateway.account(0)
    const { page, field, option, enter } = await visit(key)
    await enter('/')
    await page.keyboard.press('Control+k')
    await field.fill('docs')
    await option('Documents').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs')
  })
})
