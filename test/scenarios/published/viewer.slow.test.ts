// The page of the OpenAPI document in a browser, which may load nothing but the gateway's own files.
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { shareGateway } from '#test/harness.ts'

const executablePath = await findChromium()
const gateway = shareGateway()

test.skipIf(executablePath === undefined)(
  '/docs shows the operations of the gateway, under a strict policy and without other servers',
  async () => {
    const browser = await chromium.launch({ executablePath: executablePath ?? '' })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const asked: string[] = []
    const errors: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (thrown) => void errors.push(thrown.message))
    await page.goto(`${gateway().url}/docs`)
    await page.getByText('A paid action gateway.').first().waitFor()
    const action = page.locator('#operations-test-test_echo')
    await page.locator('#operations-tag-test').click()
    await action.scrollIntoViewIfNeeded()
    await action.locator('button').first().click()
    await action.getByText('Idempotency-Key').first().waitFor()
    expect(await page.getByText('Execute').count()).toBe(0)
    const elsewhere = asked.filter(
      (url) => !url.startsWith(`${gateway().url}/`) && !url.startsWith('data:'),
    )
    expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] })
  },
)
