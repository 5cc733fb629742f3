// What a person chooses to see is in the address: a reload, Back and another browser show the same.
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { shareWeatherApi } from '#test/selling/weather-api.ts'
import { fillPages } from './every-page.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

/** A secret, which no address may hold. */
const secrets = ['API key']

interface Control {
  readonly kind: 'choice' | 'text' | 'date' | 'button'
  readonly name: string
}

/** The controls of a page that send nothing, and so only change what is shown. */
const controlsOf = (page: Page) =>
  page.evaluate(() => {
    const found: Control[] = []
    for (const each of document.querySelectorAll('main :is(input, select, textarea)')) {
      const field = each as HTMLInputElement
      if (field.form?.querySelector('[type=submit]') || field.type === 'file') continue
      if (field.closest('dialog') !== null) continue
      const kind = field.matches('select') ? 'choice' : field.type === 'date' ? 'date' : 'text'
      found.push({ kind, name: field.labels?.[0]?.textContent ?? '' })
    }
    const buttons =
      '.choices button[aria-pressed=false], nav[aria-label="Pages of the list"] button, main [aria-expanded]'
    for (const button of document.querySelectorAll(`main :is(${buttons}), main button`)) {
      const name = button.textContent ?? ''
      if (button.getAttribute('aria-disabled') === 'true') continue
      if (button.matches(buttons) || name.startsWith('Show all'))
        found.push({ kind: 'button', name })
    }
    return found
  })

/** Changes a control to something else than it has. */
async function change(page: Page, { kind, name }: Control) {
  if (kind === 'button')
    return await page.locator('main').getByRole('button', { name, exact: true }).first().click()
  const field = page.locator('main').getByLabel(name, { exact: true }).first()
  if (kind !== 'choice') return await field.fill(kind === 'date' ? '2026-11-02' : '1')
  const [now, values] = await field.evaluate((select: HTMLSelectElement) => [
    select.value,
    [...select.options].map(({ value }) => value),
  ])
  await field.selectOption(values.filter((value) => value !== now).at(-1) ?? '')
}

/** All that a page shows: its texts, and what its fields hold. */
const viewOf = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main')
    const fields = [...(main?.querySelectorAll('input, select, textarea') ?? [])]
    const values = fields.map((field) => (field as HTMLInputElement).value)
    const pressed = [...(main?.querySelectorAll('[aria-pressed=true]') ?? [])].map(
      ({ textContent }) => textContent,
    )
    return [main?.textContent, ...values, ...pressed].join('\n')
  })

const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search)

