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
const changes: readonly string[] = ['Page.frameResized', 'Page.loadEventFired']

interface Shown {
  /** Its first picture is not passed on. */
  readonly isSilent: boolean
  /** Pictures that it has sent. */
  sent: number
  /** The picture that it owes repeats one. Only the page that is shown needs that. */
  owesRepeat: boolean
  isVisible: boolean
  /** Pictures that the viewer has not taken yet. Chromium waits for them. */
  untaken: number
  lost?: NodeJS.Timeout | undefined
}

const canTake = ({ isVisible, untaken }: Shown): boolean => isVisible && untaken === 0

/** `onFrame` gets JPEG pictures. The next one of the same page is taken when its promise has resolved. */
export async function openScreencast(
  chromium: Pick<ConfinedChromium, 'connect' | 'browserPath'>,
  onFrame: (jpeg: Buffer) => Promise<void>,
): Promise<Screencast> {
  // Every page begins with a picture. At the start, only that of the page in front is shown.
  const behind = new Set((await listPages(chromium)).slice(1))
  const pages = new Map<string, Shown>()
  /** The page whose picture was passed on last. */
  let shown = ''
  let devtools: Devtools | undefined
  const send = (method: string, params: object, sessionId: string) =>
    // A page may end at any moment.
    devtools?.send(method, params, sessionId).catch(() => {})

  function start(sessionId: string, page: Shown): void {
    send('Page.startScreencast', frame, sessionId)
    expectPicture(sessionId, page)
  }
  function expectPicture(sessionId: string, page: Shown, isRepeat = false): void {
    page.owesRepeat = isRepeat && (page.lost === undefined || page.owesRepeat)
    page.lost ??= setTimeout(() => {
      page.lost = undefined
      if (!canTake(page) || (page.owesRepeat && shown !== sessionId)) return
      send('Page.stopScreencast', {}, sessionId)
      start(sessionId, page)
    }, pictureWithinMs)
  }
  function forget(sessionId: string): void {
    clearTimeout(pages.get(sessionId)?.lost)
    pages.delete(sessionId)
  }
  async function show(sessionId: string, page: Shown, picture: string): Promise<void> {
    clearTimeout(page.lost)
    page.lost = undefined
    page.sent += 1
    const isFirst = page.sent === 1
    const isShown = !isFirst || !page.isSilent
    page.untaken += 1
    if (isShown) {
      shown = sessionId
      await onFrame(Buffer.from(picture, 'base64'))
    }
    page.untaken -= 1
    // The first picture may be empty, and the page may have loaded before its events were asked for.
    if (isShown && isFirst && pages.has(sessionId)) expectPicture(sessionId, page, true)
  }

  function onEvent(event: DevtoolsEvent): void {
    const { method, params, sessionId = '' } = event
    if (method === 'Target.attachedToTarget' && params.targetInfo.type === 'page') {
      const isSilent = behind.has(params.targetInfo.targetId)
      const page = { isSilent, sent: 0, owesRepeat: false, isVisible: true, untaken: 0 }
      pages.set(params.sessionId, page)
      send('Page.enable', {}, params.sessionId)
      start(params.sessionId, page)
    }
    if (method === 'Target.detachedFromTarget') forget(params.sessionId)
    const page = pages.get(sessionId)
    if (page === undefined) return
    if (method === 'Page.screencastVisibilityChanged') {
      page.isVisible = params.visible
      if (page.isVisible) expectPicture(sessionId, page)
    }
    if (changes.includes(method)) expectPicture(sessionId, page)
    if (method === 'Page.screencastFrame')
      void show(sessionId, page, params.data).then(() =>
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
