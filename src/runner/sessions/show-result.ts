import type { TaskResult } from './task.ts'

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
