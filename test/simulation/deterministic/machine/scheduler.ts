// Virtual time. Everything that waits is an event of a process. Events run one after the other, each with all that
// follows from it at once, so a seed decides the whole order.
import { createQueue } from './event-queue.ts'

/** What can be killed or stalled by itself: a gateway, a caller, the database server. */
export interface Process {
  readonly name: string
  /** A dead process runs nothing more, and nothing that it does has an effect. */
  isDead: boolean
  /** Until then it stands still: its processor is busy elsewhere. */
  stalledUntilMs: number
  /** What its clock is ahead of the true time. */
  clockAheadMs: number
}

export interface Timer {
  isCancelled: boolean
}

export interface ScheduledEvent {
  readonly atMs: number
  readonly order: number
  readonly process: Process
  readonly run: () => unknown
  readonly timer: Timer
}

export interface Scheduler {
  nowMs(): number
  /** The process whose event runs. */
  current(): Process
  after(process: Process, delayMs: number, run: () => unknown): Timer
  /** Runs events until the condition holds. False: there were none left, or it took more than `eventsMax`. */
  runUntil(condition: () => boolean, eventsMax: number): Promise<boolean>
  eventsRun(): number
}

export const createProcess = (name: string): Process => ({
  name,
  isDead: false,
  stalledUntilMs: 0,
  clockAheadMs: 0,
})

/** `settle` resolves when everything that can go on without another event has gone on. */
export function createScheduler(startsAtMs: number, settle: () => Promise<void>): Scheduler {
  const queue = createQueue<ScheduledEvent>()
  const outside = createProcess('outside')
  let nowMs = startsAtMs
  let order = 0
  let eventsRun = 0
  let current = outside

  function add(process: Process, atMs: number, run: () => unknown, timer: Timer) {
    order += 1
    queue.push({ atMs, order, process, run, timer })
  }

  async function runOne(event: ScheduledEvent) {
    nowMs = Math.max(nowMs, event.atMs)
    const { process, timer } = event
    if (timer.isCancelled || process.isDead) return
    if (process.stalledUntilMs > nowMs)
      return add(process, process.stalledUntilMs, event.run, timer)
    eventsRun += 1
    current = process
    await event.run()
    await settle()
    current = outside
  }

  return {
    nowMs: () => nowMs,
    current: () => current,
    after(process, delayMs, run) {
      const timer = { isCancelled: false }
      add(process, nowMs + Math.max(0, delayMs), run, timer)
      return timer
    },
    async runUntil(condition, eventsMax) {
      const last = eventsRun + eventsMax
      while (!condition()) {
        const event = queue.pop()
        if (event === undefined || eventsRun >= last) return false
        await runOne(event)
      }
      return true
    },
    eventsRun: () => eventsRun,
  }
}
