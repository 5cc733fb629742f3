// The live view of a rented browser, as a person sees it: in another browser.
import { chromium } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findConfinable } from '#platform/chromium/confined-chromium.ts'
import { colourIn } from '#test/browsers/recorded.ts'
import { canRent, openPlaywright, rentBrowser } from '#test/browsers/rented-browser.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { until } from '#test/until.ts'

const shared = shareGatewayOfWorker()

async function openViewer(address: string) {
  const viewer = await chromium.launch({ executablePath: (await findConfinable()) ?? '' })
  onTestFinished(() => viewer.close())
  const page = await viewer.newPage({ viewport: { width: 1_000, height: 700 } })
  const violations: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text())
  })
  await page.goto(address, { waitUntil: 'commit' })
  const reader = await viewer.newPage()
  const colour = async () =>
    await reader.evaluate(
      async (data) => {
        const reply = await fetch(`data:image/png;base64,${data}`)
        const picture = await createImageBitmap(await reply.blob())
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
        canvas?.drawImage(picture, 0, 0)
        return [...(canvas?.getImageData(500, 350, 1, 1).data ?? [])].slice(0, 3)
      },
      (await page.screenshot()).toString('base64'),
    )
  return { page, violations, colour }
}

const isRed = ([red = 0, green = 0, blue = 0]: number[]) => red > 180 && green < 60 && blue < 60
const isBlue = ([red = 0, green = 0, blue = 0]: number[]) => blue > 180 && red < 60 && green < 60

/** As a data URL. */
async function firstPicture(liveViewUrl: string): Promise<string> {
  const { body } = await fetch(liveViewUrl.replace('/live?', '/frames?'))
  let received = Buffer.alloc(0)
  for await (const chunk of body ?? []) {
    received = Buffer.concat([received, chunk])
    const start = received.indexOf('\r\n\r\n') + 4
    const length = Number(/Content-Length: (\d+)/.exec(received.toString('latin1'))?.[1])
    if (start > 3 && received.length >= start + length)
      return `data:image/jpeg;base64,${received.toString('base64', start, start + length)}`
  }
  throw new Error('The live view sent no picture.')
}

describe.skipIf(!canRent)('the live view', () => {
  test('shows what the browser shows, also on new pages, and controls nothing', async () => {
    const account = await shared().account(100)
    const { connectUrl, liveViewUrl } = await rentBrowser(account, { estimatedMinutes: 5 })
    const browser = await openPlaywright(connectUrl)
    const context = browser.contexts()[0] ?? (await browser.newContext())
    const page = await context.newPage()
    const viewer = await openViewer(liveViewUrl)
    await page.setContent('<body style="background:#e00"><h1>Harbour</h1>')
    await until(async () => isRed(await viewer.colour()))
    await (await context.newPage()).setContent('<body style="background:#00e"><h1>Sea</h1>')
    await until(async () => isBlue(await viewer.colour()))
    expect(viewer.violations).toEqual([])
    expect(await viewer.page.evaluate(() => document.scripts.length)).toBe(0)
  })

  test('begins with the page that was used last', async () => {
    const account = await shared().account(100)
    const { connectUrl, liveViewUrl } = await rentBrowser(account, { estimatedMinutes: 5 })
    const browser = await openPlaywright(connectUrl)
    const context = browser.contexts()[0] ?? (await browser.newContext())
    const pages = []
    for (const colour of ['#e00', '#00e', '#fff']) {
      const page = await context.newPage()
      await page.setContent(`<body style="background:${colour}">`)
      pages.push(page)
    }
    for (const [at, colour] of ['red', 'blue', 'other', 'red'].entries()) {
      await pages[at % pages.length]?.bringToFront()
      expect(await colourIn(await firstPicture(liveViewUrl))).toBe(colour)
    }
  })

  test('runs nothing, cannot be framed, and needs a signature of its own', async () => {
    const account = await shared().account(100)
    const { connectUrl, liveViewUrl, sessionId } = await rentBrowser(account)
    const reply = await fetch(liveViewUrl)
    const policy = reply.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; img-src 'self'; style-src 'sha256-[\w+/=]+';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const swapped = new URL(liveViewUrl)
    swapped.search = new URL(connectUrl).search
    expect((await fetch(swapped)).status).toBe(401)
    const frames = liveViewUrl.replace('/live?', '/frames?')
    const viewers = [1, 2, 3].map(() => new AbortController())
    for (const { signal } of viewers) expect((await fetch(frames, { signal })).status).toBe(200)
    expect((await fetch(frames)).status).toBe(429)
    for (const viewer of viewers) viewer.abort()
    await until(async () => {
      const { status, body } = await fetch(frames)
      await body?.cancel()
      return status === 200
    })
    await account.call('ns_browser/release_session', { session_id: sessionId })
    expect((await fetch(frames)).status).toBe(409)
  })
})
