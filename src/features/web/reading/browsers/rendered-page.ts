// One page in a browser context of its own: opened, waited for until its text stands still, and taken.

import { documentKind } from '@tollway/reader'
import type { Browser, BrowserContext, CDPSession, Page, Response } from 'playwright-core'
import type { Clock } from '#core/ports.ts'
import { chromeUserAgent } from '#platform/chromium/chromium.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import type { EgressPass } from '#platform/egress/passes.ts'
import { throwIfRefused as throwIfProxyRefused } from '#platform/egress/proxy.ts'
import { errorNameOf } from '#platform/thrown.ts'
import { documentRefusal } from '../actions/intake.ts'
import { pageBytesMax } from '../ladder/fetch.ts'
import { languagesOf, mobileUserAgent, type VisitWish } from '../ladder/visit.ts'
import { type Picture, type PictureWish, takePicture } from './picture.ts'
import { type Settling, watchPage } from './settle.ts'
import { type TakenPage, takePage } from './take-page.ts'

export interface RenderedPage extends TakenPage {
  readonly finalUrl: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Present if the caller asked for one. */
  readonly picture?: Picture | undefined
}

/** Until the first byte of the page. */
const answerTimeoutMs = 10_000
/** For an element that the caller waits for. */
const elementTimeoutMs = 10_000
const pauseMs = 200
/**
 * Frames that a page and its frames may open in all. Each one costs this process events, and a hostile page never
 * stops.
 */
const framesMax = 200
/** Nothing in them becomes text. Style sheets say what is seen. */
const typesRefused: ReadonlySet<string> = new Set(['image', 'media', 'font'])

export async function openContext(
  browser: Browser,
  options: {
    readonly url: string
    readonly visit: VisitWish
    readonly picture?: PictureWish | undefined
    readonly proxyUrl: string
    readonly pass: EgressPass
    readonly isStealthy: boolean
  },
): Promise<BrowserContext> {
  const { url, visit, picture, proxyUrl, pass, isStealthy } = options
  const context = await browser.newContext({
    proxy: { server: proxyUrl, username: pass.username, password: pass.password },
    locale: languagesOf(visit)[0] ?? usualLanguages[0],
    ...deviceOf(visit, picture),
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
  })
  await context.addCookies(cookiesOf(visit, url))
  // A policy keeps WebRTC behind the proxy too. Its absence would reveal the stealthy browser.
  if (!isStealthy) await context.addInitScript('delete globalThis.RTCPeerConnection')
  await context.route('**/*', (route) => {
    const type = route.request().resourceType()
    const isSeen = picture !== undefined && type !== 'media'
    if (!isSeen && typesRefused.has(type)) return route.abort().catch(() => {})
    return route.continue().catch(() => {})
  })
  return context
}

const usualLanguages = ['en-US', 'en'] as const
const desktop = { viewport: { width: 1_366, height: 900 } } as const
const phone = {
  viewport: { width: 412, height: 915 },
  deviceScaleFactor: 2.625,
  isMobile: true,
  hasTouch: true,
} as const

function deviceOf({ isMobile }: VisitWish, wish: PictureWish | undefined) {
  const device = isMobile ? phone : desktop
  const { width = device.viewport.width, height = device.viewport.height } = wish ?? {}
  return { ...device, viewport: { width, height } }
}

/** For the host of the page only, and over TLS only if the page is. */
function cookiesOf({ cookies = {} }: VisitWish, url: string) {
  return Object.entries(cookies).map(([name, value]) => ({
    name,
    value,
    url: new URL('/', url).href,
  }))
}

