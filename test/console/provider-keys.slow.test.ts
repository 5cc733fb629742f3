// The keys of the catalog's vendors: what is stored, what is said of it, and how a key is forgotten.
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { chromiumPath, shareConsole, withoutRefusals } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('the key of a vendor without a harmless test', () => {
  const opened = shareConsole({ config: { upstreams: {}, tiers: {}, prices: {} } })

  test('is stored where the person ticks it, said to be so although its row has gone, and removed', async () => {
    const { gateway } = opened()
    const { page, enter, press, complaints, context } = await opened().signIn(adminToken)
    onTestFinished(() => context.close())
    const sourceOf = async () => {
      const { body } = await gateway.request('GET', '/api/v1/admin/provider-keys', {
        key: adminToken,
      })
      return body.provider_keys.find(
        ({ provider }: { provider: string }) => provider === 'ns_semantic',
      ).source
    }

    await enter('/operator/providers?mode=unavailable')
    await press('Paste a key: ns_semantic')
    const dialog = page.getByRole('dialog', { name: 'The key of ns_semantic' })
    await dialog.getByLabel('Key', { exact: true }).fill('a-bogus-key-of-a-person')
    await press('Store the key')
    await dialog.getByText('has no harmless call that tests a key, so it was not stored').waitFor()
    expect(await sourceOf()).toBe('none')
    await enter('/operator')
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('are done').waitFor()
    const selling = steps.getByRole('listitem').filter({ hasText: 'Something to sell' })
    expect(await selling.getByText('done', { exact: true }).count()).toBe(0)

    await enter('/operator/providers?mode=unavailable')
    await press('Paste a key: ns_semantic')
    await dialog.getByLabel('Key', { exact: true }).fill('a-bogus-key-of-a-person')
    await dialog.getByLabel('Store it without the test').check()
    await press('Store the key')
    await page
      .getByRole('button', { name: 'Paste a key: ns_semantic' })
      .waitFor({ state: 'detached' })
    await page
      .getByRole('status')
      .getByText('The key of ns_semantic is stored without a test.')
      .waitFor()
    expect(await sourceOf()).toBe('pasted')

    await page.getByLabel('Mode').selectOption('')
    await press('Remove the key: ns_semantic')
    await press('Remove it')
    await page.getByText('The key of ns_semantic is removed.').waitFor()
    await page
      .getByRole('button', { name: 'Remove the key: ns_semantic' })
      .waitFor({ state: 'detached' })
    expect(await sourceOf()).toBe('none')
    expect(withoutRefusals(complaints)).toEqual([])
  })
})
