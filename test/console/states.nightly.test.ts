// Each page of the console while it has nothing, while it loads, and after the gateway has failed.
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { shareWeatherApi } from '#test/selling/weather-api.ts'
import { expectAccessible } from './accessible.ts'
import { enterWithin, fillPages, patternsOf, type Side } from './every-page.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

/** What a page shows besides, and does without: how well actions do, and names in place of ids. */
const isBesides = (at: string, asked: string) =>
  asked === '/api/v1/health' ||
  (at.startsWith('/transactions/') && asked === '/api/v1/keys') ||
  (at.startsWith('/operator/transactions/') && asked.startsWith('/api/v1/admin/accounts/'))

const isLoading = (page: Page) => page.getByText('Loading …').first()
const alerts = (page: Page) => page.getByRole('alert')

async function leave(page: Page) {
  await enterWithin(page, '/nowhere')
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
}

/** Enters a page by a link, and waits until it asks for nothing more. Resolves to what it has asked. */
async function enter(page: Page, at: string): Promise<readonly string[]> {
  await leave(page)
  const asked = new Set<string>()
  const listen = (request: { url(): string }) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.add(pathname)
  }
  page.on('request', listen)
  await enterWithin(page, at)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.body.textContent?.includes('Loading …'))
  page.off('request', listen)
  return [...asked]
}

const refusal = { ok: false, error: 'bad_request', message: 'Not at present.' }

describe.skipIf(chromiumPath === undefined)('each page of the console', () => {
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
    return visited
  }

  const secretOf = (side: Side, key: string) => (side === 'account' ? key : adminToken)

  test('says something while there is nothing yet', async () => {
    const { key } = await opened().gateway.account(0)
    for (const side of ['account', 'operator'] as const) {
      const { page, complaints } = await visit(secretOf(side, key))
      for (const at of await patternsOf(side)) {
        if (at.includes(':')) continue
        await enter(page, at)
        expect(await alerts(page).count(), at).toBe(0)
        expect(await page.locator('tbody:empty').count(), at).toBe(0)
        const text = (await page.locator('main').textContent()) ?? ''
        expect(text, at).not.toMatch(/undefined|NaN|\bnull\b|\[object/)
        expect(text.length, at).toBeGreaterThan(40)
      }
      expect(complaints).toEqual([])
    }
  })

  test.each(['account', 'operator'] as const)(
    'of the side %s says that it loads, what has failed, and tries again',
    async (side) => {
      const { key, pages } = await fill()
      const { page } = await visit(secretOf(side, key))
      const own = pages.filter((each) => each.side === side)
      const [first] = own
      expect(own.length).toBeGreaterThan(10)
      for (const { at } of own) {
        const asked = await enter(page, at)
        const needed = asked.filter((each) => !isBesides(at, each))

        await leave(page)
        const held = Promise.withResolvers<void>()
        await page.route('**/api/**', async (route) => {
          await held.promise
          await route.fulfill({ status: 400, json: refusal })
        })
        await enterWithin(page, at)
        if (needed.length > 0) await isLoading(page).waitFor()
        held.resolve()
        await page.getByRole('heading', { level: 1 }).waitFor()
        await isLoading(page).waitFor({ state: 'detached' })
        await page.unroute('**/api/**')
        if (needed.length === 0) continue
        await alerts(page).getByText('This could not be loaded. Not at present.').first().waitFor()
        if (at === first?.at) await expectAccessible(page, `${at} after a failure`)
        const again = page.getByRole('button', { name: 'Try again' })
        await expect
          .poll(
            async () => {
              if ((await again.count()) > 0) await again.first().click()
              await page.waitForFunction(() => !document.body.textContent?.includes('Loading …'))
              return await alerts(page).count()
            },
            { message: at },
          )
          .toBe(0)

        // Each part tells of its own failure.
        for (const one of needed) {
          const only = (url: URL) => url.pathname === one
          await page.route(only, (route) => route.fulfill({ status: 400, json: refusal }))
          // The list of actions is asked for once.
          if (!(await enter(page, at)).includes(one)) {
            await page.unroute(only)
            continue
          }
          const told = alerts(page).getByText('This could not be loaded.').first()
          await told.waitFor({ timeout: 20_000 }).catch(() => {
            throw new Error(`${at} does not tell that ${one} has failed.`)
          })
          await page.unroute(only)
        }
      }
    },
  )

  test.each(['account', 'operator'] as const)(
    'of the side %s stays a page where an answer has another form',
    async (side) => {
      const { key, pages } = await fill()
      const { page } = await visit(secretOf(side, key))
      for (const { at } of pages.filter((each) => each.side === side)) {
        await leave(page)
        await page.route('**/api/**', (route) => route.fulfill({ json: {} }))
        await enterWithin(page, at)
        await page
          .getByRole('heading', { name: 'There is no such page' })
          .waitFor({ state: 'detached' })
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.unroute('**/api/**')
        expect(await page.getByRole('navigation', { name: 'Pages' }).count(), at).toBe(1)
        const again = page.getByRole('button', { name: 'Try again' })
        if ((await again.count()) === 0) continue
        await again.first().click()
        await alerts(page).getByText('The answer has another form.').waitFor({ state: 'detached' })
      }
    },
  )
})
