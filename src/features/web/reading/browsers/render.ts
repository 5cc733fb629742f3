// Pages as a browser shows them. A few Chromium processes are kept, each page gets a context of its own, and all
// traffic goes through the egress proxy. When a browser dies, its pages are tried once more in another one.
import type { BrowserContext, BrowserType } from 'playwright-core'
import { CallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Browsers, createBrowsers } from '#platform/chromium/browsers.ts'
import { launchChromium, type RunningChromium } from '#platform/chromium/chromium.ts'
import { abortable } from '#platform/egress/abortable.ts'
import type { Dial } from '#platform/egress/dial.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { type EgressGuard, EgressRefusal } from '#platform/egress/guard.ts'
import type { EgressProxy } from '#platform/egress/proxy.ts'
import type { FairPlaces } from '#platform/threads/fair-places.ts'
import { errorMessageOf, errorNameOf } from '#platform/thrown.ts'
import type { Availability } from '../ladder/rungs.ts'
import type { VisitWish } from '../ladder/visit.ts'
import type { PictureWish } from './picture.ts'
import { openContext, type RenderedPage, readPage } from './rendered-page.ts'
import type { Settling } from './settle.ts'

export interface Renderer {
  /** Whether pages can be rendered here; starts the first browser to find out. */
  availability(): Promise<Availability>
  /**
   * Connects by `dial`, or else as the renderer does. Throws EgressRefusal, FetchFailure, or CallError
   * `onescrape_document`, or `too_many_inflight` where too many pages of the owner wait already.
   */
  render(url: string, wish: RenderWish): Promise<RenderedPage>
  close(): Promise<void>
}

export interface RenderWish {
  /** Who pays: one account cannot take all tabs. */
  readonly owner: string
  readonly signal: AbortSignal
  readonly dial?: Dial | undefined
  readonly visit?: VisitWish | undefined
  /** By the clock: when the call ends. What is there shortly before is the page. */
  readonly endsAt?: number | undefined
  readonly picture?: PictureWish | undefined
  /** Awaited with the length of the page before its place is free again. */
  readonly hold?: ((bytes: number) => Promise<void>) | undefined
}

export interface RendererOptions {
  readonly guard: EgressGuard
  readonly log: Log
  readonly clock: Clock
  /** The program. Throws an Error that tells the operator what is missing. */
  readonly executable: () => Promise<string>
  readonly sandbox: boolean
  readonly driver: () => Promise<BrowserType>
  /** Shared with other renderers, and how many of its places a page takes. */
  readonly tabs: FairPlaces
  readonly places: number
  readonly proxy: () => Promise<EgressProxy>
  /** How pages are reached, if not directly. */
  readonly dial?: Dial | undefined
  readonly browsersMax: number
  readonly tabsPerBrowser: number
  /** Pages after which a browser is replaced by a fresh one. */
  readonly pagesPerBrowserMax: number
  /** A browser without pages is kept this long. */
  readonly idleMs: number
  readonly renderTimeoutMs: number
  readonly settling: Settling
  /** Shows pages the properties of a browser that a person uses. */
  readonly isStealthy?: boolean
  /** Pages load their pictures and fonts. Only then does it take pictures of them. */
  readonly hasPictures?: boolean
}

const contextCloseTimeoutMs = 2_000
/** After Chromium did not start, how long until it is tried again. */
const failureMemoryMs = 60_000
const bytesPerPageMax = 30_000_000
/** Kept of a page's time to take it out of the browser and to read it. */
const takingMs = 2_000

