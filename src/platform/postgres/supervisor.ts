import type { Clock, Log } from '#core/ports.ts'
import { type Exit, OutOfRoomError, type Server } from './server.ts'

const restartsMax = 5
const restartsWindowMs = 5 * 60_000
/** The first restart is immediate. Each further one within the window waits this much longer. */
const restartDelayStepMs = 500
/** While the disk is full, restarts continue at this interval without a limit, until the operator frees space. */
const roomCheckIntervalMs = 2_000

export interface Supervisor {
  stop(): Promise<void>
}

/** Keeps a server running: restarts it when it ends on its own, until that happens too often. */
export async function supervise(dependencies: {
  start(signal: AbortSignal): Promise<Server>
  /** Called once, when the server has failed too often. */
  onCrash: (error: Error) => void
  log: Log
  clock: Clock
}): Promise<Supervisor> {
  const { start, onCrash, log, clock } = dependencies
  const stopping = new AbortController()
  let server: Server | undefined = await start(stopping.signal)

  async function keepRunning(): Promise<void> {
    const restartsMs: number[] = []
    for (;;) {
      const exit = await server?.gone
      if (stopping.signal.aborted) return
      if (exit?.isOutOfRoom) {
        log.error({ ...exit }, 'The PostgreSQL server has ended, because its disk is full.')
        await clock.sleep(roomCheckIntervalMs, stopping.signal)
      } else await countRestart(restartsMs, exit)
      server = await startAgain()
      // If `stop` was called while the server was starting, it saw only the previous server.
      if (stopping.signal.aborted) await server?.stop()
    }
  }

  /** Waits before a restart. Throws when there were too many. */
  async function countRestart(restartsMs: number[], exit: Exit | undefined): Promise<void> {
    const nowMs = clock.now()
    while (nowMs - (restartsMs[0] ?? nowMs) > restartsWindowMs) restartsMs.shift()
    if (restartsMs.length >= restartsMax) {
      throw new Error(
        `The PostgreSQL server was restarted ${restartsMax} times within ${restartsWindowMs / 60_000} minutes and ended each time. Its last messages are in server.log, in the folder of the database files.`,
      )
    }
    log.error({ ...exit }, 'The PostgreSQL server has ended. Restarting it.')
    await clock.sleep(restartsMs.length * restartDelayStepMs, stopping.signal)
    restartsMs.push(nowMs)
  }

  async function startAgain(): Promise<Server | undefined> {
    for (;;) {
      try {
        const restarted = await start(stopping.signal)
        log.info({}, 'The PostgreSQL server is running again.')
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
