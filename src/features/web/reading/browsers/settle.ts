// When a page is done: it has text, the text no longer changes, and no pending request could change it.
import type { Page, Request } from 'playwright-core'
import type { Clock } from '#core/ports.ts'

const contentLoadedTimeoutMs = 6_000
/**
 * The page is taken when nothing has changed for `quietMs`, after `leastMs` at the earliest and `mostMs` at the latest.
 */
export interface Settling {
  readonly quietMs: number
  readonly leastMs: number
  readonly mostMs: number
}

const pollMs = 100
/** How long an answer is waited for. A request that takes longer is probably held open for messages. */
const answersExpectedMs: Readonly<Record<string, number>> = {
  document: 3_000,
  script: 3_000,
  stylesheet: 3_000,
  fetch: 9_000,
  xhr: 9_000,
}
/** The limit for every request of a page that already has this much text. */
const answerOfFullPageExpectedMs = 3_000
const charactersOfFullPage = 4_000
/** A page that requests one address more often than this is polling. */
const repeatsAwaitedMax = 3

/** Watches the requests of a page whose answers could still change it. */
function watchRequests(page: Page, clock: Clock) {
  const underWay = new Map<Request, number>()
  const asked = new Map<string, number>()
  page.on('request', (request) => {
    if (answersExpectedMs[request.resourceType()] === undefined) return
    const [address = ''] = request.url().split('?', 1)
    const times = (asked.get(address) ?? 0) + 1
    asked.set(address, times)
    if (times <= repeatsAwaitedMax) underWay.set(request, clock.now())
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  /** Whether a pending request is still within its time, and within `mostMs`. */
  return (mostMs = Number.POSITIVE_INFINITY) =>
    [...underWay].some(([request, since]) => {
      const expectedMs = answersExpectedMs[request.resourceType()] ?? 0
      return clock.now() - since < Math.min(expectedMs, mostMs)
    })
}

/** Call it before the page is opened. Await `settled` once the page has answered. */
export function watchPage(
  page: Page,
  clock: Clock,
  { quietMs, leastMs, mostMs }: Settling,
): { settled(endsAt: number): Promise<void> } {
  const isWaiting = watchRequests(page, clock)
  const isBusy = async () => {
    if (!isWaiting()) return false
    if (isWaiting(answerOfFullPageExpectedMs)) return true
    return (await measure(page, textLength)) < charactersOfFullPage
  }
  return {
    async settled(endsAt) {
      const timeout = Math.max(1, Math.min(contentLoadedTimeoutMs, endsAt - clock.now()))
      // A script that never arrives delays this event for ever, but the page may be complete without it.
      await page.waitForLoadState('domcontentloaded', { timeout }).catch(() => {})
      const startedAt = clock.now()
      const until = Math.min(startedAt + mostMs, endsAt)
      let size = -1
      let changedAt = startedAt
      while (clock.now() < until) {
        const now = await measure(page, textSize)
        if (now !== size || (await isBusy())) changedAt = clock.now()
        size = now
        const isQuiet = clock.now() - Math.max(changedAt, startedAt + leastMs - quietMs) >= quietMs
        if (isQuiet && (await measure(page, isFinished)) !== 0) return
        await clock.sleep(pollMs)
      }
    },
  }
}

/** 0 while the page moves on to another address. */
async function measure(page: Page, expression: string): Promise<number> {
  return page.evaluate<number>(expression).catch((thrown) => {
    if (page.isClosed()) throw thrown
    return 0
  })
}

/**
 * Cheap enough for ten times a second, because it needs no layout. Always a number, even if the page redefines these
 * properties.
 */
const textSize = `+((document.body ? document.body.textContent.length : 0) + document.getElementsByTagName('*').length) || 0`

const textLength = `+(document.body ? document.body.innerText.length : 0) || 0`

/**
 * Whether the page shows text, in components too, and more than a skeleton. A page without text and without scripts is
 * finished.
 */
const isFinished = `(() => {
  if (!document.body || document.scripts.length === 0) return document.body ? 1 : 0
  const text = document.body.innerText.trim()
  const skeleton = '[aria-busy="true" i], [class*="skeleton" i], [class*="shimmer" i], [class*="placeholder-glow" i]'
  if (text.length < 600 && document.querySelector(skeleton)?.checkVisibility()) return 0
  if (text !== '') return 1
  for (const element of document.querySelectorAll('*'))
    if (element.shadowRoot && element.shadowRoot.textContent.trim() !== '') return 1
  return document.querySelector('iframe, frame') ? 1 : 0
})()`
