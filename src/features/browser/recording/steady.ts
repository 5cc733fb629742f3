// Pictures that came at any time, as those of a film of a steady rate.
import type { TimedFrame } from './frames-file.ts'

/** Each picture stays until the next one. Of several in one interval, the last is shown. Yields `framesMax` at most. */
export async function* makeSteady(
  frames: AsyncIterable<TimedFrame>,
  { intervalMs, framesMax }: { readonly intervalMs: number; readonly framesMax: number },
): AsyncGenerator<Buffer, void> {
  let shown: Buffer | undefined
  let startMs = 0
  let count = 0
  for await (const { atMs, jpeg } of frames) {
    if (shown === undefined) startMs = atMs
    else
      for (const due = Math.floor((atMs - startMs) / intervalMs); count < due; count += 1) {
        if (count >= framesMax) return
        yield shown
      }
    if (jpeg.length > 0) shown = jpeg
  }
  if (shown !== undefined && count < framesMax) yield shown
}