describe.skipIf(chromiumPath === undefined)('the addresses of the console', () => {
  const weather = shareWeatherApi()
  const opened = shareConsole()

  let filled: ReturnType<typeof fillPages> | undefined
  const fill = () => {
    filled ??= fillPages(opened().gateway, weather())
    return filled
  }

  async function visit(secret: string) {
    const visited = await opened().signIn(secret)
    onTestFinished(() => visited.context.close())
    await shortenLists(visited.context)
    // How well actions do changes with time, and not with what is chosen.
    await visited.context.route('**/api/v1/health', (route) =>
      route.fulfill({ json: { actions: [] } }),
    )
    return visited
  }

  test.each(['account', 'operator'] as const)(
    'hold all that the side %s chooses to see',
    async (side) => {
      const { url } = opened().gateway
      const { key, pages } = await fill()
      const secret = side === 'account' ? key : adminToken
      const { page, enter } = await visit(secret)
      const other = await visit(secret)
      const tried: string[] = []
      for (const { at } of pages.filter((each) => each.side === side)) {
        await enter(at)
        for (const control of await controlsOf(page)) {
          if (secrets.includes(control.name)) continue
          const what = `${at}: ${control.name}`
          tried.push(what)
          const sameAsOther = (when: string) =>
            expect
              .poll(async () => (await viewOf(page)) === (await viewOf(other.page)), {
                message: `${what} ${when}`,
                timeout: 30_000,
              })
              .toBe(true)
          await enter(at)
          const before = await addressOf(page)
          await change(page, control)
          await expect
            .poll(() => addressOf(page), { message: what, timeout: 5_000 })
            .not.toBe(before)
          const after = await addressOf(page)
          await other.page.goto(url + after)
          await sameAsOther('in another browser')
          await page.reload()
          await sameAsOther('after a reload')
          await page.goBack()
          expect(await addressOf(page), `${what} after Back`).toBe(before)
          await other.page.goto(url + before)
          await sameAsOther('after Back')
        }
      }
      expect(tried).toEqual(expect.arrayContaining(expectedOf[side]))
      expect(tried.length).toBeGreaterThan(15)
    },
  )

  test('keep what is typed while the browser takes no more changes of the address', async () => {
    const { page, enter, complaints } = await visit(adminToken)
    await page.addInitScript(() => {
      const replace = history.replaceState
      // As Safari throws after a hundred in half a minute.
      history.replaceState = function refuse(...change) {
        if (!('takesMore' in window)) throw new DOMException('Too many', 'SecurityError')
        replace.apply(this, change)
      }
    })
    await enter('/operator/accounts')
    const field = page.getByLabel('Search')
    const asked = page.waitForRequest(/admin\/accounts\?.*search=abc(&|$)/)
    await field.pressSequentially('abc')
    await asked
    await page.getByText('No accounts match.').waitFor()
    expect(await field.inputValue()).toBe('abc')
    expect(await addressOf(page)).toBe('/console/operator/accounts?search=a')
    await page.evaluate(() => Object.assign(window, { takesMore: true }))
    await field.pressSequentially('d')
    expect(await field.inputValue()).toBe('abcd')
    expect(await addressOf(page)).toBe('/console/operator/accounts?search=abcd')
    expect(complaints).toEqual([])
  })

  test('say that choices are on their way, and ask for rows once for each choice', async () => {
    const account = await opened().gateway.account(10)
    await account.call('test/echo', {})
    const { page, enter } = await visit(account.key)
    let answer: () => void = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v1/usage*', async (route) => {
      await asked
      await route.continue()
    })
    const lists: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/transactions?')) lists.push(request.url())
    })
    const entered = enter('/transactions')
    const field = page.getByLabel('Action', { exact: true })
    await field.locator('option').getByText('Loading …').waitFor({ state: 'attached' })
    await page.getByRole('cell').first().waitFor()
    answer()
    await entered
    expect(await field.locator('option').first().textContent()).toBe('All')
    await field.selectOption('test/echo')
    await expect.poll(() => lists.at(-1)).toContain('action=test%2Fecho')
    await page.getByLabel('At least, in $').fill('0.001')
    await expect.poll(() => lists.at(-1)).toContain('min_cents')
    // None of them has asked again with the filters of before.
    expect(new Set(lists).size).toBe(lists.length)
  })
})

/** Some of those that must be found, so that the search for controls cannot find nothing. */
const expectedOf = {
  account: [
    '/catalog: Health',
    '/transactions: Status',
    '/transactions: Older',
    '/keys: Older',
    '/files: Search by name',
    '/work: Older',
    '/chat: Model',
  ],
  operator: [
    '/operator/prices: Search',
    '/operator/margins: By',
    '/operator/accounts: State',
    '/operator/accounts: Older',
    '/operator/transactions: Until',
    '/operator/audit: Older',
    '/operator/providers: Mode',
  ],
}

/** Lists of three rows have two pages. */
async function shortenLists(context: BrowserContext) {
  const shorter = /(?<=\blimit["=:]+)(?:20|50)\b/
  await context.route('**/api/**', (route) => {
    const request = route.request()
    const postData = request.postData()?.replace(shorter, '2')
    return route.continue({
      url: request.url().replace(shorter, '2'),
      ...(postData !== undefined && { postData }),
    })
  })
}
