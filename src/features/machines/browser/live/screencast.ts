// Pictures of what a rented browser shows: of the page that was used last, and from then on of the page that has
// changed last.
import type { ConfinedChromium } from '#platform/chromium/confined-chromium.ts'
import { type Devtools, type DevtoolsEvent, listPages, openDevtools } from './devtools.ts'

export interface Screencast {
  /** Resolves when the browser has ended or the screencast was closed. */
  readonly ended: Promise<void>
  close(): void
}

const frame = { format: 'jpeg', quality: 60, maxWidth: 1_280, maxHeight: 800 } as const
const everyPage = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }
/** A page that has changed sends a picture sooner. Chromium loses one now and then when a page opens or is resized. */
const pictureWithinMs = 1_500
const changes = ['Page.frameResized', 'Page.loadEventFired']

interface Shown {
  /** Its first picture is not passed on. */
  isSilent: boolean
  isVisible: boolean
  /** Pictures that the viewer has not taken yet. Chromium waits for them. */
  untaken: number
  lost?: NodeJS.Timeout | undefined
}

/** `onFrame` gets JPEG pictures. The next one of the same page is taken when its promise has resolved. */
export async function openScreencast(
  chromium: Pick<ConfinedChromium, 'connect' | 'browserPath'>,
  onFrame: (jpeg: Buffer) => Promise<void>,
): Promise<Screencast> {
  // Every page begins with a picture. At the start, only that of the page in front is shown.
  const behind = new Set((await listPages(chromium)).slice(1))
  const pages = new Map<string, Shown>()
  let devtools: Devtools | undefined
  const send = (method: string, params: object, sessionId: string) =>
    // A page may end at any moment.
    devtools?.send(method, params, sessionId).catch(() => {})

  function start(sessionId: string, page: Shown): void {
    send('Page.startScreencast', frame, sessionId)
    expectPicture(sessionId, page)
  }
  function expectPicture(sessionId: string, page: Shown): void {
    page.lost ??= setTimeout(() => {
      page.lost = undefined
      if (!page.isVisible || page.untaken > 0) return
      send('Page.stopScreencast', {}, sessionId)
      start(sessionId, page)
    }, pictureWithinMs)
  }
  function forget(sessionId: string): void {
    clearTimeout(pages.get(sessionId)?.lost)
    pages.delete(sessionId)
  }
  async function show(page: Shown, picture: string): Promise<void> {
    clearTimeout(page.lost)
    page.lost = undefined
    const isShown = !page.isSilent
    page.isSilent = false
    page.untaken += 1
    if (isShown) await onFrame(Buffer.from(picture, 'base64'))
    page.untaken -= 1
  }

  function onEvent({ method, params, sessionId = '' }: DevtoolsEvent): void {
    if (method === 'Target.attachedToTarget' && params.targetInfo.type === 'page') {
      const isSilent = behind.has(params.targetInfo.targetId)
      const page = { isSilent, isVisible: true, untaken: 0 }
      pages.set(params.sessionId, page)
      send('Page.enable', {}, params.sessionId)
      start(params.sessionId, page)
    }
    if (method === 'Target.detachedFromTarget') forget(params.sessionId)
    const page = pages.get(sessionId)
    if (page === undefined) return
    if (method === 'Page.screencastVisibilityChanged') page.isVisible = params.visible
    if (changes.includes(method)) expectPicture(sessionId, page)
    if (method === 'Page.screencastFrame')
      void show(page, params.data).then(() =>
        send('Page.screencastFrameAck', { sessionId: params.sessionId }, sessionId),
      )
  }

  devtools = await openDevtools(chromium, onEvent)
  devtools.closed.then(() => {
    for (const sessionId of [...pages.keys()]) forget(sessionId)
  })
  await devtools.send('Target.setAutoAttach', everyPage)
  return { ended: devtools.closed, close: devtools.close }
}