export function createRenderer(options: RendererOptions): Renderer {
  const { guard, log, clock, tabs } = options
  const browsers = createBrowsers({
    log,
    browsersMax: options.browsersMax,
    tabsPerBrowser: options.tabsPerBrowser,
    pagesPerBrowserMax: options.pagesPerBrowserMax,
    idleMs: options.idleMs,
    async launch(): Promise<RunningChromium> {
      const executablePath = await options.executable()
      const { url: proxyUrl } = await options.proxy()
      const { sandbox, hasPictures = false } = options
      const driver = await options.driver()
      return launchChromium({ executablePath, sandbox, hasPictures, proxyUrl, driver })
    },
  })

  return {
    availability: rememberFailure(browsers.ready, { clock, log }),

    async render(url, { owner, signal, endsAt, dial = options.dial, visit = {}, picture, hold }) {
      guard.admit(new URL(url))
      const leave = await tabs.enter({ owner, signal, places: options.places })
      const stop = AbortSignal.any([signal, AbortSignal.timeout(options.renderTimeoutMs)])
      const ends = Math.min(
        endsAt ?? Number.POSITIVE_INFINITY,
        clock.now() + options.renderTimeoutMs,
      )
      const job = { ...options, dial, url, visit, picture, signal: stop, endsAt: ends - takingMs }
      const renderOnce = () => renderIn(browsers, job)
      try {
        const page = await renderOnce().catch((thrown) => {
          if (thrown instanceof BrowserGone && !stop.aborted) return renderOnce()
          throw thrown
        })
        await hold?.(charactersOf(page))
        return page
      } catch (thrown) {
        signal.throwIfAborted()
        throw explain(thrown, url)
      } finally {
        leave()
      }
    },

    close: browsers.close,
  }
}

/** Asks `ready`, and for a while after a failure answers from memory. */
function rememberFailure(
  ready: () => Promise<void>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<Availability> {
  let failure: { readonly reason: string; readonly at: number } | undefined
  return async () => {
    if (failure !== undefined && clock.now() - failure.at < failureMemoryMs)
      return { ok: false, reason: failure.reason }
    try {
      await ready()
      failure = undefined
      return { ok: true }
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : 'Chromium did not start.'
      log.warn({ err: thrown }, 'Pages cannot be rendered on this machine.')
      failure = { reason, at: clock.now() }
      return { ok: false, reason }
    }
  }
}

interface RenderJob extends RendererOptions {
  readonly url: string
  readonly endsAt: number
  readonly visit: VisitWish
  readonly picture: PictureWish | undefined
  readonly signal: AbortSignal
}

/** Throws BrowserGone if the browser ended meanwhile, for example because of another page. */
async function renderIn(browsers: Browsers, job: RenderJob): Promise<RenderedPage> {
  const { url, visit, picture, signal, dial, isStealthy = false } = job
  const proxy = await job.proxy()
  const { browser, release } = await browsers.lease()
  const pass = proxy.issue({ bytesMax: bytesPerPageMax, dial })
  const opening = openContext(browser, {
    url,
    visit,
    picture,
    pass,
    isStealthy,
    proxyUrl: proxy.url,
  })
  try {
    const context = await abortable(opening, signal)
    return await abortable(readPage(context, { ...job, url, isStealthy }), signal)
  } catch (thrown) {
    throw browser.isConnected() ? thrown : new BrowserGone(thrown)
  } finally {
    pass.revoke()
    // Not awaited, because a stuck tab must not delay the answer.
    closeContext(opening).then((closed) => release(closed ? 'used' : 'broken'))
  }
}

function charactersOf({ html, frames }: Pick<RenderedPage, 'html' | 'frames'>): number {
  return frames.reduce(
    (sum, { html, frames = [] }) => sum + charactersOf({ html, frames }),
    html.length,
  )
}

class BrowserGone extends Error {
  constructor(cause: unknown) {
    super('The browser ended while it had the page open.', { cause })
  }
}

/** False if the tab did not close in time; the browser is then ended. */
async function closeContext(opening: Promise<BrowserContext>): Promise<boolean> {
  const closing = opening
    .then((context) => context.close())
    .then(
      () => true,
      () => true,
    )
  return Promise.race([
    closing,
    new Promise<false>((resolve) => {
      const timer = setTimeout(() => resolve(false), contextCloseTimeoutMs)
      closing.finally(() => clearTimeout(timer))
    }),
  ])
}

function explain(thrown: unknown, url: string): Error {
  if (thrown instanceof CallError || thrown instanceof FetchFailure) return thrown
  if (thrown instanceof EgressRefusal) return thrown
  const name = errorNameOf(thrown)
  const message = errorMessageOf(thrown)
  if (name === 'TimeoutError')
    return new FetchFailure('timeout', `${url} did not render in time.`, thrown)
  const code = /net::(ERR_[A-Z_]+)/.exec(message)?.[1]
  return new FetchFailure(
    /^ERR_(?:CERT|SSL)_/.test(code ?? '') ? 'tls' : 'connection',
    `${url} could not be rendered${code ? ` (${code})` : ''}.`,
    thrown,
  )
}
