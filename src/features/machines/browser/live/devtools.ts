// A client of DevTools with a connection of its own. The renter's clients do not notice it.
import { Agent, request, WebSocket } from 'undici'
import type { ConfinedChromium } from '#platform/chromium/confined-chromium.ts'

/** The events that screencasts read, with the parameters that they read. */
export type DevtoolsEvent = { readonly sessionId?: string } & (
  | {
      readonly method: 'Target.attachedToTarget'
      readonly params: {
        readonly sessionId: string
        readonly targetInfo: { readonly type: string; readonly targetId: string }
      }
    }
  | {
      readonly method: 'Target.detachedFromTarget'
      readonly params: { readonly sessionId: string }
    }
  | {
      readonly method: 'Page.screencastVisibilityChanged'
      readonly params: { readonly visible: boolean }
    }
  | {
      readonly method: 'Page.screencastFrame'
      readonly params: { readonly data: string; readonly sessionId: number }
    }
  | { readonly method: 'Page.frameResized' | 'Page.loadEventFired'; readonly params: object }
)

export interface Devtools {
  send(method: string, params?: object, sessionId?: string): Promise<unknown>
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>
  close(): void
}

interface Reply {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const createDispatcher = (chromium: Pick<ConfinedChromium, 'connect'>) =>
  new Agent({
    connect: (_options, callback) => {
      chromium.connect().then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
    },
  })

/** The ids of the open pages, the one that was used last first. */
export async function listPages(chromium: Pick<ConfinedChromium, 'connect'>): Promise<string[]> {
  const dispatcher = createDispatcher(chromium)
  try {
    const { body } = await request('http://127.0.0.1/json/list', { dispatcher })
    const targets: readonly { readonly id: string; readonly type: string }[] = JSON.parse(
      await body.text(),
    )
    return targets.filter(({ type }) => type === 'page').map(({ id }) => id)
  } finally {
    await dispatcher.destroy()
  }
}

export async function openDevtools(
  chromium: Pick<ConfinedChromium, 'connect' | 'browserPath'>,
  onEvent: (event: DevtoolsEvent) => void,
): Promise<Devtools> {
  const dispatcher = createDispatcher(chromium)
  const socket = new WebSocket(`ws://127.0.0.1${chromium.browserPath}`, { dispatcher })
  const waiting = new Map<number, { resolve(result: unknown): void; reject(reason: Error): void }>()
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => {
      for (const { reject } of waiting.values()) reject(new Error('The browser has ended.'))
      void dispatcher.destroy()
      resolve()
    })
  })
  socket.addEventListener('message', ({ data }) => {
    const message: Reply & DevtoolsEvent = JSON.parse(String(data))
    if (message.id === undefined) return onEvent(message)
    const known = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) known?.resolve(message.result)
    else known?.reject(new Error(message.error.message))
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('The browser has ended.')))
  })
  let last = 0
  return {
    closed,
    close: () => socket.close(),
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        socket.send(JSON.stringify({ id: last, method, params, sessionId }))
      }),
  }
}
