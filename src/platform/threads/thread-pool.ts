// Threads for work on what strangers sent. A task that hangs, overflows or exhausts its thread ends only that thread.
import { Worker } from 'node:worker_threads'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { limitThread, type ThreadLimits } from './thread-limits.ts'

export interface ThreadPool<Task, Result> {
  /**
   * Rejects with ThreadsBusy when the queue is full or the pool is closed, with ThreadLost when the task took its
   * thread down, and as the signal says when it was ended before its turn. Any other error says that no thread could be
   * started.
   */
  run(task: Task, asker?: ThreadAsker): Promise<Result>
  /** Starts a thread, so that it is ready when the task arrives. */
  warm(): void
  /** Rejects the tasks that wait, and ends the threads. */
  close(): Promise<void>
}

/** For whom a task is done. */
export interface ThreadAsker {
  /** Who pays. Owners take turns: one with many tasks does not delay the others by all of them. */
  readonly owner?: string | undefined
  /** Ends the task while it waits. */
  readonly signal?: AbortSignal | undefined
}

export class ThreadsBusy extends Error {}

export class ThreadLost extends Error {}

export interface ThreadPoolOptions {
  /**
   * The module that a thread runs. It posts a message once it is ready, and one for each task, which it does one at a
   * time.
   */
  readonly script: URL
  readonly threads: number
  readonly limits: ThreadLimits
  readonly queueMax: number
}

const startLimits: ThreadLimits = { cpuMs: 20_000, wallMs: 20_000 }
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

interface Job<Task, Result> {
  readonly task: Task
  readonly resolve: (result: Result) => void
  readonly reject: (cause: unknown) => void
  /** Stops listening to its signal. */
  readonly begin: () => void
}

export function createThreadPool<Task, Result>({
  script,
  threads,
  limits,
  queueMax,
}: ThreadPoolOptions): ThreadPool<Task, Result> {
  const queue = createFairQueue<Job<Task, Result>>()
  const idle = new Set<Worker>()
  const all = new Set<Worker>()
  let closed = false

  function start(): void {
    const worker = startWorker(script)
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
      (cause) => {
        const job = queue.shift()
        job?.begin()
        job?.reject(cause)
      },
    )
  }

  function next(): void {
    if (queue.size === 0 || closed) return
    const [worker] = idle
    if (worker === undefined) {
      if (all.size < threads) start()
      return
    }
    const { task, resolve, reject, begin } = queue.shift() as Job<Task, Result>
    begin()
    idle.delete(worker)
    untilMessage(worker, limits)
      .then((result) => {
        idle.add(worker)
        resolve(result as Result)
      }, loseThread(reject))
      .finally(next)
    worker.postMessage(task)
    next()
  }

  return {
    async run(task, { owner = '', signal } = {}) {
      signal?.throwIfAborted()
      if (closed) throw new ThreadsBusy('The gateway is stopping.')
      makeRoom(queue, owner, queueMax)
      const result = enqueue(queue, task, { owner, signal })
      next()
      return await result
    },
    warm() {
      if (!closed && all.size === 0) start()
    },
    async close() {
      closed = true
      for (const job of queue.clear()) job.reject(new ThreadsBusy('The gateway is stopping.'))
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

/** Throws ThreadsBusy. A full queue has room for an owner who has less in it than another. */
function makeRoom<Task, Result>(
  queue: FairQueue<Job<Task, Result>>,
  owner: string,
  queueMax: number,
): void {
  if (queue.size < queueMax) return
  const busy = new ThreadsBusy('Too many tasks wait for a thread.')
  if (queue.waitingOf(owner) + 1 >= queue.largest) throw busy
  queue.popOfLargest()?.reject(busy)
}

function enqueue<Task, Result>(
  queue: FairQueue<Job<Task, Result>>,
  task: Task,
  { owner, signal }: { readonly owner: string; readonly signal: AbortSignal | undefined },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      if (queue.remove(owner, job)) reject(signal?.reason)
    }
    const begin = () => signal?.removeEventListener('abort', leave)
    const job: Job<Task, Result> = { task, resolve, reject, begin }
    signal?.addEventListener('abort', leave, { once: true })
    queue.push(owner, job)
  })
}

const loseThread = (reject: (cause: unknown) => void) => (cause: unknown) =>
  reject(new ThreadLost('The task took its thread down.', { cause }))

function startWorker(script: URL): Worker {
  const worker = new Worker(script, { resourceLimits })
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
    const onExit = () => settle(() => reject(new Error('The thread ended.')))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}