/** Throws CallError `onescrape_document`, FetchFailure, or what Chromium says. */
export async function readPage(
  context: BrowserContext,
  job: {
    readonly url: string
    readonly clock: Clock
    readonly settling: Settling
    readonly isStealthy: boolean
    readonly visit: VisitWish
    /** By the clock: what is there by then is the page. */
    readonly endsAt: number
    readonly picture?: PictureWish | undefined
  },
): Promise<RenderedPage> {
  const { url, clock, settling, visit, endsAt } = job
  const page = await context.newPage()
  const session = await page.context().newCDPSession(page)
  await introduce(page, session, visit)
  context.on('page', (other) => void other.close().catch(() => {}))
  const watch = watchPage(page, clock, settling)
  let answer: Response | undefined
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      answer = response
  })
  const crashed = new Promise<never>((_resolve, reject) => {
    page.once('crash', () => reject(new FetchFailure('connection', `${url} crashed the browser.`)))
  })
  const overfull = new Promise<never>((_resolve, reject) => {
    let frames = 0
    page.on('frameattached', () => {
      frames += 1
      if (frames > framesMax)
        reject(new FetchFailure('too_large', `${url} opens more than ${framesMax} frames.`))
    })
  })
  const taken = async (): Promise<RenderedPage> => {
    await page.goto(url, { waitUntil: 'commit', timeout: answerTimeoutMs }).catch((thrown) => {
      refuseDocument(answer, url)
      throw thrown
    })
    refuseDocument(answer, url)
    throwIfRefused(answer)
    await waitFor(page, visit, { url, clock })
    await watch.settled(endsAt)
    // While the page moves on to another address, there is no document for a moment.
    const shown = await show(session, job).catch(async (thrown) => {
      if (thrown instanceof FetchFailure) throw thrown
      await clock.sleep(pauseMs)
      return show(session, job)
    })
    const finalUrl = page.url()
    if (!/^https?:/.test(finalUrl))
      throw new FetchFailure('connection', `${url} left the web for ${finalUrl.slice(0, 40)}.`)
    const [status, headers] = [answer?.status() ?? 200, answer?.headers() ?? {}]
    return { ...shown, finalUrl, status, headers }
  }
  return Promise.race([taken(), crashed, overfull])
}

/** The picture comes first, because taking the page may change the size of its window. */
async function show(
  session: CDPSession,
  { clock, picture: wish }: { readonly clock: Clock; readonly picture?: PictureWish | undefined },
) {
  const picture = wish && (await takePicture(session, wish))
  return { ...(await takePage(session, { clock, charactersMax: pageBytesMax })), picture }
}

/** The client hints must agree with the user agent. */
async function introduce(page: Page, session: CDPSession, visit: VisitWish): Promise<void> {
  const { isMobile = false } = visit
  const version = page.context().browser()?.version().split('.', 1)[0] ?? ''
  const languages = languagesOf(visit)
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: isMobile ? mobileUserAgent(version) : chromeUserAgent(version),
    acceptLanguage: (languages.length > 0 ? languages : usualLanguages).join(','),
    userAgentMetadata: {
      brands: [
        { brand: 'Chromium', version },
        { brand: 'Not-A.Brand', version: '24' },
      ],
      platform: isMobile ? 'Android' : 'Linux',
      platformVersion: '',
      architecture: isMobile ? '' : 'x86',
      model: '',
      mobile: isMobile,
    },
  })
}

/** Throws EgressRefusal or FetchFailure where the proxy answered in place of the site. */
function throwIfRefused(answer: Response | undefined): void {
  try {
    throwIfProxyRefused(answer?.headers() ?? {})
  } catch (thrown) {
    const isOfRedirect = answer?.request().redirectedFrom() != null
    throw thrown instanceof EgressRefusal && isOfRedirect ? thrown.ofRedirect() : thrown
  }
}

/** Waits for what the caller named. Throws FetchFailure where an element does not come. */
async function waitFor(
  page: Page,
  { waitFor: wish }: VisitWish,
  { url, clock }: { readonly url: string; readonly clock: Clock },
): Promise<void> {
  if (wish === undefined) return
  if (typeof wish === 'number') return await clock.sleep(wish)
  const options = { state: 'attached', timeout: elementTimeoutMs } as const
  await page.waitForSelector(`css=${wish}`, options).catch((thrown) => {
    if (errorNameOf(thrown) !== 'TimeoutError') throw thrown
    throw new FetchFailure('timeout', `${url} showed no element that fits wait_for.`, thrown)
  })
}

/** Downloads are off, so only the headers of a document arrive. */
function refuseDocument(answer: Response | undefined, url: string): void {
  const kind = documentKind(answer?.headers()['content-type'], Buffer.alloc(0))
  if (kind !== undefined) throw documentRefusal(url, kind)
}
