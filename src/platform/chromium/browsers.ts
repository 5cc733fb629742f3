// Keeps as many Chromium processes as needed, replaces each after a number of pages, and drops those that died.
import type { Browser } from 'playwright-core'
import type { Log } from '#core/ports.ts'
import type { RunningChromium } from './chromium.ts'

export interface BrowserLease {
  readonly browser: Browser
  /** `broken`: this browser is not used again. */
  release(outcome: 'used' | 'broken'): void
}

export interface Browsers {
  /** A browser with room for one more page, started if needed. Throws what `launch` throws. */
  lease(): Promise<BrowserLease>
  /** Resolves when a browser runs. */
  ready(): Promise<void>
  close(): Promise<void>
}

export interface BrowsersDependencies {
  readonly launch: () => Promise<RunningChromium>
  readonly log: Log
  readonly browsersMax: number
  readonly tabsPerBrowser: number
  readonly pagesPerBrowserMax: number
  /** A browser without pages ends after this time to free its memory. */
  readonly idleMs: number
}

export function createBrowsers(dependencies: BrowsersDependencies): Browsers {
  const { launch, log, browsersMax, tabsPerBrowser } = dependencies
  const kept = new Set<Kept>()
  const closing = new Set<Promise<void>>()
  let closed = false

  function pick(): Kept {
    if (closed) throw new Error('The renderer is closed.')
    const usable = [...kept].filter(({ retired }) => !retired)
    const roomy = usable.find(({ open }) => open < tabsPerBrowser)
    if (roomy !== undefined) return roomy
    if (usable.length < browsersMax) return start()
    return usable.reduce((least, each) => (each.open < least.open ? each : least))
  }

  function start(): Kept {
    const running = launch()
    const entry = keep(running, dependencies, end)
    kept.add(entry)
    running.then(
      ({ browser }) =>
        browser.once('disconnected', () => {
          if (!entry.retired && !closed)
            log.warn({}, 'A browser ended; the next page starts another.')
          entry.retire()
        }),
      () => kept.delete(entry),
    )
    return entry
  }

  function end(entry: Kept): void {
    if (!kept.delete(entry)) return
    const ending = entry.running.then((running) => running.close()).catch(() => {})
    closing.add(ending)
    ending.finally(() => closing.delete(ending))
  }

  return {
    lease: async () => pick().lease(),
    async ready() {
      const entry = pick()
      await entry.running
      if (!entry.retired) entry.rest()
    },
    async close() {
      closed = true
      for (const entry of kept) {
        entry.stopIdleTimer()
        end(entry)
      }
      await Promise.all(closing)
    },
  }
}

/** One Chromium process, from its launch until it is retired and its last page is closed. */
interface Kept {
  readonly running: Promise<RunningChromium>
  /** Pages that are open. */
  readonly open: number
  /** No further page is opened in it. */
  readonly retired: boolean
  lease(): Promise<BrowserLease>
  /** Starts the idle timer, unless a page is open. */
  rest(): void
  stopIdleTimer(): void
  retire(): void
}

function keep(
  running: Promise<RunningChromium>,
  { pagesPerBrowserMax, idleMs }: BrowsersDependencies,
  end: (entry: Kept) => void,
): Kept {
  let pages = 0
  let open = 0
  let retired = false
  let idle: NodeJS.Timeout | undefined

  function release(outcome: 'used' | 'broken'): void {
    open -= 1
    if (retired || outcome === 'broken') entry.retire()
    else entry.rest()
  }

  const entry: Kept = {
    running,
    get open() {
      return open
    },
    get retired() {
      return retired
    },
    async lease() {
      open += 1
      pages += 1
      clearTimeout(idle)
      if (pages >= pagesPerBrowserMax) retired = true
      try {
        const { browser } = await running
        return { browser, release }
      } catch (thrown) {
        release('broken')
        throw thrown
      }
    },
    rest() {
      clearTimeout(idle)
      if (open === 0) idle = setTimeout(entry.retire, idleMs).unref()
    },
    stopIdleTimer: () => clearTimeout(idle),
    retire() {
      retired = true
      clearTimeout(idle)
      if (open === 0) end(entry)
    },
  }
  return entry
}
