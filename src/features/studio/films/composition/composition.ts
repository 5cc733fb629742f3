// Reads a composition from the wire: what is valid, and what a render would drop.
import { captions as captionsDrawing, captionsSchema } from '../components/captions.ts'
import type { FontShelf } from '../fonts/shelf.ts'
import { type ClipPlace, checkClip } from './clip-checks.ts'
import { checkDucking } from './duck-checks.ts'
import { glyphProblems } from './glyph-checks.ts'
import { compositionLimits as limits } from './limits.ts'
import type { MediaById } from './media.ts'
import { type CompositionProblem, problem, problemsOf } from './problem.ts'
import {
  type Clip,
  type Composition,
  clipSchema,
  type Format,
  frameSchema,
  type Track,
  trackSchema,
} from './schema.ts'
import { framesOf, partsOf } from './timing.ts'

export interface CompositionVerdict {
  readonly valid: boolean
  readonly errors: readonly CompositionProblem[]
}

/** A clip or a track that was left out. */
export interface Dropped {
  readonly trackId: string | null
  /** Null if the whole track was left out. */
  readonly clipId: string | null
  readonly path: string
  readonly errors: readonly CompositionProblem[]
}

export interface ValidPart {
  /** Undefined if it is not a composition at all; `errors` then say why. */
  readonly composition: Composition | undefined
  readonly dropped: readonly Dropped[]
  readonly errors: readonly CompositionProblem[]
}

/**
 * Everything that a render would drop, with what to do about it. Without `media`, the media that it names are not
 * looked up; without `fonts`, it is not asked whether a font has the characters of its texts.
 */
export function validate(value: unknown, media?: MediaById, fonts?: FontShelf): CompositionVerdict {
  const { composition, dropped, errors } = keepValid(value, media, fonts)
  const found = [...errors, ...dropped.flatMap((each) => each.errors)]
  if (composition !== undefined && found.length === 0 && clipsOf(composition).length === 0)
    found.push(
      problem(
        'no_scenes',
        'tracks',
        'There is no clip, so a render would show nothing.',
        'Add a track with a clip.',
      ),
    )
  return { valid: found.length === 0, errors: found }
}

/** The composition without the clips and tracks that a render would drop. */
export function keepValid(value: unknown, media?: MediaById, fonts?: FontShelf): ValidPart {
  const read = frameSchema.safeParse(value)
  if (!read.success)
    return { composition: undefined, dropped: [], errors: problemsOf(read.error, '') }
  const { format, tracks, loudness, safeArea } = read.data
  const counts = { ids: new Set<string>(), clips: 0, parts: 0, dropped: [] }
  const reading: Reading = { format, media, fonts, ...counts }
  const errors = read.data.captions === undefined ? [] : captionProblems(read.data.captions, fonts)
  const captions = errors.length > 0 ? undefined : (read.data.captions as Composition['captions'])
  const kept = tracks.flatMap((track, index) => readTrack(reading, track, `tracks[${index}]`))
  const composition = {
    v: 1,
    format,
    tracks: kept,
    ...(loudness && { loudness }),
    ...(safeArea && { safeArea }),
    ...(captions && { captions }),
  } as const
  return { composition, dropped: reading.dropped, errors: [...errors, ...checkDucking(kept)] }
}

function captionProblems(value: unknown, fonts: FontShelf | undefined): CompositionProblem[] {
  const read = captionsSchema.safeParse(value)
  if (!read.success) return problemsOf(read.error, 'captions')
  return glyphProblems({ drawing: captionsDrawing, props: read.data }, 'captions', fonts)
}

export const clipsOf = ({ tracks }: Composition): readonly Clip[] =>
  tracks.flatMap(({ contents, enabled }) => (enabled === false ? [] : contents))

/** The media of all clips that can be read, those with other mistakes too. */
export function mediaNamedIn(value: unknown): readonly string[] {
  const tracks = frameSchema.safeParse(value).data?.tracks ?? []
  const clips = tracks.flatMap((track) => trackSchema.safeParse(track).data?.contents ?? [])
  const ids = clips.flatMap((clip) => {
    const source = clipSchema.safeParse(clip).data?.source
    return source?.kind === 'media' ? [source.mediaId] : []
  })
  return [...new Set(ids)]
}

interface Reading {
  readonly format: Format
  readonly media: MediaById | undefined
  readonly fonts: FontShelf | undefined
  readonly ids: Set<string>
  clips: number
  parts: number
  readonly dropped: Dropped[]
}

function readTrack(reading: Reading, value: unknown, path: string): Track[] {
  const read = trackSchema.safeParse(value)
  const errors = read.success
    ? claimId(reading, `track ${read.data.id}`, read.data.id, path)
    : problemsOf(read.error, path)
  if (!read.success || errors.length > 0) {
    reading.dropped.push({ trackId: idOf(value), clipId: null, path, errors })
    return []
  }
  const contents = read.data.contents.flatMap((clip, index) =>
    readClip(reading, read.data, clip, `${path}.contents[${index}]`),
  )
  return [{ ...read.data, contents }]
}

function readClip(
  reading: Reading,
  track: { readonly id: string; readonly kind: Track['kind'] },
  value: unknown,
  path: string,
): Clip[] {
  const read = clipSchema.safeParse(value)
  const errors = read.success
    ? errorsOf(reading, read.data, track.kind, path)
    : problemsOf(read.error, path)
  if (read.success && errors.length === 0) return [read.data]
  reading.dropped.push({ trackId: track.id, clipId: idOf(value), path, errors })
  return []
}

function errorsOf(reading: Reading, clip: Clip, trackKind: Track['kind'], path: string) {
  const { format, media, fonts } = reading
  const [across = 1, down = 1] = format.aspectRatio.split(':').map(Number)
  const ratio = across / down
  const place: ClipPlace = { clip, path, trackKind, fps: format.fps, ratio, media, fonts }
  const errors = [...claimId(reading, `clip ${clip.id}`, clip.id, path), ...checkClip(place)]
  if (errors.length > 0) return errors
  reading.clips += 1
  reading.parts += countParts(place)
  if (reading.clips <= limits.clips && reading.parts <= limits.partsOfFilm) return []
  return [
    problem(
      'too_many_clips',
      path,
      `A film has at most ${limits.clips} clips and plays at most ${limits.partsOfFilm} parts of media.`,
      `Remove ${path}, or render the film in two halves and join them.`,
    ),
  ]
}

function countParts({ clip, media, fps }: ClipPlace): number {
  if (clip.source.kind !== 'media') return 1
  const state = media?.get(clip.source.mediaId)
  const duration = state?.status === 'ready' ? state.probe.durationSeconds : null
  if (duration === null) return 1
  const { start, end } = framesOf(clip, fps)
  return partsOf(clip.source, duration, end - start, fps).length
}

/** Ids are unique, because later edits name clips and tracks by them. */
function claimId(reading: Reading, key: string, id: string, path: string): CompositionProblem[] {
  if (!reading.ids.has(key)) {
    reading.ids.add(key)
    return []
  }
  return [
    problem(
      'duplicate_id',
      `${path}.id`,
      `The id ${JSON.stringify(id)} is used twice.`,
      `Give ${path} an id of its own.`,
    ),
  ]
}

function idOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'string' ? id.slice(0, limits.idCharacters) : null
}
