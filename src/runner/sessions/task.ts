// A command with its files, as a session runs it.
import type { Caller } from '#core/caller.ts'
import { type FileTransfer, withFiles } from '#core/file-transfer/carry.ts'
import { type CarriedFile, transferTimeoutMs } from '#core/file-transfer/order.ts'
import type { OnOutput, SessionProgram, SessionResource, SessionResult } from '#core/session.ts'

/** A resource ends a command at its timeout. One that does not answer by then is not waited for. */
const answerMarginMs = 10_000
/** Files that a command brings along, and their owner. */
export type TaskTransfer = FileTransfer & { readonly caller: Caller }
/** A command and the files that it brings along. */
export type SessionTask = SessionProgram & {
  readonly transfer?: TaskTransfer | undefined
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

/** The result of a command, as callers read it. */
export function showTaskResult(result: TaskResult) {
  const { stdout, stderr, exitCode, timedOut, truncated, files } = result
  return {
    stdout,
    stderr,
    exit_code: exitCode,
    timed_out: timedOut,
    ...(truncated && { truncated }),
    ...(files && { files }),
  }
}
