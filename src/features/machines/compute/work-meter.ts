// What a box is charged for that costs nothing while it is idle: the processor time of all its processes, those in the
// background included, and its memory for as long as it works.
import type { Clock } from '#core/ports.ts'
import type { Usage } from '#core/session.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'

export interface WorkMeter {
  /** The most that one second of the wall clock adds. */
  readonly perSecond: Usage
  /** A command begins. Call the answer when it has ended. */
  begin(): () => void
  /** Since the meter was made. */
  read(): Promise<Usage>
  /** What runs in it, and when the processor time was last seen to have grown. */
  background(): Promise<{ readonly programs: number; readonly workedAtMs: number }>
  /** The box is about to end: later readings say what it had used by now. */
  stop(): Promise<void>
}

export function createWorkMeter(
  box: Pick<StandingBox, 'processorSeconds' | 'programs' | 'size'>,
  clock: Clock,
): WorkMeter {
  const { processors, gigabytes } = box.size
  const busy = createBusyTime(clock)
  // Opening the box and filling its folder are not the work of its caller.
  const before = box.processorSeconds().catch(() => 0)
  let used = 0
  let workedAtMs = clock.now()

  async function count(): Promise<void> {
    const seconds = (await box.processorSeconds()) - (await before)
    if (seconds <= used) return
    used = seconds
    workedAtMs = clock.now()
  }

  return {
    perSecond: { cpu: processors, gigabyte: gigabytes },
    begin: busy.begin,
    async read() {
      await count().catch(() => {})
      // With no command under way, the processor tells how long it has worked at least.
      const workedSeconds = Math.max(busy.seconds(), used / processors)
      return { cpu: used, gigabyte: gigabytes * workedSeconds }
    },
    async background() {
      await count()
      return { programs: await box.programs(), workedAtMs }
    },
    stop: () => count().catch(() => {}),
  }
}

/** The time in which at least one command was under way. */
function createBusyTime(clock: Clock) {
  let running = 0
  let since = 0
  let totalMs = 0
  return {
    begin() {
      if (running === 0) since = clock.now()
      running += 1
      return () => {
        running -= 1
        if (running === 0) totalMs += clock.now() - since
      }
    },
    seconds: () => (totalMs + (running > 0 ? clock.now() - since : 0)) / 1_000,
  }
}
