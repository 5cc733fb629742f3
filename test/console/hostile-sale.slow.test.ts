// The pages of selling on a phone, for an API whose texts are long, turn the direction of writing, and are markup.
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi } from '#test/selling/weather-api.ts'
import { markup } from './hostile-provider.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

const turned = '\u202Egnp.exe'
const hostile = `${turned} ${markup} ${'W'.repeat(10_000)}`

describe.skipIf(chromiumPath === undefined)('a hostile API on the pages of selling', () => {
  const weather = shareWeatherApi()
  const opened = shareConsole()

  test('overflows no page of 390 px, turns no text around and becomes no markup', async () => {
    const { gateway, signIn } = opened()
    weather().edit((description) => {
      description.info.title = hostile
      for (const operations of Object.values(description.paths) as Record<string, object>[])
        for (const operation of Object.values(operations))
          Object.assign(operation, { summary: hostile, description: hostile, tags: [hostile] })
      description.paths[`/${'long'.repeat(300)}/${turned}`] = {
        get: { summary: hostile, responses: { 200: { description: hostile } } },
        trace: { summary: hostile, responses: {} },
      }
    })
    const address = weather().descriptionUrl
    await sell(gateway, { address, name: 'hostile', private: true, price: 1 })
    await sell(gateway, { address, name: 'stopped', private: true, price: 1 })
    await gateway.request('DELETE', '/api/v1/admin/sold-apis/stopped', { key: adminToken })
    await gateway.request('PUT', '/api/v1/admin/provider-budgets/hostile', {
      key: adminToken,
      body: { calls_per_day: 5 },
    })
    await gateway.request('PUT', '/api/v1/admin/provider-keys/hostile', {
      key: adminToken,
      body: { key: 'any-key', test: false },
    })
    const { context, page, enter, complaints } = await signIn(adminToken)
    onTestFinished(() => context.close())
    await page.setViewportSize({ width: 390, height: 844 })
    const expectTame = async (place: string) => {
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(excess, place).toBeLessThanOrEqual(0)
      const text = await page.evaluate(() => document.body.textContent ?? '')
      expect(/[\u202A-\u202E\u2066-\u2069]/.test(text), place).toBe(false)
      expect(await page.title(), place).not.toMatch(/\u202E/)
      expect(await page.evaluate(() => Reflect.get(globalThis, 'attacked')), place).toBeUndefined()
    }
    for (const at of [
      '/operator',
      '/operator/selling',
      '/operator/selling?again=hostile',
      '/operator/selling/hostile',
      '/operator/canaries',
      '/operator/canaries/hostile',
      '/operator/providers',
      '/operator/prices',
      '/operator/costs',
      '/operator/margins',
      '/operator/price-groups',
      '/operator/plans',
    ]) {
      await enter(at)
      await expectTame(at)
    }
    await enter('/operator/selling?again=hostile')
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByRole('table', { name: 'What would be sold as hostile' }).waitFor()
    await expectTame('the preview')
    await enter('/operator/canaries/hostile')
    await page.getByRole('button', { name: 'Check' }).click()
    await expectTame('the question of a canary')
    await page.getByRole('button', { name: 'Ask it' }).click()
    await page.getByText(/You asked/).waitFor()
    await expectTame('a canary that has failed')

    const account = await gateway.account(100)
    await account.call('hostile/get-forecast', { place: turned })
    await enter('/operator/transactions?free=')
    await expectTame('transactions')
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Transaction' }).waitFor()
    await page.getByRole('region', { name: 'What was sent' }).waitFor()
    await expectTame('a transaction')
    await enter('/operator/selling')
    await page.getByLabel('Address', { exact: true }).fill(`${weather().url}/${hostile}`)
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByRole('alert').waitFor()
    await expectTame('a refused address')
    expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
  })
})
