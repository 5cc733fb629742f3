// Threads that parse pages. A page that hangs, overflows or exhausts its thread ends only that thread. The page is then
// parsed again the plain way, which takes linear time.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { MarkupContent, MarkupTask } from '@tollway/reader'
import { limitThread, type ThreadLimits } from './thread-limits.ts'

export interface PageWorkers {
  /** Rejects when the plain way fails too, or when the queue is full. */
  readMarkup(task: MarkupTask): Promise<MarkupContent>
  /** Starts a thread, so that it is ready when the page arrives. */
  warm(): void
  close(): Promise<void>
}

const taskLimits: ThreadLimits = { cpuMs: 3_000, wallMs: 15_000 }
const startLimits: ThreadLimits = { cpuMs: 20_000, wallMs: 20_000 }
const queueMax = 256
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

interface Job {
  readonly task: MarkupTask
  readonly resolve: (page: MarkupContent) => void
  readonly reject: (cause: unknown) => void
}

export function createPageWorkers({
  threads = availableParallelism(),
  limits = taskLimits,
} = {}): PageWorkers {
  const queue: Job[] = []
  const idle = new Set<Worker>()
  const all = new Set<Worker>()
  let closed = false

  function start(): void {
    const worker = startWorker()
    all.add(worker)
    worker.once('exit', () => {
      all.delete(worker)
      idle.delete(worker)
      next()
    })
    untilMessage(worker, startLimits).then(
      () => {
        idle.add(worker)
        next()
      },
      (cause) => queue.shift()?.reject(cause),
    )
  }

  function next(): void {
    if (queue.length === 0 || closed) return
    const [worker] = idle
    if (worker === undefined) {
      if (all.size < threads) start()
      return
    }
    const { task, resolve, reject } = queue.shift() as Job
    idle.delete(worker)
    untilMessage(worker, limits)
      .then((page) => {
        idle.add(worker)
        resolve(page as MarkupContent)
      }, reject)
      .finally(next)
    worker.postMessage(task)
    next()
  }

  function enqueue(task: MarkupTask): Promise<MarkupContent> {
    if (closed || queue.length >= queueMax)
      return Promise.reject(new Error('Too many pages are waiting to be taken apart.'))
    return new Promise((resolve, reject) => {
      queue.push({ task, resolve, reject })
      next()
    })
  }

  return {
    readMarkup: (task) =>
      enqueue(task).catch((cause) => {
        if (closed || task.plain || queue.length >= queueMax) throw cause
        return enqueue({ ...task, plain: true })
      }),
    warm() {
      if (!closed && all.size === 0) start()
    },
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(new Error('The gateway is stopping.'))
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./page-worker.ts', import.meta.url), { resourceLimits })
  worker.unref()
  // An error during a task rejects that task. Without this listener, an error between tasks would end the process.
  worker.on('error', () => {})
  return worker
}

/** Resolves with the next message of the thread, which is ended if it exceeds its limits before. */
function untilMessage(worker: Worker, limits: ThreadLimits): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const liftLimits = limitThread(worker, limits)
    const settle = (finish: () => void) => {
      liftLimits()
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      finish()
    }
    const onMessage = (message: unknown) => settle(() => resolve(message))
    const onError = (cause: unknown) => settle(() => reject(cause))
    const onExit = () => settle(() => reject(new Error('The page took its thread down.')))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}
