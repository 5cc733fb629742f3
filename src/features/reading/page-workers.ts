// Threads that take pages apart. A page that hangs, overflows or exhausts its thread costs that thread and nothing else:
// it is read again the plain way, which takes linear time.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ShapedPage, ShapeTask } from './shape.ts'

export interface PageWorkers {
  /** Rejects when the page defeats the plain way too, or the queue is full. */
  shape(task: ShapeTask): Promise<ShapedPage>
  /** Starts a thread, so that it is there when the page arrives. */
  warm(): void
  close(): Promise<void>
}

const taskTimeoutMs = 3_000
const startTimeoutMs = 20_000
const queueMax = 256
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

interface Job {
  readonly task: ShapeTask
  readonly resolve: (page: ShapedPage) => void
  readonly reject: (cause: Error) => void
}

export function createPageWorkers({ threads = availableParallelism() } = {}): PageWorkers {
  const queue: Job[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let closed = false

  function start(): void {
    const worker = new Worker(new URL('./page-worker.ts', import.meta.url), { resourceLimits })
    worker.unref()
    all.add(worker)
    const timer = setTimeout(() => worker.terminate(), startTimeoutMs).unref()
    const onEnd = () => {
      clearTimeout(timer)
      all.delete(worker)
      queue.shift()?.reject(new Error('No thread for reading pages could be started.'))
      next()
    }
    worker.once('exit', onEnd)
    worker.once('error', () => {})
    worker.once('message', () => {
      clearTimeout(timer)
      worker.off('exit', onEnd)
      worker.once('exit', () => forget(worker))
      idle.push(worker)
      next()
    })
  }

  function forget(worker: Worker): void {
    all.delete(worker)
    const index = idle.indexOf(worker)
    if (index !== -1) idle.splice(index, 1)
  }

  function next(): void {
    if (queue.length === 0 || closed) return
    const worker = idle.pop()
    if (worker === undefined) {
      if (all.size < threads) start()
      return
    }
    const job = queue.shift() as Job
    perform(worker, job)
    next()
  }

  function perform(worker: Worker, { task, resolve, reject }: Job): void {
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      finish()
      next()
    }
    const onMessage = (page: ShapedPage) => {
      idle.push(worker)
      settle(() => resolve(page))
    }
    const onError = (cause: Error) => settle(() => reject(cause))
    const onExit = () => settle(() => reject(new Error('The page took its thread down.')))
    const timer = setTimeout(() => worker.terminate(), taskTimeoutMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(task)
  }

  function enqueue(task: ShapeTask): Promise<ShapedPage> {
    if (closed || queue.length >= queueMax)
      return Promise.reject(new Error('Too many pages are waiting to be taken apart.'))
    return new Promise((resolve, reject) => {
      queue.push({ task, resolve, reject })
      next()
    })
  }

  return {
    shape: (task) =>
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
