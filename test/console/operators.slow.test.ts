// The operator uses the console of a gateway in a browser.
import { describe, expect, onTestFinished, test } from 'vitest'
import { canRent, rentBrowser } from '#test/browsers/rented-browser.ts'
import { adminToken } from '#test/harness.ts'
import { chromiumPath, shareConsole, type Visit } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('the console of the operator', () => {
  const opened = shareConsole()

  async function visit(secret: string): Promise<Visit> {
    const visit = await opened().signIn(secret)
    onTestFinished(() => visit.context.close())
    return visit
  }

  test('the operator credits an account and freezes it, and the audit log tells', async () => {
    const { gateway } = opened()
    const account = await gateway.account(500)
    const { page, enter, complaints } = await visit(adminToken)
    await enter(`/operator/accounts/${account.id}`)
    await page.getByLabel('Dollars').fill('2.50')
    await page.getByLabel('Reason').first().fill('<script>alert(1)</script>')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The account was credited.').waitFor()
    expect((await account.state()).availableCents).toBe(750)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('a test')
    await page.getByRole('button', { name: 'Freeze the account' }).click()
    await page.getByText('frozen', { exact: true }).waitFor()
    expect((await account.get('/api/v1/account')).status).not.toBe(200)
    await enter('/operator/audit')
    await page.getByText('<script>alert(1)</script>').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('a credit whose answer was lost is sent again and takes effect once', async () => {
    const account = await opened().gateway.account(500)
    const { page, enter } = await visit(adminToken)
    await enter(`/operator/accounts/${account.id}`)
    let lost = 0
    await page.route('**/credit', async (route) => {
      await route.fetch()
      lost += 1
      if (lost === 1) await route.abort('connectionreset')
      else await route.continue()
    })
    await page.getByLabel('Dollars').fill('1')
    await page.getByLabel('Reason').first().fill('once')
    await page.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The account was credited.').waitFor()
    expect(lost).toBe(2)
    expect((await account.state()).availableCents).toBe(600)
  })

  test('the operator sees income, known cost and margin, and that the books are right', async () => {
    const { gateway } = opened()
    const { key } = await gateway.account(500)
    await gateway.call('test/either', { cents: 4 }, { key })
    const { page, enter } = await visit(adminToken)
    await enter('/operator')
    const row = page.getByRole('row').filter({ hasText: 'test/either' })
    await row.waitFor()
    expect((await row.getByRole('cell').allTextContents()).slice(-2)).toEqual(['0.4¢', '3.6¢'])
    await enter('/operator/ledger')
    await page.getByText('Every balance is the sum of its postings.').waitFor()
  })

  test('the operator decides orders in doubt: one is charged what was delivered, one is voided', async () => {
    const { gateway } = opened()
    const account = await gateway.account(100)
    const order = { seller: 'breaks off', max_cost_cents: 20 }
    const first = await account.call('test/buy', order)
    const second = await account.call('test/buy', order)
    const { page, enter, complaints } = await visit(adminToken)
    await enter('/operator/purchases')
    const rowOf = (reply: typeof first) =>
      page.getByRole('row').filter({ hasText: reply.body.data.transaction_id })
    await rowOf(first).getByRole('button', { name: 'Charge' }).click()
    await page.getByRole('dialog').getByLabel('Dollars').fill('0.07')
    await page.getByRole('dialog').getByLabel('Note').fill('The seller confirmed it.')
    await page.getByRole('button', { name: 'Charge the caller' }).click()
    await rowOf(first).waitFor({ state: 'detached' })
    await rowOf(second).getByRole('button', { name: 'Void' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('The seller knows no such order.')
    await page.getByRole('button', { name: 'Give the money back' }).click()
    await page.getByText('No purchase is in doubt.').waitFor()
    expect(await account.state()).toMatchObject({ availableCents: 93, heldCents: 0 })
    expect(complaints).toEqual([])
  })

  test.skipIf(!canRent)(
    'a rented browser is watched by its owner, and ended by the operator',
    async () => {
      const { gateway } = opened()
      const account = await gateway.account(100)
      await rentBrowser(account, { estimatedMinutes: 5 })
      const owner = await visit(account.key)
      await owner.enter('/work')
      const watching = owner.context.waitForEvent('page')
      await owner.page.getByRole('link', { name: 'Watch' }).click()
      await (await watching).getByText('You look on at a rented browser').waitFor()
      const operator = await visit(adminToken)
      await operator.enter('/operator/sessions')
      await operator.page.getByRole('button', { name: 'End' }).click()
      await operator.page.getByRole('button', { name: 'End the browser' }).click()
      await operator.page.getByText('No browser is rented.').waitFor()
      expect([...owner.complaints, ...operator.complaints]).toEqual([])
    },
  )

  test('an operator without an account is not asked for one', async () => {
    const { page, complaints } = await visit(adminToken)
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })
})
