// Figures of the operator's pages lead to what they are the sum of, and two pages tell one figure alike.
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('the figures of the operator', () => {
  const opened = shareConsole()

  async function visit() {
    const visited = await opened().signIn(adminToken)
    onTestFinished(() => visited.context.close())
    return visited
  }

  test('of a provider lead to the calls that sum to them', async () => {
    const { gateway } = opened()
    const account = await gateway.account(100)
    await account.call('test/echo', { text: 'one' })
    await account.call('test/echo', { text: 'two' })
    await account.call('test/fails', { code: 'all_blocked' })
    const { page, enter } = await visit()
    const listed = await gateway.request('GET', '/api/v1/admin/revenue?by=service', {
      key: adminToken,
    })
    const { calls, failed_calls: failed } = listed.body.rows.find(
      ({ service }: { service: string }) => service === 'test',
    )
    const cell = (name: string) =>
      page
        .getByRole('row', { name: 'Provider of the tests' })
        .locator(`td[data-name="${name}"]`)
        .getByRole('link')
    for (const [name, told] of [
      ['Calls', `${calls} transactions`],
      ['Failed', `${failed} transaction`],
      ['Income', 'transactions, charged 4¢'],
    ] as const) {
      await enter('/operator/providers')
      await cell(name).click()
      await page.getByRole('status').filter({ hasText: told }).waitFor()
    }
    await enter('/operator')
    await page
      .getByRole('row', { name: 'test/echo' })
      .locator('td[data-name="Calls"]')
      .getByRole('link')
      .click()
    await page.getByRole('status').filter({ hasText: '2 transactions' }).waitFor()
  })

  test('tell the same margin on the overview as on the page of margins', async () => {
    const { gateway } = opened()
    const account = await gateway.account(100)
    await account.call('test/echo', { text: 'of unknown cost' })
    await account.call('test/either', { cents: 4 })
    const { page, enter } = await visit()
    const shown = async (at: string) => {
      await enter(at)
      const figure = page.locator('dl, .numbers').filter({ hasText: 'Calls of unknown cost' })
      const text = await figure.getByText('Margin', { exact: true }).locator('..').textContent()
      return text?.replace(/\s/g, '')
    }
    const overview = await shown('/operator')
    expect(overview).toMatch(/\d¢/)
    expect(await shown('/operator/margins')).toBe(overview)
    await enter('/operator')
    await page
      .getByRole('link', { name: overview?.replace('Margin', '') ?? '' })
      .first()
      .click()
    await page.waitForURL('**/operator/margins')
  })
})
