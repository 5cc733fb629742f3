// How long texts are shown: those of answers, and names.
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, shareConsole } from './open-console.ts'

const sentence = 'The harbour opens at six, and the ferry leaves when it is full. '
const end = 'This is the last sentence.'
const pages = ['one', 'two', 'three'].map((name) => ({
  id: `${name}-7f3a`,
  url: `https://${name}.example/`,
  final_url: `https://www.${name}.example/${'deep/'.repeat(60)}page.html`,
  title: `Page ${name}`,
  content: `# Page ${name}\n\n${sentence.repeat(80)}\n\n${end}`,
  format: 'markdown',
  chars: 5_200,
  metadata: { description: sentence.repeat(3), author: null, language: 'en' },
  hops: [
    { provider: 'own', action: 'http', ok: false, latency_ms: 120, note: sentence.repeat(2) },
    { provider: 'own', action: 'browser', ok: true, latency_ms: 2_120, note: sentence.repeat(2) },
  ],
  hard: false,
  charged_cents: 0.2,
}))

describe.skipIf(chromiumPath === undefined)('what is long', () => {
  const opened = shareConsole()

  /** The page of an action, whose next call answers so. */
  async function answered(data: object): Promise<Page> {
    const { key } = await opened().gateway.account(500)
    const { context, page, enter } = await opened().signIn(key)
    onTestFinished(() => context.close())
    await page.route('**/api/run/test/echo', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), data } })
    })
    await enter('/catalog/test/echo')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText(/^Charged /).waitFor()
    return page
  }

  test('an answer of rows with long texts is read one below the other, a long text after "Show all"', async () => {
    const page = await answered({ rows: pages, read_count: 3 })
    const answer = page.getByRole('region', { name: 'Answer' })
    const first = answer.getByRole('article').first()
    await first.getByRole('heading', { name: '1. Page one' }).waitFor()
    expect(await answer.getByRole('article').count()).toBe(3)
    await first.getByRole('link', { name: 'https://one.example/', exact: true }).waitFor()
    expect(await first.getByText(end).count()).toBe(0)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page, `an answer at ${width} px`)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(width)
      // A text is as wide as its card, not a column of single words.
      const box = await first.locator('.prose').first().boundingBox()
      expect(box?.width).toBeGreaterThan(Math.min(width * 0.5, 400))
    }
    await first.getByRole('button', { name: 'Show all of content' }).click()
    await first.getByText(end).waitFor()
    await first.locator('summary', { hasText: 'hops' }).click()
    await first.getByRole('cell', { name: 'browser' }).waitFor()
    await answer.getByRole('button', { name: 'JSON' }).click()
    await answer.getByText('"read_count": 3').waitFor()
  })

  test('an answer of rows with short fields stays a table', async () => {
    const page = await answered({ rows: [1, 2, 3].map((year) => ({ year, title: `T${year}` })) })
    await page.getByRole('cell', { name: 'T3' }).waitFor()
    expect(await page.getByRole('article').count()).toBe(0)
  })

  test('a long name of a file stays in its column, without its middle', async () => {
    const account = await opened().gateway.account(500)
    const { context, page, enter } = await opened().signIn(account.key)
    onTestFinished(() => context.close())
    const name = `report-${'x'.repeat(465)}-end.txt`
    const sent = { filename: name, size_bytes: 5 }
    const stored = await account.call('files/upload', sent)
    expect([stored.status, stored.body.message]).toEqual([200, undefined])
    await enter('/files')
    const button = page.getByRole('button', { name: /^report-.*-end\.txt$/ })
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const [inner, cell] = await Promise.all([
        button.boundingBox(),
        page.getByRole('cell').filter({ has: button }).boundingBox(),
      ])
      const endOf = (box: typeof inner) => (box?.x ?? 0) + (box?.width ?? 0)
      expect(endOf(inner)).toBeLessThanOrEqual(endOf(cell))
      expect(inner?.height).toBeLessThan(120)
    }
    expect(await page.getByTitle(name).count()).toBe(1)
  })
})
