// Writes down what one browser shows, until it ends.
import type { Clock } from '#core/ports.ts'
import type { ConfinedChromium } from '#platform/chromium/confined-chromium.ts'
import { openScreencast } from '../live/screencast.ts'
import { createFramesFile } from './frames-file.ts'
import { framesPerSecond } from './limits.ts'

export interface RecorderOptions {
  readonly chromium: Pick<ConfinedChromium, 'connect' | 'browserPath'>
  /** The file to write, which must not exist. */
  readonly place: string
  readonly untilMs: number
  readonly bytesMax: number
  readonly clock: Clock
  /** The recorder calls it when all that the browser shows from now on is written. */
  readonly onBegun: () => void
}

const intervalMs = 1_000 / framesPerSecond

/** Resolves when the browser has ended or a limit is reached. Rejects when nothing can be recorded. */
export async function record(options: RecorderOptions): Promise<void> {
  const { chromium, place, untilMs, bytesMax, clock, onBegun } = options
  const file = await createFramesFile(place)
  const stopping = new AbortController()
  let latest: Buffer | undefined
  let nextAtMs = 0
  let bytes = 0
  let writing = Promise.resolve()

  async function writeLatest() {
    const early = Math.min(intervalMs, nextAtMs - clock.now())
    if (early > 0) await clock.sleep(early, stopping.signal).catch(() => {})
    const jpeg = latest ?? Buffer.alloc(0)
    latest = undefined
    nextAtMs = clock.now() + intervalMs
    bytes = await file.add({ atMs: clock.now(), jpeg })
  }

  const full = Promise.withResolvers<void>()
  try {
    const screencast = await openScreencast(chromium, async (jpeg) => {
      const isWaiting = latest !== undefined
      latest = jpeg
      if (!isWaiting) writing = writing.then(writeLatest)
      // A disk that is full ends the recording, and not the session.
      await writing.catch(full.resolve)
      if (bytes >= bytesMax || clock.now() >= untilMs) full.resolve()
    })
    full.promise.then(screencast.close)
    onBegun()
    await screencast.ended
    stopping.abort()
    await writing
    if (bytes > 0) await file.add({ atMs: clock.now(), jpeg: Buffer.alloc(0) })
  } finally {
    await file.close()
  }
}
