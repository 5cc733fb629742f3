// Pictures that came at any time, as those of a film.
import type { TimedFrame } from './frames-file.ts'

export interface FilmPicture {
  readonly jpeg: Buffer
  /** How long it is shown. */
  readonly intervals: number
}

export interface FilmRate {
  /** The shortest time that a picture is shown. Of several in one interval, the last is shown. */
  readonly intervalMs: number
  /** The longest. A picture that stays is repeated, so that players find every place of the film. */
  readonly intervalsPerPicture: number
  /** The length of the film at most. */
  readonly intervalsMax: number
}

/** Each picture stays until the next one, and the last one until the end. */
export async function* makeSteady(
  frames: AsyncIterable<TimedFrame>,
  { intervalMs, intervalsPerPicture, intervalsMax }: FilmRate,
): AsyncGenerator<FilmPicture, void> {
  let shown: Buffer | undefined
  let startMs = 0
  let count = 0
  for await (const { atMs, jpeg } of frames) {
    if (shown === undefined) startMs = atMs
    else {
      const due = Math.min(intervalsMax, Math.floor((atMs - startMs) / intervalMs))
      while (count < due) {
        const intervals = Math.min(intervalsPerPicture, due - count)
        yield { jpeg: shown, intervals }
        count += intervals
      }
    }
    if (count >= intervalsMax) return
    if (jpeg.length > 0) shown = jpeg
  }
  if (shown !== undefined) yield { jpeg: shown, intervals: 1 }
}
