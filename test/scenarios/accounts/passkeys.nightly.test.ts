// A person with a browser and a device that keeps passkeys, which the debugger of Chromium imitates.
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { expectAccessible, themes } from '../../console/accessible.ts'

const chromiumPath = await findChromium()
const gateway = shareGatewayOfWorker()
let browser: Browser

beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await chromium.launch({ executablePath: chromiumPath })
})
afterAll(() => browser?.close())

/** A page of a new person, with a device that lets them in by a finger. */
async function openPage(options: Parameters<Browser['newContext']>[0] = {}) {
  const baseURL = gateway().url.replace('127.0.0.1', 'localhost')
  const context = await browser.newContext({ ...options, baseURL })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const debug = await context.newCDPSession(page)
  await debug.send('WebAuthn.enable')
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const violations: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') violations.push(message.text())
  })
  return { page, context, violations }
}

async function signInByKey(page: Page, key: string) {
  await page.goto('/sign-in?next=/sign-in/methods')
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Ways to sign in' }).waitFor()
}

async function makePasskey(page: Page, name: string) {
  await page.getByLabel('Name of the device').fill(name)
  await page.getByRole('button', { name: 'Make a passkey' }).click()
}

describe.skipIf(chromiumPath === undefined)('a person with a device', () => {
  test('makes a passkey, signs in by it, and removes it', async () => {
    const account = await gateway().account(0)
    const { page, context, violations } = await openPage()
    await signInByKey(page, account.key)
    await makePasskey(page, 'Laptop <b>')
    await page.getByText('Laptop <b>').waitFor()
    const { keys } = (await account.get('/api/v1/keys')).body
    expect(keys[0]).toMatchObject({ name: 'Laptop <b>', signs_in_by: 'passkey' })

    await makePasskey(page, 'Laptop again')
    await page.getByText('This device has a passkey of the account already.').waitFor()

    await context.clearCookies()
    await page.goto('/sign-in?next=/sign-in/methods')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Ways to sign in' }).waitFor()

    await page.getByRole('button', { name: 'Remove Laptop <b>' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('This passkey does not sign in here.').waitFor()
    expect(violations.filter((text) => text.includes('Content Security Policy'))).toEqual([])
  })

  test('reads the page of ways to sign in on a phone and on a desk, in both themes', async () => {
    const account = await gateway().account(0)
    for (const colorScheme of themes)
      for (const width of [360, 1440]) {
        const { page } = await openPage({ colorScheme, viewport: { width, height: 900 } })
        await signInByKey(page, account.key)
        await makePasskey(page, `Device ${colorScheme} ${width}`)
        await page.getByText(`Device ${colorScheme} ${width}`).waitFor()
        await expectAccessible(page, `ways to sign in at ${width}, ${colorScheme}`)
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
        ).toBe(true)
      }
  })
})
