// Commands in sessions.
import { CallError, fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { withDeadline } from '#platform/deadline.ts'
import { didNotEnd } from '../execute/did-not-end.ts'
import { gone, type OwnSessions } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { Pauses } from './pauses.ts'
import type { SessionRow } from './session-rows.ts'
import { runTask, type SessionTask, type TaskResult, taskTimeoutMs } from './task.ts'

/** Commands that run side by side in one session. */
const commandsAtOnceMax = 32

export function createCommands({
  clock,
  own: { lives, coming },
  pauses,
  resume,
  visit,
  stopping,
}: {
  clock: Clock
  own: OwnSessions
  pauses: Pick<Pauses, 'lose'>
  resume: (row: SessionRow) => Promise<LiveSession>
  visit: (row: SessionRow, task: SessionTask, cancelled?: AbortSignal) => Promise<TaskResult>
  /** The gateway stops: its commands end, and its sessions stay. */
  stopping: AbortSignal
}) {
  async function runIn(
    live: LiveSession,
    task: SessionTask,
    cancelled: AbortSignal | undefined,
  ): Promise<TaskResult> {
    if (live.running >= commandsAtOnceMax) throw tooManyCommands()
    live.running += 1
    live.lastUsedAtMs = clock.now()
    try {
      const outer = AbortSignal.any([
        live.ended.signal,
        stopping,
        ...(cancelled ? [cancelled] : []),
      ])
      outer.throwIfAborted()
      const timeoutMs = taskTimeoutMs(task)
      return await withDeadline({ late: didNotEnd, timeoutMs, outer }, (signal) =>
        runTask(live.resource, task, signal),
      )
    } catch (thrown) {
      live.ended.signal.throwIfAborted()
      if (thrown instanceof CallError && thrown.code !== 'session_closed') throw thrown
      if (await live.isAlive()) throw thrown
      await live.inTurn(() => pauses.lose(live))
      throw live.ended.signal.reason ?? gone()
    } finally {
      live.running -= 1
      live.lastUsedAtMs = clock.now()
    }
  }

  return async function run(
    row: SessionRow,
    task: SessionTask,
    cancelled?: AbortSignal,
  ): Promise<TaskResult> {
    const suspending = lives.get(row.id)
    if (suspending?.isSuspending) await suspending.inTurn(async () => {})
    const live = lives.get(row.id)
    if (live !== undefined) return await runIn(live, task, cancelled)
    const isVisited = row.state === 'open' && row.machine === null && !coming.has(row.id)
    return isVisited
      ? await visit(row, task, cancelled)
      : await runIn(await resume(row), task, cancelled)
  }
}

const tooManyCommands = () =>
  fail('too_many_inflight', {
    message: `This session runs ${commandsAtOnceMax} commands already. Wait for one to finish.`,
    retryAfterSeconds: 1,
  })
