// The boxes of this machine: opened up to a limit, and none where the machine cannot confine programs.
import { fail } from '#core/errors.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import type { StandingBoxes } from '#platform/sandbox/standing-boxes.ts'

export interface Machine {
  /** Throws `unavailable` when all boxes are taken. */
  open(signal: AbortSignal): Promise<StandingBox>
}

const retryAfterSeconds = 30

export function createMachine({
  boxes,
  boxesMax,
}: {
  boxes: StandingBoxes
  boxesMax: number
}): Machine {
  let opening = 0
  return {
    async open(signal) {
      if (boxes.count() + opening >= boxesMax)
        throw fail('unavailable', {
          message:
            'All boxes of this machine are in use. Nothing was charged; close one of yours, or try again shortly.',
          retryAfterSeconds,
        })
      opening += 1
      try {
        return await boxes.open(signal)
      } catch (cause) {
        signal.throwIfAborted()
        throw fail('unavailable', {
          message: 'No box could be opened. Nothing was charged; try again shortly.',
          retryAfterSeconds,
          cause,
        })
      } finally {
        opening -= 1
      }
    },
  }
}
