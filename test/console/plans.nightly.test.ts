// Saved plans in the console: checked, saved, changed and retired by hand.
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { expectAccessible, themes } from './accessible.ts'
import { chromiumPath, shareConsole, withoutRefusals } from './open-console.ts'

const plan = {
  title: 'Echo a text.',
  input: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 50 } },
    required: ['text'],
  },
  steps: [
    {
      id: 'say',
      action: 'test/echo',
      params: { text: { $step: 'input', pointer: '/text' } },
    },
  ],
  example: { text: 'hello' },
}

describe.skipIf(chromiumPath === undefined)('saved plans in the console', () => {
  const opened = shareConsole()

  test.each([
    ['an account', 'account', '/plans', '/api/v1/plans'],
    ['the operator', 'operator', '/operator/plans', '/api/v1/admin/plans'],
  ] as const)('%s checks, saves, changes and retires one', async (_who, side, path, api) => {
    const { gateway, signIn } = opened()
    const key = side === 'operator' ? adminToken : (await gateway.account(100)).key
    const { page, enter, context, complaints } = await signIn(key)
    onTestFinished(() => context.close())
    const stored = async () => (await gateway.request('GET', api, { key })).body.plans
    const write = (body: object) =>
      page.getByLabel('Plan', { exact: true }).fill(JSON.stringify(body))
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

    await enter(path)
    await page.getByLabel('Name').fill('say-it')
    await write({ ...plan, steps: [] })
    await press('Check')
    await page.getByRole('alert').waitFor()
    const price = side === 'operator' ? { price: { kind: 'fixed', cents: 7 } } : {}
    await write({ ...plan, ...price })
    await press('Check')
    await page.getByText('It can be saved.').waitFor()
    expect(await stored()).toEqual([])
    await press('Save')
    const shownPrice = side === 'operator' ? '7¢' : 'what its steps cost'
    await page.getByRole('cell', { name: shownPrice, exact: true }).waitFor()
    await page.getByRole('link', { name: 'say-it' }).click()

    await page.getByRole('region', { name: 'The plan' }).waitFor()
    await write({ ...plan, ...price, title: 'Say a text.' })
    await press('Check')
    await page.getByRole('table', { name: 'What differs' }).getByText('/title').waitFor()
    // Another change is saved meanwhile, which this one must not undo.
    const other = { key, body: { notes: 'For teas.' } }
    expect((await gateway.request('PATCH', `${api}/say-it`, other)).status).toBe(200)
    await press('Save')
    await page.getByRole('alert').getByText('repeat your change').waitFor()
    await enter(`${path}/say-it`)
    await write({ ...plan, ...price, title: 'Say a text.', notes: 'For teas.' })
    await press('Check')
    await page.getByText('It can be saved.').waitFor()
    await press('Save')
    await page.getByText('It can be saved.').waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject([{ title: 'Say a text.', notes: 'For teas.' }])

    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page, `a plan, ${colorScheme}`)
    }
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(excess, `${width} px`).toBeLessThanOrEqual(0)
    }
    await enter(path)
    await press('Retire: say-it')
    await press('Retire the plan')
    await page.getByText('No plan is saved.').waitFor()
    expect(await stored()).toEqual([])
    expect(withoutRefusals(complaints)).toEqual([])
  })

  test('a published plan without its price shows what differs, or what price it needs', async () => {
    const { gateway, signIn } = opened()
    const prices = {
      dear: { kind: 'sum', margin_percent: 5 },
      at_seven: { kind: 'fixed', cents: 7 },
    }
    for (const [name, price] of Object.entries(prices)) {
      const body = { name, ...plan, price }
      const made = await gateway.request('POST', '/api/v1/admin/plans', { key: adminToken, body })
      expect(made.status).toBe(201)
    }
    const { page, enter, context } = await signIn(adminToken)
    onTestFinished(() => context.close())
    const check = async () => {
      await page.getByLabel('Plan', { exact: true }).fill(JSON.stringify(plan))
      await page.getByRole('button', { name: 'Check', exact: true }).click()
    }
    await enter('/operator/plans/dear')
    await check()
    const differences = page.getByRole('table', { name: 'What differs' })
    await differences.getByRole('row', { name: '/price/margin_percent 5 0' }).waitFor()
    await enter('/operator/plans/at_seven')
    await check()
    await page.getByRole('alert').getByText('Send such a price').waitFor()
  })

  test('a plan is checked again under another name, and keeps its text after it is saved', async () => {
    const { gateway, signIn } = opened()
    const { page, enter, context } = await signIn((await gateway.account(100)).key)
    onTestFinished(() => context.close())
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
    await enter('/plans')
    await page.getByLabel('Name').fill('first')
    await page.getByLabel('Plan', { exact: true }).fill(JSON.stringify(plan))
    await press('Check')
    await page.getByText('It can be saved.').waitFor()
    await page.getByLabel('Name').fill('second')
    await page.getByText('It can be saved.').waitFor({ state: 'detached' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await press('Check')
    await page.getByText('It can be saved.').waitFor()
    await press('Save')
    await page.getByRole('status').getByText('second is saved.').waitFor()
    await page.getByRole('link', { name: 'second' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Save')
  })
})
