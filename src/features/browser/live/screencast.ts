// Pictures of what a rented browser shows: of the page that was used last, and from then on of the page that has changed last.
import type { ConfinedChromium } from '#platform/chromium/confined-chromium.ts'
import { type Devtools, type DevtoolsEvent, listPages, openDevtools } from './devtools.ts'

export interface Screencast {
  /** Resolves when the browser has ended or the screencast was closed. */
  readonly ended: Promise<void>
  close(): void
}

const frame = { format: 'jpeg', quality: 60, maxWidth: 1_280, maxHeight: 800 } as const
const everyPage = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }

/** `onFrame` gets JPEG pictures. The next one of the same page is taken when its promise has resolved. */
export async function openScreencast(
  chromium: Pick<ConfinedChromium, 'connect' | 'browserPath'>,
  onFrame: (jpeg: Buffer) => Promise<void>,
): Promise<Screencast> {
  // Every page begins with a picture. At the start, only that of the page in front is shown.
  const behind = new Set((await listPages(chromium)).slice(1))
  const silent = new Set<string>()
  let devtools: Devtools | undefined
  const send = (method: string, params: object, sessionId: string) =>
    // A page may end at any moment.
    devtools?.send(method, params, sessionId).catch(() => {})

  function onEvent({ method, params, sessionId }: DevtoolsEvent): void {
    if (method === 'Target.attachedToTarget' && params.targetInfo.type === 'page') {
      if (behind.has(params.targetInfo.targetId)) silent.add(params.sessionId)
      send('Page.enable', {}, params.sessionId)
      send('Page.startScreencast', frame, params.sessionId)
    }
    if (method === 'Page.screencastFrame' && sessionId !== undefined) {
      const isShown = !silent.delete(sessionId)
      const taken = isShown ? onFrame(Buffer.from(params.data, 'base64')) : Promise.resolve()
      void taken.then(() =>
        send('Page.screencastFrameAck', { sessionId: params.sessionId }, sessionId),
      )
    }
  }

  devtools = await openDevtools(chromium, onEvent)
  await devtools.send('Target.setAutoAttach', everyPage)
  return { ended: devtools.closed, close: devtools.close }
}
