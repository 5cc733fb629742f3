// The documents in a browser, which may load nothing but the gateway's own files.
import { gzipSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { expectAccessible, themes } from '../console/accessible.ts'
import { withoutRefusals } from '../console/open-console.ts'

const executablePath = await findChromium()
const gateway = shareGatewayOfWorker()
const pageBytesMax = 60_000
const gatewayPages = ['/', '/changelog', '/status', '/sign-in', '/people', '/nothing']

test('each page with its style and scripts is at most 60 kB compressed', async () => {
  const { url } = gateway()
  const compressedBytes = async (at: string) =>
    gzipSync(await (await fetch(url + at)).text()).length
  const files = ['docs.css', 'docs.js', 'search.js'].map((name) => `/docs/site/${name}`)
  const shared = await Promise.all(files.map(compressedBytes))
  const rest = pageBytesMax - shared.reduce((one, other) => one + other, 0)
  const start = await (await fetch(`${url}/docs`)).text()
  const actions = await (await fetch(`${url}/docs/actions`)).text()
  const links = [...(start + actions).matchAll(/href="(\/docs\/[^"#.]+)"/g)].map(([, to]) => to)
  expect(links.length).toBeGreaterThan(300)
  for (const link of new Set([...links, ...gatewayPages]))
    expect(await compressedBytes(link ?? ''), link).toBeLessThanOrEqual(rest)
})

test('the pages of the gateway have one header, one footer and one style', async () => {
  const { url, request } = gateway()
  const { body } = await request('POST', '/api/v1/agents', { body: {} })
  const claim = new URL((body as { claim_url: string }).claim_url).pathname
  const shellOf = async (at: string) => {
    const reply = await fetch(url + at, { headers: { accept: 'text/html' } })
    const html = await reply.text()
    const [header] = /<header class="top">[\s\S]*<\/header>/.exec(html) ?? []
    const [footer] = /<footer[\s\S]*<\/footer>/.exec(html) ?? []
    return [header?.replace(/#documents/, '#links'), footer, html.includes('/docs/site/docs.css')]
  }
  const [header, footer] = await shellOf('/docs')
  expect(header).toContain('role="search"')
  expect(footer).toMatch(/"\/changelog"[\s\S]*"\/status"/)
  for (const at of [...gatewayPages, claim, '/docs/nothing', '/claim/nothing'])
    expect(await shellOf(at), at).toEqual([header, footer, true])
})

test('an address without a page is a page for browsers, and JSON for programs', async () => {
  const read = (accept: string, at: string) =>
    fetch(gateway().url + at, { headers: { accept } }).then(async (reply) => ({
      status: reply.status,
      type: reply.headers.get('content-type'),
      text: await reply.text(),
    }))
  const shown = await read('text/html,*/*;q=0.8', '/nothing/<b>')
  expect(shown).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' })
  expect(shown.text).not.toContain('<b>')
  for (const [accept, at] of [
    ['*/*', '/nothing'],
    ['text/html', '/api/v1/nothing'],
  ] as const)
    expect(JSON.parse((await read(accept, at)).text)).toMatchObject({ error: 'not_found' })
})

describe.skipIf(executablePath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '' })
  })
  afterAll(() => browser.close())

  async function open(at: string, colorScheme: 'light' | 'dark' = 'light') {
    const page = await browser.newPage({ colorScheme })
    onTestFinished(() => page.close())
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${gateway().url}/`) && !request.url().startsWith('data:'))
        complaints.push(request.url())
    })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (thrown) => void complaints.push(thrown.message))
    await page.goto(gateway().url + at)
    return { page, complaints }
  }

  test('the search finds during typing, by keyboard alone, without other servers', async () => {
    const { page, complaints } = await open('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('budget for a key')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/[a-z/-]+#[a-z-]+$/)
    expect(complaints).toEqual([])
  })

  test('a call is shown in one language at a time, which the next page remembers, and is tried in the console', async () => {
    const { page, complaints } = await open('/docs/actions/test/echo')
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.getByText('tollway_client').waitFor()
    expect(await page.getByRole('tabpanel').count()).toBe(1)
    await page.goto(`${gateway().url}/docs/actions/tollway/discover`)
    await page.getByText('tollway_client').waitFor()
    await page.getByRole('tab', { name: 'Python' }).press('ArrowLeft')
    await page.getByRole('tab', { name: 'curl' }).click()
    const form = await page.getByRole('link', { name: 'Try it' }).first().getAttribute('href')
    const { pathname, searchParams } = new URL(form ?? '', gateway().url)
    expect(pathname).toBe('/console/catalog/tollway/discover')
    expect(JSON.parse(searchParams.get('input') ?? '')).toHaveProperty('query')
    expect(complaints).toEqual([])
  })

  test.each(themes)(
    'no page breaks a rule of accessibility in the %s theme, or scrolls sideways',
    async (theme) => {
      for (const at of [
        '/docs',
        '/docs/use',
        '/docs/actions/test/echo',
        '/docs/api/keys',
        '/docs/search?q=key',
        ...gatewayPages,
      ]) {
        const { page, complaints } = await open(at, theme)
        await expectAccessible(page, at)
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          const excess = await page.evaluate(
            () => document.documentElement.scrollWidth - innerWidth,
          )
          expect(excess, `${at} at ${width} px`).toBeLessThanOrEqual(0)
        }
        expect(withoutRefusals(complaints)).toEqual([])
      }
    },
  )
})
