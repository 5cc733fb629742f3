import type { Clock, Log } from '#core/ports.ts'
import { OutOfRoomError, type Server } from './server.ts'

const restartsMax = 5
const restartsWindowMs = 5 * 60_000
/** The first restart is at once; each further one within the window waits this much longer. */
const restartDelayStepMs = 500
/** A server that finds no room on its disk is started again this often, without end: room is made by the operator. */
const roomCheckIntervalMs = 2_000

export interface Supervisor {
  stop(): Promise<void>
}

/** Keeps a server running: one that ends on its own is started again, until that happens too often. */
export async function supervise(options: {
  start(signal: AbortSignal): Promise<Server>
  /** Called once, when the server does not stay up. */
  onCrash: (error: Error) => void
  log: Log
  clock: Clock
}): Promise<Supervisor> {
  const { start, onCrash, log, clock } = options
  const stopping = new AbortController()
  let server: Server | undefined = await start(stopping.signal)

  async function keepRunning(): Promise<void> {
    const restartsMs: number[] = []
    for (;;) {
      const exit = await server?.gone
      if (stopping.signal.aborted) return
      const nowMs = clock.now()
      while (nowMs - (restartsMs[0] ?? nowMs) > restartsWindowMs) restartsMs.shift()
      if (restartsMs.length >= restartsMax) {
        throw new Error(
          `The PostgreSQL server was started again ${restartsMax} times within ${restartsWindowMs / 60_000} minutes, and ended each time. Its last words are in server.log, among the database files.`,
        )
      }
      log.error({ ...exit }, 'The PostgreSQL server does not run. It is started again.')
      await clock.sleep(restartsMs.length * restartDelayStepMs, stopping.signal)
      restartsMs.push(nowMs)
      server = await startAgain()
      // `stop` may have come while the server was starting, and then knew only the one before.
      if (stopping.signal.aborted) await server?.stop()
    }
  }

  async function startAgain(): Promise<Server | undefined> {
    for (;;) {
      try {
        const restarted = await start(stopping.signal)
        log.info({}, 'The PostgreSQL server runs again.')
        return restarted
      } catch (error) {
        stopping.signal.throwIfAborted()
        log.error({ err: error }, 'The PostgreSQL server did not start.')
        if (!(error instanceof OutOfRoomError)) return undefined
      }
      await clock.sleep(roomCheckIntervalMs, stopping.signal)
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
