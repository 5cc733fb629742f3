import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#core/ports.ts'
import type { Server } from './server.ts'

const restartsMax = 5
const restartsWindowMs = 5 * 60_000
/** The first restart is at once; each further one within the window waits this much longer. */
const restartDelayStepMs = 500

export interface Supervisor {
  stop(): Promise<void>
}

/** Keeps a server running: one that ends on its own is started again, until that happens too often. */
export async function supervise(options: {
  start(signal: AbortSignal): Promise<Server>
  /** Called once, when the server does not stay up. */
  onCrash: (error: Error) => void
  log: Log
}): Promise<Supervisor> {
  const { start, onCrash, log } = options
  const stopping = new AbortController()
  let server: Server | undefined = await start(stopping.signal)

  async function keepRunning(): Promise<void> {
    const restartsMs: number[] = []
    for (;;) {
      await server?.gone
      if (stopping.signal.aborted) return
      const nowMs = performance.now()
      while (nowMs - (restartsMs[0] ?? nowMs) > restartsWindowMs) restartsMs.shift()
      if (restartsMs.length >= restartsMax) {
        throw new Error(
          `The PostgreSQL server ended ${restartsMax + 1} times within ${restartsWindowMs / 60_000} minutes and is not started again.`,
        )
      }
      log.error(
        { pid: server?.pid },
        'The PostgreSQL server ended on its own. It is started again.',
      )
      await delay(restartsMs.length * restartDelayStepMs, undefined, { signal: stopping.signal })
      restartsMs.push(nowMs)
      server = await start(stopping.signal).catch((error: Error) => {
        stopping.signal.throwIfAborted()
        log.error({ err: error }, 'The PostgreSQL server did not start.')
        return undefined
      })
      // `stop` may have come while the server was starting, and then knew only the one before.
      if (stopping.signal.aborted) await server?.stop()
    }
  }

  const running = keepRunning().catch((error: Error) => {
    if (stopping.signal.aborted) return
    log.error({ err: error }, error.message)
    onCrash(error)
  })

  return {
    async stop() {
      stopping.abort()
      await server?.stop()
      await running
    },
  }
}
