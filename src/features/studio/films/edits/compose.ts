// Compiles a list of edits to a composition: whole frames, no overlaps, and the length that was asked for.
import type { ComposedFilm, FilmEdit, FilmSegment } from '#core/rooms/film-edit.ts'
import { validate } from '../composition/composition.ts'
import { compositionLimits as limits } from '../composition/limits.ts'
import type { MediaById, MediaState } from '../composition/media.ts'
import { cameraOf } from './camera-moves.ts'
import { segmentSecondsMin, shareFrames } from './share-frames.ts'

/** Each segment may have a caption, and music is a clip, too. */
const segmentsMax = Math.floor((limits.clips - 1) / 2)
const transitionSecondsMax = 0.5
const musicFadeSecondsMax = 1.5
/** Under pictures that have sound of their own. */
const duckedDecibels = -14
const captionCharactersMax = 500

/** A segment on the timeline. */
interface PlacedSegment {
  readonly segment: FilmSegment
  readonly start: number
  readonly frames: number
  /** Seconds of the media at which it begins. */
  readonly from: number
  /** The whole file is played again and again. */
  readonly isLooped: boolean
}

export function composeFilm(edit: FilmEdit): ComposedFilm {
  const placed = placeSegments(edit)
  const composition = { v: 1, format: edit.format, tracks: tracksOf(edit, placed) }
  const { errors } = validate(composition, mediaOf(edit))
  return {
    composition,
    left: edit.segments.slice(placed.length).map(({ mediaId }) => mediaId),
    problems: errors.map(({ path, message, fix }) => ({ path, message, fix })),
  }
}

function placeSegments({ segments, format: { fps }, targetSeconds }: FilmEdit): PlacedSegment[] {
  const total = Math.max(1, Math.round(Math.min(targetSeconds, limits.filmSeconds) * fps))
  const least = Math.ceil(segmentSecondsMin * fps)
  const fitting = Math.max(1, Math.min(segmentsMax, Math.floor(total / least)))
  const shown = segments.slice(0, fitting)
  const windows = shown.map((segment) => windowOf(segment, fps))
  const material = windows.map(({ from, until }) => ({
    most: Math.max(1, Math.floor((until - from) * fps + 1e-6)),
  }))
  const exact = shareFrames(material, total)
  // Without enough material, each segment may be repeated.
  const frames =
    exact ??
    shareFrames(
      shown.map(() => ({ most: total })),
      total,
    ) ??
    []
  let start = 0
  return shown.map((segment, at) => {
    const own = frames[at] ?? 0
    const isLooped = own > (material[at]?.most ?? 0)
    const one = {
      segment,
      start,
      frames: own,
      from: isLooped ? 0 : (windows[at]?.from ?? 0),
      isLooped,
    }
    start += own
    return one
  })
}

/** What of its media a segment may show: all of them if the choice is shorter than a frame. An image lasts for ever. */
function windowOf(
  { kind, mediaSeconds, inSeconds = 0, outSeconds }: FilmSegment,
  fps: FilmEdit['format']['fps'],
) {
  const endless = Number.POSITIVE_INFINITY
  if (kind === 'image') return { from: 0, until: endless }
  const until = Math.min(outSeconds ?? endless, mediaSeconds ?? endless)
  const isLongEnough = until - inSeconds >= 1 / fps
  return isLongEnough ? { from: inSeconds, until } : { from: 0, until: mediaSeconds ?? endless }
}

function tracksOf(edit: FilmEdit, placed: readonly PlacedSegment[]) {
  const { fps } = edit.format
  const ofKind = (kind: FilmSegment['kind']) =>
    placed.flatMap((one, at) => (one.segment.kind === kind ? [clipOf(edit, one, at)] : []))
  const captions = placed.flatMap(({ segment: { caption }, start, frames }, at) => {
    const text = caption?.trim().slice(0, captionCharactersMax) ?? ''
    const source = { kind: 'component', componentId: 'caption', props: { text } }
    return text === '' ? [] : [{ id: `caption-${at + 1}`, ...timeOf(start, frames, fps), source }]
  })
  const tracks = [
    { id: 'videos', kind: 'video', contents: ofKind('video') },
    { id: 'stills', kind: 'image', contents: ofKind('image') },
    { id: 'captions', kind: 'overlay', contents: captions },
    { id: 'music', kind: 'audio', contents: musicOf(edit, placed) },
  ]
  return tracks.filter(({ contents }) => contents.length > 0)
}

const timeOf = (start: number, frames: number, fps: number) => ({
  startTime: start / fps,
  duration: frames / fps,
})

function clipOf(edit: FilmEdit, placed: PlacedSegment, at: number) {
  const { fps } = edit.format
  const { segment, start, frames, from, isLooped } = placed
  const seconds = frames / fps
  const isVideo = segment.kind === 'video'
  const transitionMs = Math.floor(Math.min(transitionSecondsMax, seconds / 2) * 1_000)
  return {
    id: `segment-${at + 1}`,
    ...timeOf(start, frames, fps),
    source: {
      kind: 'media',
      mediaId: segment.mediaId,
      ...(isVideo && !isLooped && { trim: { start: from, end: from + seconds } }),
      ...(isLooped && isVideo && { loop: true }),
      ...cameraOf(segment, seconds, at),
    },
    ...(at > 0 &&
      edit.transition !== undefined && {
        transitionIn: { type: edit.transition, durationMs: Math.max(1, transitionMs) },
      }),
  }
}

function musicOf({ music, format: { fps } }: FilmEdit, placed: readonly PlacedSegment[]) {
  const frames = placed.reduce((sum, one) => sum + one.frames, 0)
  if (music === undefined || frames === 0) return []
  const seconds = frames / fps
  const isShort = music.mediaSeconds !== undefined && music.mediaSeconds < seconds
  const fadeMs = Math.floor(Math.min(musicFadeSecondsMax, seconds / 2) * 1_000)
  const isUnderSound = placed.some(
    ({ segment }) => segment.kind === 'video' && segment.isSilent !== true,
  )
  return [
    {
      id: 'music-1',
      ...timeOf(0, frames, fps),
      source: {
        kind: 'media',
        mediaId: music.mediaId,
        ...(isShort ? { loop: true } : { trim: { start: 0, end: seconds } }),
        ...(isUnderSound && { volumeDb: duckedDecibels }),
        fadeInMs: fadeMs,
        fadeOutMs: fadeMs,
      },
    },
  ]
}

/** What is known of the media, for the validation. */
function mediaOf({ segments, music }: FilmEdit): MediaById {
  const unknownSeconds = limits.filmSeconds * 2
  const state = (
    kind: 'video' | 'image' | 'audio',
    seconds: number | null,
    hasSound: boolean,
  ): MediaState => ({
    status: 'ready',
    probe: {
      kind,
      durationSeconds: seconds,
      hasSound,
      hasTransparency: false,
      hasColorMatrix: true,
      width: null,
      height: null,
      frameRate: null,
    },
  })
  const entries = segments.map(
    ({ mediaId, kind, mediaSeconds, isSilent }): [string, MediaState] => [
      mediaId,
      kind === 'image'
        ? state('image', null, false)
        : state('video', mediaSeconds ?? unknownSeconds, isSilent !== true),
    ],
  )
  return new Map([
    ...entries,
    ...(music === undefined
      ? []
      : [[music.mediaId, state('audio', music.mediaSeconds ?? unknownSeconds, true)] as const]),
  ])
}
