// When a page is done: its text stands still, nothing that could change it is on its way, and there is some.
import type { Page, Request } from 'playwright-core'
import type { Clock } from '#core/ports.ts'

const contentLoadedTimeoutMs = 6_000
/** The page is taken when nothing has happened for so long, not before the least wait and not after the longest. */
export interface Settling {
  readonly quietMs: number
  readonly leastMs: number
  readonly mostMs: number
}

const pollMs = 100
/** A request that takes longer is held open for messages and will not end. */
const answerExpectedMs = 3_000
/** What brings a page its words, or the scripts that write them. */
const typesAwaited: ReadonlySet<string> = new Set(['document', 'script', 'fetch', 'xhr'])

/** Begin it before the page is opened, and wait on it once the page answers. */
export function watchPage(
  page: Page,
  clock: Clock,
  { quietMs, leastMs, mostMs }: Settling,
): { settled(): Promise<void> } {
  const underWay = new Map<Request, number>()
  page.on('request', (request) => {
    if (typesAwaited.has(request.resourceType())) underWay.set(request, clock.now())
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  const isBusy = () =>
    [...underWay.values()].some((since) => clock.now() - since < answerExpectedMs)

  return {
    async settled() {
      // A script that never arrives holds this event up for ever; what is there may be the page all the same.
      await page
        .waitForLoadState('domcontentloaded', { timeout: contentLoadedTimeoutMs })
        .catch(() => {})
      const startedAt = clock.now()
      let size = -1
      let changedAt = startedAt
      while (clock.now() - startedAt < mostMs) {
        const now = await measure(page, textSize)
        if (now !== size || isBusy()) changedAt = clock.now()
        size = now
        const isQuiet = clock.now() - Math.max(changedAt, startedAt + leastMs - quietMs) >= quietMs
        if (isQuiet && (await measure(page, hasText)) !== 0) return
        await clock.sleep(pollMs)
      }
    },
  }
}

/** A page on its way to the next has nothing to measure. */
async function measure(page: Page, expression: string): Promise<number> {
  return page.evaluate<number>(expression).catch((thrown) => {
    if (page.isClosed()) throw thrown
    return 0
  })
}

/** Cheap enough to ask ten times a second, since it needs no layout. A number, even where the page redefines it. */
const textSize = `+((document.body ? document.body.textContent.length : 0) + document.getElementsByTagName('*').length) || 0`

/** Whether there is text to see, inside of components too. A page without scripts that has none will stay so. */
const hasText = `(() => {
  if (!document.body) return 0
  if (document.scripts.length === 0 || document.body.innerText.trim() !== '') return 1
  for (const element of document.querySelectorAll('*'))
    if (element.shadowRoot && element.shadowRoot.textContent.trim() !== '') return 1
  return 0
})()`
