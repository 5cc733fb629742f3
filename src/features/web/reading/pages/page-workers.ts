// Threads that parse pages. A page that takes its thread down is parsed again the plain way, which takes linear time.
import { availableParallelism } from 'node:os'
import type { MarkupContent, MarkupTask } from '@tollway/reader'
import type { ThreadLimits } from '#platform/threads/thread-limits.ts'
import {
  createThreadPool,
  type ThreadAsker,
  ThreadLost,
  type ThreadPool,
} from '#platform/threads/thread-pool.ts'

export interface PageWorkers extends Pick<ThreadPool<unknown, unknown>, 'warm' | 'close'> {
  /** Rejects when the plain way fails too, when the queue is full, or when the call ends while the page waits. */
  readMarkup(task: MarkupTask, asker?: ThreadAsker): Promise<MarkupContent>
}

const taskLimits: ThreadLimits = { cpuMs: 3_000, wallMs: 15_000 }
const queueMax = 256

export function createPageWorkers({
  threads = availableParallelism(),
  limits = taskLimits,
} = {}): PageWorkers {
  const script = new URL('./page-worker.ts', import.meta.url)
  const { run, ...pool } = createThreadPool<MarkupTask, MarkupContent>({
    script,
    threads,
    limits,
    queueMax,
  })
  return {
    ...pool,
    readMarkup: (task, asker) =>
      run(task, asker).catch((cause) => {
        if (!(cause instanceof ThreadLost) || task.plain) throw cause
        return run({ ...task, plain: true }, asker)
      }),
  }
}
