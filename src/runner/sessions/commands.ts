// Commands in sessions.
import { CallError, fail } from '#core/errors.ts'
import { type FileTransfer, withFiles } from '#core/file-transfer/carry.ts'
import { type CarriedFile, transferTimeoutMs } from '#core/file-transfer/order.ts'
import type { Clock } from '#core/ports.ts'
import type { OnOutput, SessionProgram, SessionResource, SessionResult } from '#core/session.ts'
import { withDeadline } from '../execute/deadline.ts'
import type { Endings } from './endings.ts'
import { gone, type OwnSessions } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { SessionRow } from './session-rows.ts'

/** A resource ends a command at its timeout. One that does not answer by then is not waited for. */
const answerMarginMs = 10_000
/** Commands that run side by side in one session. */
const commandsAtOnceMax = 32

/** A command and the files that it brings along. */
export type SessionTask = SessionProgram & {
  readonly transfer?: FileTransfer | undefined
  readonly onOutput?: OnOutput | undefined
}

export type TaskResult = SessionResult & { readonly files?: readonly CarriedFile[] }

/** The longest that a task may take. */
export const taskTimeoutMs = ({ timeoutMs, transfer }: SessionTask) =>
  timeoutMs + answerMarginMs + (transfer === undefined ? 0 : transferTimeoutMs)

export async function runTask(
  resource: SessionResource,
  { transfer, onOutput, ...program }: SessionTask,
  signal: AbortSignal,
): Promise<TaskResult> {
  const language =
    ('code' in program ? program.language : undefined) ?? resource.codeLanguage ?? 'python'
  const command = 'code' in program ? { ...program, language } : program
  const work = () => resource.run(command, signal, onOutput)
  return transfer === undefined
    ? await work()
    : await withFiles(resource.files, transfer, signal, work)
}

export function createCommands({
  clock,
  own: { lives, coming },
  endings,
  resume,
  visit,
  stopping,
}: {
  clock: Clock
  own: OwnSessions
  endings: Endings
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
      return await withDeadline({ timeoutMs, outer }, (signal) =>
        runTask(live.resource, task, signal),
      )
    } catch (thrown) {
      if (live.ended.signal.aborted) throw gone()
      if (thrown instanceof CallError) throw thrown
      if (await live.isAlive()) throw thrown
      await endings.closeNow(live.id, 'lost')
      throw gone()
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
