// The operator's page of canaries.
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { adminToken } from '#test/harness.ts'
import { shareDriftingVendor, tidesKey } from '#test/selling/drifting-vendor.ts'
import { sell } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

const tides = defineProvider({
  id: 'tides',
  title: 'Tide tables',
  upstream: {
    baseUrl: 'https://tides.example',
    credential: { attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }) },
  },
  actions: [
    defineAction('high-water', {
      summary: 'When the sea is high.',
      synonyms: ['tide'],
      input: z.strictObject({ port: z.string() }),
      output: z.looseObject({ port: z.string() }),
      price: { cents: 2 },
      example: { input: { port: 'Brest' }, cents: 2 },
      run: ({ http, input }) => http.get('/tides', { query: input }),
    }),
  ],
})

/** A gateway of its own for a group of tests, since a reply that was accepted is expected from then on. */
function shareCanaries() {
  const vendor = shareDriftingVendor()
  const opened = shareConsole(async () => ({
    providers: [tides],
    env: { TIDES_API_KEY: tidesKey, TIDES_BASE_URL: vendor().url },
  }))
  return { vendor, opened }
}

describe.skipIf(chromiumPath === undefined)('the page of a canary', () => {
  const { vendor, opened } = shareCanaries()

  test('with the keyboard alone, on a phone, the operator sees the cost, asks once, and reads and accepts what has changed', async () => {
    const { signIn } = opened()
    const { context, page, enter, complaints } = await signIn(adminToken)
    onTestFinished(() => context.close())
    await page.setViewportSize({ width: 360, height: 740 })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
    await enter('/operator/canaries')
    await page.getByRole('link', { name: 'Tide tables' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('This provider was not checked yet.').waitFor()
    await press('Check')
    await page
      .getByText('Ask tides/high-water at Tide tables now? It costs you at most 2¢')
      .waitFor()
    await press('Cancel')
    expect(vendor().asked).toEqual([])

    await press('Check')
    await press('Ask for at most 2¢')
    await page.getByText('as expected', { exact: true }).waitFor()
    vendor().fault = 'has a new price header'
    await press('Check')
    await press('Ask for at most 2¢')
    await page.getByText('+ header x-credits-charged: 7').waitFor()
    expect(vendor().asked).toHaveLength(2)
    await page.getByText('What was asked and answered').first().focus()
    await page.keyboard.press('Enter')
    await page.getByText('Without your keys and without the data of people.').waitFor()
    await page.getByLabel('Requests and replies').getByText('"/tides"').waitFor()
    expect(await page.content()).not.toContain(tidesKey)
    await expectAccessible(page, 'the canary of a provider')

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as a fixture' }).first().press('Enter')
    expect((await saved).suggestedFilename()).toBe('tides.high-water.json')
    await press('Accept this reply')
    await press('Expect replies like it')
    await page.getByText('Accepted').waitFor()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(360)
    await enter('/operator/canaries')
    await expectAccessible(page, 'canaries')
    expect(complaints).toEqual([])
  })
})

describe.skipIf(chromiumPath === undefined)('the list of canaries', () => {
  const { vendor, opened } = shareCanaries()
  const weather = shareWeatherApi()

  test('an API of the operator comes before what is built in, and what fails before what is well', async () => {
    const { gateway, signIn } = opened()
    const address = weather().descriptionUrl
    await sell(gateway, { address, name: 'weather', private: true, price: 1 })
    await gateway.request('PUT', '/api/v1/admin/provider-keys/weather', {
      key: adminToken,
      body: { key: weatherKey },
    })
    const { context, page, enter } = await signIn(adminToken)
    onTestFinished(() => context.close())
    const check = async (name: string, found: string) => {
      await page.getByRole('button', { name: `Check: ${name}` }).press('Enter')
      await page.getByRole('button', { name: /^Ask/ }).press('Enter')
      await page
        .getByRole('row')
        .filter({ hasText: name })
        .getByText(found, { exact: true })
        .waitFor()
    }
    const firstTwo = async () =>
      (await page.locator('tbody tr code:first-of-type').allTextContents())
        .filter((name) => !name.includes('/'))
        .slice(0, 2)
    await enter('/operator/canaries')
    expect(await firstTwo()).toEqual(['weather', 'tides'])
    await check('weather', 'as expected')
    expect(await firstTwo()).toEqual(['tides', 'weather'])
    await check('tides', 'as expected')
    expect(await firstTwo()).toEqual(['weather', 'tides'])
    vendor().fault = 'breaks'
    await check('tides', 'failed')
    expect(await firstTwo()).toEqual(['tides', 'weather'])
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(2)
  })
})
