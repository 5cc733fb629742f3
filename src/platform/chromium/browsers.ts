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

interface Kept {
  readonly running: Promise<RunningChromium>
  pages: number
  open: number
  retired: boolean
  idle: NodeJS.Timeout | undefined
}

export interface BrowsersOptions {
  readonly launch: () => Promise<RunningChromium>
  readonly log: Log
  readonly browsersMax: number
  readonly tabsPerBrowser: number
  readonly pagesPerBrowserMax: number
  /** A browser without pages ends after this time to free its memory. */
  readonly idleMs: number
}

export function createBrowsers(options: BrowsersOptions): Browsers {
  const { launch, log, browsersMax, tabsPerBrowser, pagesPerBrowserMax, idleMs } = options
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
    const entry: Kept = { running, pages: 0, open: 0, retired: false, idle: undefined }
    kept.add(entry)
    running.then(
      ({ browser }) =>
        browser.once('disconnected', () => {
          if (!entry.retired && !closed)
            log.warn({}, 'A browser ended; the next page starts another.')
          retire(entry)
        }),
      () => kept.delete(entry),
    )
    return entry
  }

  function rest(entry: Kept): void {
    clearTimeout(entry.idle)
    if (entry.open === 0) entry.idle = setTimeout(() => retire(entry), idleMs).unref()
  }

  function retire(entry: Kept): void {
    entry.retired = true
    clearTimeout(entry.idle)
    if (entry.open > 0 || !kept.delete(entry)) return
    const end = entry.running.then((running) => running.close()).catch(() => {})
    closing.add(end)
    end.finally(() => closing.delete(end))
  }

  return {
    async lease() {
      const entry = pick()
      entry.open += 1
      clearTimeout(entry.idle)
      entry.pages += 1
      if (entry.pages >= pagesPerBrowserMax) entry.retired = true
      const release = (outcome: 'used' | 'broken') => {
        entry.open -= 1
        if (outcome === 'broken') entry.retired = true
        if (entry.retired) retire(entry)
        else rest(entry)
      }
      try {
        const { browser } = await entry.running
        return { browser, release }
      } catch (thrown) {
        release('broken')
        throw thrown
      }
    },
    async ready() {
      const entry = pick()
      await entry.running
      if (!entry.retired) rest(entry)
    },
    async close() {
      closed = true
      for (const { idle } of kept) clearTimeout(idle)
      const ends = [...kept].map(({ running }) =>
        running.then((each) => each.close()).catch(() => {}),
      )
      kept.clear()
      await Promise.all([...ends, ...closing])
    },
  }
}
