// One running Chromium of a session, with its connections.
import type { Socket } from 'node:net'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { ConfinedChromium } from '#platform/chromium/confined-chromium.ts'
import { connectionsPerBrowserMax, reconnectWithinMs, viewersPerBrowserMax } from './limits.ts'
import { openScreencast, type Screencast } from './live/screencast.ts'

export interface LiveBrowser {
  readonly chromium: ConfinedChromium
  /** Rejects when the browser ends before it answers. */
  enter(greeting: (path: string) => string): Promise<Socket>
  /** Throws `too_many_inflight`. */
  look(onFrame: (jpeg: Buffer) => Promise<void>): Promise<Screencast>
  /** Resolves at this time, or when something has changed. */
  pause(untilMs: number): Promise<void>
  wake(): void
  stop(): void
  isStopped(): boolean
  /** Whether its clients have left for good. */
  isForsaken(): boolean
}

export function createLiveBrowser({
  chromium,
  keepAlive,
  clock,
}: {
  readonly chromium: ConfinedChromium
  readonly keepAlive: boolean
  readonly clock: Clock
}): LiveBrowser {
  let connections = 0
  let leftAtMs: number | undefined
  let isStopped = false
  let waiting = new AbortController()
  const forsakenAtMs = () =>
    keepAlive || leftAtMs === undefined ? Number.POSITIVE_INFINITY : leftAtMs + reconnectWithinMs

  function leave() {
    connections -= 1
    if (connections > 0) return
    leftAtMs = clock.now()
    waiting.abort()
  }

  return {
    chromium,
    async enter(greeting) {
      if (connections >= connectionsPerBrowserMax)
        throw fail('too_many_inflight', {
          message: `This browser has ${connectionsPerBrowserMax} connections, the most at once. Close one.`,
        })
      connections += 1
      leftAtMs = undefined
      const socket = await chromium.connect().catch((thrown) => {
        leave()
        throw thrown
      })
      socket.once('close', leave)
      socket.write(greeting(chromium.browserPath))
      await untilAnswer(socket)
      return socket
    },
    look: createViews(chromium),
    async pause(untilMs) {
      const until = Math.min(untilMs, forsakenAtMs())
      await clock.sleep(Math.max(0, until - clock.now()), waiting.signal).catch(() => {})
      waiting = new AbortController()
    },
    wake: () => waiting.abort(),
    stop() {
      isStopped = true
      waiting.abort()
    },
    isStopped: () => isStopped,
    isForsaken: () => clock.now() >= forsakenAtMs(),
  }
}

/** Screencasts of one browser, up to the limit on viewers. */
function createViews(chromium: ConfinedChromium): LiveBrowser['look'] {
  let viewers = 0
  const leave = () => {
    viewers -= 1
  }
  return async (onFrame) => {
    if (viewers >= viewersPerBrowserMax)
      throw fail('too_many_inflight', {
        message: `${viewersPerBrowserMax} viewers look on at this browser, the most at once.`,
      })
    viewers += 1
    const screencast = await openScreencast(chromium, onFrame).catch((thrown) => {
      leave()
      throw fail('session_closed', { cause: thrown })
    })
    screencast.ended.then(leave)
    return screencast
  }
}

/** Resolves at the first bytes, and leaves them to be read. Rejects when the connection ends before. */
function untilAnswer(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('The browser has ended.'))
    socket.once('close', onClose)
    socket.once('data', (chunk) => {
      socket.off('close', onClose)
      socket.pause()
      socket.unshift(chunk)
      resolve()
    })
  })
}
