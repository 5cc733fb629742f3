// Statements by month, and what an operator gives to accounts.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { expectAccessible, themes } from './accessible.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

const pictures = process.env.CONSOLE_PICTURES
const present = new Date().toISOString().slice(0, 7)
/** Of a large screen and of a phone. */
const widths = [1440, 390]

describe.skipIf(chromiumPath === undefined)('the books of an account in the console', () => {
  const opened = shareConsole()

  async function visit(secret: string) {
    const visited = await opened().signIn(secret)
    onTestFinished(() => visited.context.close())
    return visited
  }

  test('a statement is read, saved and printed by its account and by the operator', async () => {
    const { gateway } = opened()
    const made = await gateway.request('POST', '/api/v1/admin/accounts', {
      key: adminToken,
      body: { name: '東京データ شركة', balance_cents: 200_00 },
    })
    const { api_key: key, account_id: id } = made.body
    await gateway.call('test/echo', {}, { key })
    for (const [secret, start] of [
      [key, '/statements'],
      [adminToken, `/operator/accounts/${id}/statements`],
    ] as const) {
      const { page, enter, complaints } = await visit(secret)
      await enter(start)
      const row = page.getByRole('row').filter({ hasText: present })
      expect((await row.getByRole('cell').allTextContents()).slice(1, 5)).toEqual([
        '$0.000000',
        '$200.000000',
        '$0.020000',
        '$199.980000',
      ])
      for (const kind of ['CSV', 'PDF']) {
        const saving = page.waitForEvent('download')
        await page.getByRole('button', { name: `Save ${present} as ${kind}` }).click()
        const file = await saving
        expect(file.suggestedFilename()).toBe(`statement-${present}.${kind.toLowerCase()}`)
        const content = await readFile(await file.path(), 'utf8')
        expect(content).toContain(kind === 'PDF' ? '%PDF-' : '東京データ شركة')
      }
      await page.getByRole('link', { name: present }).click()
      await page.getByRole('heading', { name: `Statement ${present}` }).waitFor()
      const call = page.getByRole('row').filter({ hasText: 'Calls: test/echo' })
      await call.waitFor()
      expect(await call.getByRole('cell').allTextContents()).toEqual([
        'Calls: test/echo',
        '1',
        '−$0.020000',
        '',
      ])
      for (const colorScheme of themes)
        for (const width of widths)
          for (const at of [start, `${start}/${present}`]) {
            await page.emulateMedia({ colorScheme })
            await page.setViewportSize({ width, height: 900 })
            await enter(at)
            await page.getByText(present).first().waitFor()
            await expectAccessible(page, `${at} ${width} ${colorScheme}`)
            const overflow = () =>
              document.documentElement.scrollWidth - document.documentElement.clientWidth
            expect(await page.evaluate(overflow), `${at} at ${width}`).toBe(0)
            if (pictures !== undefined)
              await page.screenshot({
                path: path.join(pictures, `${at.replaceAll('/', '_')}-${width}-${colorScheme}.png`),
              })
          }
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('navigation').isVisible()).toBe(false)
      expect(await page.getByText('Closing balance').isVisible()).toBe(true)
      expect(complaints).toEqual([])
    }
  })

  test('a large credit is asked for in words, and no key that was meant for the page gives it', async () => {
    const account = await opened().gateway.account(500)
    const { page, enter, complaints } = await visit(adminToken)
    await enter(`/operator/accounts/${account.id}`)
    const cents = async () => (await account.state()).availableCents
    const typeAmount = async (dollars: string) => {
      await page.getByLabel('Dollars').focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(dollars)
      await page.keyboard.press('Tab')
      await page.keyboard.type('prepaid')
      await page.keyboard.press('Enter')
    }
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await typeAmount('100000')
    const question = page.getByRole('dialog', { name: 'one hundred thousand dollars' })
    await question.waitFor()
    expect(await focused()).toBe('Do not credit')
    await expectAccessible(page, 'the question before a large credit')
    // The same key again, pressed twice by mistake.
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await cents()).toBe(500)
    await page.getByLabel('Reason').first().focus()
    await page.keyboard.press('Enter')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await cents()).toBe(500)
    await page.getByLabel('Reason').first().focus()
    await page.keyboard.press('Enter')
    await question.waitFor()
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Credit $100,000.00')
    await page.keyboard.press('Enter')
    await page.getByText('The account was credited.').waitFor()
    await question.waitFor({ state: 'detached' })
    expect(await cents()).toBe(10_000_500)
    // Up to the threshold nothing is asked.
    await typeAmount('1000')
    await page.getByText('$101,005.00').waitFor()
    expect(await cents()).toBe(10_100_500)
    expect(complaints).toEqual([])
  })

  test('the operator saves income, known cost and margin by day and action', async () => {
    const account = await opened().gateway.account(100)
    await account.call('test/capped', { costs: 3.5 })
    const { page, enter } = await visit(adminToken)
    await enter('/operator')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toBe('revenue.csv')
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^day,action,calls,.*charged_less_known_cost_usd$/)
    expect(lines.slice(1)).toContainEqual(
      expect.stringMatching(/,test\/capped,1,0,0\.035000,0\.000000,0\.035000,1,0,0\.000000$/),
    )
  })
})
