// Rung 2: pages as a browser shows them. A few Chromium processes are kept, each page gets a context of its own, and all
// traffic goes through the egress proxy. A browser that dies takes its pages with it; they are tried once more elsewhere.
import { availableParallelism } from 'node:os'
import type { BrowserContext } from 'playwright-core'
import { CallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { abortable } from '#platform/egress/abortable.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { type EgressGuard, EgressRefusal } from '#platform/egress/guard.ts'
import { createEgressProxy, type EgressProxy } from '#platform/egress/proxy.ts'
import { type Browsers, createBrowsers } from './browsers.ts'
import { findChromium, launchChromium, type RunningChromium } from './chromium.ts'
import { openContext, type RenderedPage, readPage } from './rendered-page.ts'
import type { Availability } from './rungs.ts'
import { createTurnstile } from './turnstile.ts'

export interface Renderer {
  /** Whether pages can be rendered here; starts the first browser to find out. */
  availability(): Promise<Availability>
  /** Throws EgressRefusal, FetchFailure, or CallError `onescrape_document`. */
  render(url: string, signal: AbortSignal): Promise<RenderedPage>
  close(): Promise<void>
}

export interface RendererOptions {
  readonly guard: EgressGuard
  readonly log: Log
  readonly clock: Clock
  /** The Chromium to use; by default the first found in the usual places. */
  readonly chromiumPath?: string
  /** Default true. False is the operator's explicit word that pages may run unsandboxed. */
  readonly chromiumSandbox?: boolean
  readonly tabsMax?: number
  /** Pages after which a browser is replaced by a fresh one. */
  readonly pagesPerBrowserMax?: number
  readonly renderTimeoutMs?: number
}

const tabsPerCore = 2
const coresPerBrowser = 2
const pagesPerBrowserDefault = 200
const waitingMax = 64
const renderTimeoutDefaultMs = 18_000
const contextCloseTimeoutMs = 2_000
/** How long a machine that could not start Chromium is not asked again. */
const failureMemoryMs = 60_000
const bytesPerPageMax = 30_000_000

export function createRenderer(options: RendererOptions): Renderer {
  const { guard, log, clock, chromiumSandbox = true } = options
  const cores = availableParallelism()
  const tabsMax = options.tabsMax ?? cores * tabsPerCore
  const turnstile = createTurnstile({ insideMax: tabsMax, waitingMax })
  let proxyStarted: Promise<EgressProxy> | undefined

  const startProxy = () => {
    proxyStarted ??= createEgressProxy({ guard })
    return proxyStarted
  }
  const browsers = createBrowsers({
    log,
    browsersMax: Math.max(1, Math.ceil(cores / coresPerBrowser)),
    tabsPerBrowser: Math.min(tabsMax, coresPerBrowser * tabsPerCore),
    pagesPerBrowserMax: options.pagesPerBrowserMax ?? pagesPerBrowserDefault,
    async launch(): Promise<RunningChromium> {
      const executablePath = await findChromium(options.chromiumPath)
      if (executablePath === undefined) throw new Error(notInstalled(options.chromiumPath))
      const { url: proxyUrl } = await startProxy()
      return launchChromium({ executablePath, sandbox: chromiumSandbox, proxyUrl })
    },
  })

  return {
    availability: rememberFailure(browsers.ready, { clock, log }),

    async render(url, signal) {
      guard.admit(new URL(url))
      const leave = await turnstile.enter(signal)
      const renderOnce = async () =>
        renderIn({ url, signal: stop, browsers, clock, proxy: await startProxy() })
      const stop = AbortSignal.any([
        signal,
        AbortSignal.timeout(options.renderTimeoutMs ?? renderTimeoutDefaultMs),
      ])
      try {
        return await renderOnce().catch((thrown) => {
          if (thrown instanceof BrowserGone && !stop.aborted) return renderOnce()
          throw thrown
        })
      } catch (thrown) {
        signal.throwIfAborted()
        throw explain(thrown, url)
      } finally {
        leave()
      }
    },

    async close() {
      await browsers.close()
      await (await proxyStarted)?.close()
    },
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

/** Throws BrowserGone when the browser ended meanwhile, through whatever page. */
async function renderIn(job: {
  readonly url: string
  readonly signal: AbortSignal
  readonly browsers: Browsers
  readonly proxy: EgressProxy
  readonly clock: Clock
}): Promise<RenderedPage> {
  const { browser, release } = await job.browsers.lease()
  const pass = job.proxy.issue({ bytesMax: bytesPerPageMax })
  const opening = openContext(browser, job.proxy.url, pass)
  try {
    const context = await abortable(opening, job.signal)
    return await abortable(readPage(context, job.url, job.clock), job.signal)
  } catch (thrown) {
    throw browser.isConnected() ? thrown : new BrowserGone(thrown)
  } finally {
    pass.revoke()
    // Not awaited: the caller has its page, and a stuck tab must not keep it.
    closeContext(opening).then((closed) => release(closed ? 'used' : 'broken'))
  }
}

class BrowserGone extends Error {
  constructor(cause: unknown) {
    super('The browser ended while it had the page open.', { cause })
  }
}

function notInstalled(chromiumPath: string | undefined): string {
  return chromiumPath === undefined
    ? 'Chromium is not installed: install the package chromium-headless-shell or chromium, or set CHROMIUM_PATH.'
    : `Chromium is not installed: there is no program at ${chromiumPath}.`
}

/** False when the tab would not close in time, which is the browser's end. */
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
  const { name, message } = thrown as Error
  if (name === 'TimeoutError')
    return new FetchFailure('timeout', `${url} did not render in time.`, thrown)
  const code = /net::(ERR_[A-Z_]+)/.exec(message)?.[1]
  return new FetchFailure(
    'connection',
    `${url} could not be rendered${code ? ` (${code})` : ''}.`,
    thrown,
  )
}
