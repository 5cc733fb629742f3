// Limits of one task in a worker thread. A thread can only be stopped from outside, by ending it.
import type { Worker } from 'node:worker_threads'

export interface ThreadLimits {
  /** CPU time of the thread, so that a busy machine does not end honest tasks. */
  readonly cpuMs: number
  /** For a thread that is stuck without using its CPU. */
  readonly wallMs: number
}

const cpuPollMs = 50

/** Ends the worker when a task from now on exceeds a limit. Returns the function that lifts the limits. */
export function limitThread(worker: Worker, { cpuMs, wallMs }: ThreadLimits): () => void {
  let isLifted = false
  const end = () => void (isLifted || worker.terminate())
  const before = worker.cpuUsage()
  const checkCpu = async () => {
    const { user, system } = await worker.cpuUsage(await before)
    if (isLifted) return
    const leftMs = cpuMs - (user + system) / 1_000
    if (leftMs <= 0) end()
    else scheduleCpuCheck(Math.max(leftMs, cpuPollMs))
  }
  // A thread has no CPU time once it has ended.
  const scheduleCpuCheck = (delayMs: number) => {
    cpuTimer = setTimeout(() => checkCpu().catch(() => {}), delayMs)
  }
  let cpuTimer: NodeJS.Timeout | undefined
  before.catch(() => {})
  // No thread uses more CPU time than passes by the clock.
  scheduleCpuCheck(cpuMs)
  const wallTimer = setTimeout(end, wallMs)
  return () => {
    isLifted = true
    clearTimeout(cpuTimer)
    clearTimeout(wallTimer)
  }
}
