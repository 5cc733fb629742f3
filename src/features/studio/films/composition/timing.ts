// Time in whole frames, and which parts of its media a clip plays.
import type { Clip, MediaSource } from './schema.ts'

/** A clip's frames on the timeline: the first, and the one after the last. */
export function framesOf(
  { startTime, duration }: Pick<Clip, 'startTime' | 'duration'>,
  fps: number,
): { readonly start: number; readonly end: number } {
  return { start: Math.round(startTime * fps), end: Math.round((startTime + duration) * fps) }
}

/** A duration as callers read it, without the noise of sums of fractions. */
export const roundToMilliseconds = (seconds: number | null) =>
  seconds === null ? null : Math.round(seconds * 1_000) / 1_000

/** A stretch of the media, played for whole frames of the film. */
export interface MediaPart {
  /** Seconds of the media. */
  readonly start: number
  readonly seconds: number
  readonly frames: number
  /** The whole file, again and again. */
  readonly isEndless: boolean
}

interface Range {
  readonly start: number
  readonly end: number
}

/** What trim and excluded ranges leave of the media. */
export function keptRanges(
  { trim, excludedRanges = [] }: Pick<MediaSource, 'trim' | 'excludedRanges'>,
  durationSeconds: number,
): Range[] {
  const end = Math.min(trim?.end ?? durationSeconds, durationSeconds)
  let rest: Range[] = [{ start: trim?.start ?? 0, end }]
  for (const excluded of excludedRanges)
    rest = rest
      .flatMap((range) => [
        { start: range.start, end: Math.min(range.end, excluded.start) },
        { start: Math.max(range.start, excluded.end), end: range.end },
      ])
      .filter((range) => range.end - range.start > 1e-6)
  return rest.filter((range) => range.end - range.start > 1e-6)
}

export const lengthOf = (ranges: readonly Range[]) =>
  ranges.reduce((sum, { start, end }) => sum + end - start, 0)

/** The parts that fill `frames` frames, with the last one held if the media ends a little early. */
export function partsOf(
  source: MediaSource,
  durationSeconds: number,
  frames: number,
  fps: number,
): MediaPart[] {
  const { playbackRate = 1, loop = false, trim, excludedRanges = [] } = source
  const kept = keptRanges(source, durationSeconds)
  const round = lengthOf(kept)
  const needed = (frames / fps) * playbackRate
  const isWhole = trim === undefined && excludedRanges.length === 0
  if (loop && isWhole && round < needed)
    return [{ start: 0, seconds: needed, frames, isEndless: true }]
  const parts: MediaPart[] = []
  let played = 0
  let filled = 0
  for (let turn = 0; filled < frames && (turn === 0 || loop) && round > 1e-3; turn++)
    for (const { start, end } of kept) {
      const seconds = Math.min(end - start, needed - played)
      const until = Math.min(frames, Math.round(((played + seconds) / playbackRate) * fps))
      if (until > filled) parts.push({ start, seconds, frames: until - filled, isEndless: false })
      filled = Math.max(filled, until)
      played += seconds
      if (filled >= frames) break
    }
  const last = parts.pop()
  return last === undefined ? [] : [...parts, { ...last, frames: last.frames + frames - filled }]
}
