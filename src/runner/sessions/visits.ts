// Commands at a gateway that does not own the session. A resource that every gateway reaches is used from here, and its
// owner meters it. For any other, the command runs at the owner; its idempotency key, its job and the answer to its
// caller stay at the gateway that was asked.
import { type Catalog, splitId } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import { type DefineErrand, elsewhere, lostContact, placeOf } from '#core/gateways/elsewhere.ts'
import type { Clock } from '#core/ports.ts'
import { withDeadline } from '#platform/deadline.ts'
import { didNotEnd } from '../execute/did-not-end.ts'
import { contextOf, gone, kindOf } from './kinds.ts'
import type { SessionRow, SessionRows } from './session-rows.ts'
import {
  runTask,
  type SessionTask,
  type TaskResult,
  type TaskTransfer,
  taskTimeoutMs,
} from './task.ts'

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
    if (entry === undefined) throw elsewhere({ gateway: row.gatewayId })
    const timeoutMs = taskTimeoutMs(task)
    await rows.visit(row.id, clock.now() + timeoutMs)
    try {
      return await withDeadline(
        { late: didNotEnd, timeoutMs, outer: cancelled },
        async (signal) => {
          const context = contextOf(entry, row, { signal, clock })
          const resource = await kindOf(entry).adopt(context, rows.stateOf(row))
          // Its owner notices that it is gone, and ends the session.
          if (resource === undefined) throw gone()
          return await runTask(resource, task, signal)
        },
      )
    } catch (thrown) {
      const state = (await rows.get(row.id))?.state
      throw state === 'closing' || state === 'closed' ? gone() : thrown
    }
  }
}

type RunCommand = (
  row: SessionRow,
  task: SessionTask,
  cancelled?: AbortSignal,
) => Promise<TaskResult>

interface CommandOrder {
  readonly sessionId: string
  readonly command: Omit<SessionTask, 'transfer' | 'onOutput'>
  readonly transfer: Omit<TaskTransfer, 'store'> | undefined
}

/** Output as it comes. */
interface OutputPart {
  readonly name: 'stdout' | 'stderr'
  readonly base64: string
}

export function createCommandsElsewhere({
  defineErrand,
  rows,
  filesOf,
  runHere,
  stopping,
}: {
  readonly defineErrand: DefineErrand
  readonly rows: Pick<SessionRows, 'get'>
  readonly filesOf: OpenCallerFiles
  readonly runHere: RunCommand
  readonly stopping: AbortSignal
}): RunCommand {
  const errand = defineErrand('session-command', async (sent, { signal, onPart }) => {
    const { sessionId, command, transfer } = sent as CommandOrder
    const row = await rows.get(sessionId)
    if (row === undefined) throw gone()
    const store = transfer && filesOf(transfer.caller, undefined)
    const task = {
      ...command,
      ...(transfer && store && { transfer: { ...transfer, store } }),
      onOutput: (name, part) =>
        onPart({ name, base64: Buffer.from(part).toString('base64') } satisfies OutputPart),
    } as SessionTask
    return await runHere(row, task, signal).catch((thrown) => {
      // What the stop of this gateway has ended may have had its effects.
      throw stopping.aborted
        ? lostContact(thrown, { message: toCallError(thrown).message })
        : thrown
    })
  })

  return async (row, task, cancelled) => {
    try {
      return await runHere(row, task, cancelled)
    } catch (thrown) {
      const place = placeOf(thrown)
      if (place === undefined) throw thrown
      const { transfer, onOutput, ...command } = task
      const { store: _, ...order } = transfer ?? {}
      const signal = AbortSignal.any(cancelled === undefined ? [stopping] : [stopping, cancelled])
      const sent = { sessionId: row.id, command, transfer: transfer && order }
      const onPart = (part: unknown) => {
        const { name, base64 } = part as OutputPart
        onOutput?.(name, Buffer.from(base64, 'base64'))
      }
      return (await errand.send(place, sent, { signal, onPart })) as TaskResult
    }
  }
}
