// Boxes for tests.
import { systemClock } from '#platform/clock.ts'
import { createStandingBoxes } from '#platform/sandbox/standing-boxes.ts'

/** What this machine lacks to confine programs; undefined if it lacks nothing. */
export async function missingForBoxes(): Promise<string | undefined> {
  const boxes = createStandingBoxes({ clock: systemClock })
  return await boxes.missing().finally(boxes.close)
}
