// What the console does while the gateway is down, and once it answers again.
import type { Page, Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enterWithin } from './every-page.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('while the gateway is down', () => {
  const opened = shareConsole()

  async function visit() {
    const account = await opened().gateway.account(500)
    await account.call('test/echo', { text: 'hello' })
    const visited = await opened().signIn(account.key)
    onTestFinished(() => visited.context.close())
    await visited.enter('/')
    return visited.page
  }

  /** What is asked of the gateway from now on is answered so, until the returned function is called. */
  async function answerBy(
    page: Page,
    answer: (route: Route) => Promise<void>,
    asked: RegExp = /\/(?:api|healthz)/,
  ) {
    await page.route(asked, answer)
    return () => page.unroute(asked, answer)
  }

  test('a page says when it is tried again, and loads by itself with what was typed', async () => {
    const page = await visit()
    await enterWithin(page, '/transactions')
    await page.getByRole('cell', { name: 'test/echo', exact: true }).waitFor()
    await enterWithin(page, '/keys')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    const comeBack = await answerBy(page, (route) => route.abort('connectionrefused'))
    await enterWithin(page, '/transactions')
    const alert = page.getByRole('alert').filter({ hasText: 'This could not be loaded.' }).last()
    await alert.getByText('It is tried again as soon as it answers.').waitFor()
    const least = page.getByLabel('At least, in $')
    await least.fill('0.01')
    // The pause grows.
    await page.getByText('Trying again in 4 seconds').waitFor()
    await page.getByText('Trying again in 8 seconds').waitFor()
    await comeBack()
    await page.getByRole('cell', { name: 'test/echo', exact: true }).waitFor()
    await alert.waitFor({ state: 'detached' })
    expect(await least.inputValue()).toBe('0.01')
    expect(await page.getByText('Trying again').count()).toBe(0)
  })

  test('the page that a proxy answers with counts as no answer', async () => {
    const page = await visit()
    const comeBack = await answerBy(page, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await enterWithin(page, '/statements')
    await page.getByText('The gateway cannot be reached. Trying again').waitFor()
    await page.getByRole('alert').getByText('as soon as it answers').first().waitFor()
    await comeBack()
    await page.getByRole('alert').first().waitFor({ state: 'detached' })
    await page.getByRole('table').first().waitFor()
  })

  test('what the gateway cannot answer now is asked for again after a pause', async () => {
    const page = await visit()
    const json = { ok: false, error: 'internal_error', message: 'Something broke.' }
    const comeBack = await answerBy(page, (route) =>
      route.request().url().endsWith('/healthz')
        ? route.continue()
        : route.fulfill({ status: 500, json }),
    )
    await enterWithin(page, '/statements')
    const alert = page.getByRole('alert').first()
    await alert.getByText('Something broke. It is tried again in 2 seconds.').waitFor()
    await alert.getByText('Something broke. It is tried again in 4 seconds.').waitFor()
    expect(await page.getByText('The gateway cannot be reached').count()).toBe(0)
    await comeBack()
    await alert.waitFor({ state: 'detached' })
    await page.getByRole('table').first().waitFor()
  })

  test('a page whose code did not arrive is loaded once the gateway answers', async () => {
    const page = await visit()
    const comeBack = await answerBy(page, (route) => route.abort('connectionrefused'), /./)
    await enterWithin(page, '/connect')
    await page.getByRole('alert').getByText('Its code did not arrive.').waitFor()
    await page.getByText('The gateway cannot be reached. Trying again').waitFor()
    await comeBack()
    await page.getByRole('heading', { name: 'Connect', level: 1 }).waitFor()
    await page.getByRole('alert').first().waitFor({ state: 'detached' })
  })
})
