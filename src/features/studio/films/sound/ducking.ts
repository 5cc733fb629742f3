// How far music is lowered beneath speech: by what was measured of both, so that the distance holds for any recording.
import type { Clip, Composition, Track } from '../composition/schema.ts'
import { framesOf } from '../composition/timing.ts'
import { type GainPoint, silenceDb } from './gain.ts'
import { type BlockLoudness, loudnessOf, type Span } from './loudness.ts'

/** Pauses of speech that are shorter do not let the music rise. */
const pauseSecondsMax = 1
/** The music is down when speech begins, and rises after its end. */
const fallSeconds = 0.3
const riseSeconds = 0.6
/** More than was asked for, because both are measured in blocks and the sound is encoded afterwards. */
const reserveLu = 1

/** The times at which a track is heard, each with its pauses. */
export function spansOf({ contents }: Track, fps: number): Span[] {
  const clips = contents.filter(isHeard).map((clip) => {
    const { start, end } = framesOf(clip, fps)
    return { start: start / fps, end: end / fps }
  })
  return joined(clips)
}

const isHeard = ({ source }: Clip) =>
  source.kind === 'media' && source.muted !== true && source.volume !== 0

function joined(spans: readonly Span[]): Span[] {
  const found: Span[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const before = found.at(-1)
    if (before === undefined || span.start - before.end > pauseSecondsMax) found.push(span)
    else found[found.length - 1] = { ...before, end: Math.max(before.end, span.end) }
  }
  return found
}

export interface Measured {
  /** By track id, as the track is without ducking. */
  readonly tracks: ReadonlyMap<string, BlockLoudness>
}

/** By the id of each ducked track, its gain over the time of the film. */
export function duckingOf(
  { tracks, format }: Composition,
  measured: Measured,
): ReadonlyMap<string, readonly GainPoint[]> {
  const ducked = tracks.filter(({ duck, enabled }) => duck !== undefined && enabled !== false)
  return new Map(
    ducked.map((track) => {
      const voices = tracks.filter(
        ({ id, enabled }) => track.duck?.under.includes(id) && enabled !== false,
      )
      const spans = joined(voices.flatMap((voice) => spansOf(voice, format.fps)))
      const music = measured.tracks.get(track.id) ?? []
      const gains = spans.flatMap((span) => {
        const speech = voices.map(({ id }) => loudnessOf(measured.tracks.get(id) ?? [], span))
        const least = Math.min(...speech.filter(Number.isFinite))
        const most = least - (track.duck?.byLu ?? 0) - reserveLu
        const db = Math.min(0, most - loudnessOf(music, span))
        return Number.isFinite(db) && db < 0 ? [{ ...span, db: Math.max(silenceDb, db) }] : []
      })
      return [track.id, pointsOf(gains)]
    }),
  )
}

function pointsOf(gains: readonly (Span & { readonly db: number })[]): GainPoint[] {
  return gains.flatMap(({ start, end, db }, index) => {
    const before = gains[index - 1]
    const after = gains[index + 1]
    // Two spans that are close share the time between them.
    const fall = Math.min(fallSeconds, before === undefined ? start : (start - before.end) / 2)
    const rise = Math.min(riseSeconds, after === undefined ? riseSeconds : (after.start - end) / 2)
    return [
      { seconds: start - fall, db: 0 },
      { seconds: start, db },
      { seconds: end, db },
      { seconds: end + rise, db: 0 },
    ]
  })
}
