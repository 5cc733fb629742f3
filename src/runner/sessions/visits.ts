// Commands at a gateway that does not own the session, for resources that every gateway reaches. The owner meters them.
import { type Catalog, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { withDeadline } from '../execute/deadline.ts'
import { contextOf, gone, kindOf } from './kinds.ts'
import type { SessionRow, SessionRows } from './session-rows.ts'
import { runTask, type SessionTask, type TaskResult, taskTimeoutMs } from './task.ts'

export function createVisits({
  catalog,
  rows,
  clock,
}: {
  catalog: Pick<Catalog, 'find'>
  rows: Pick<SessionRows, 'get' | 'visit' | 'stateOf'>
  clock: Clock
}) {
  return async function visit(
    row: SessionRow,
    task: SessionTask,
    cancelled?: AbortSignal,
  ): Promise<TaskResult> {
    const entry = catalog.find(...splitId(row.action))
    if (entry === undefined) throw fail('session_elsewhere')
    const timeoutMs = taskTimeoutMs(task)
    await rows.visit(row.id, clock.now() + timeoutMs)
    try {
      return await withDeadline({ timeoutMs, outer: cancelled }, async (signal) => {
        const context = contextOf(entry, row, { signal, clock })
        const resource = await kindOf(entry).adopt(context, rows.stateOf(row))
        // Its owner notices that it is gone, and ends the session.
        if (resource === undefined) throw gone()
        return await runTask(resource, task, signal)
      })
    } catch (thrown) {
      const state = (await rows.get(row.id))?.state
      throw state === 'closing' || state === 'closed' ? gone() : thrown
    }
  }
}
