// Whether the media of a clip exist, are what its track needs, and are long enough.
import type { ClipPlace } from './clip-checks.ts'
import { compositionLimits as limits } from './limits.ts'
import type { ProbedMedia } from './media.ts'
import { type CompositionProblem, problem } from './problem.ts'
import type { MediaSource } from './schema.ts'
import { framesOf, keptRanges, lengthOf, partsOf } from './timing.ts'

/** Files name their duration to within a frame or a packet of sound. */
const toleranceSeconds = 0.1

export function checkMedia(place: ClipPlace): CompositionProblem[] {
  const { source } = place.clip
  if (source.kind !== 'media') return []
  const path = `${place.path}.source`
  const found = [
    ...checkRanges(source, path),
    ...checkFades(place, source, path),
    ...checkCurve(place, source, path),
  ]
  if (place.media === undefined) return found
  const state = place.media.get(source.mediaId)
  switch (state?.status) {
    case undefined:
      return [
        ...found,
        mediaProblem(
          'media_not_found',
          path,
          'There are no such media.',
          'Upload the file with ns_assembler/upload and use the media_id that it returns.',
        ),
      ]
    case 'processing':
      return [
        ...found,
        mediaProblem(
          'media_not_ready',
          path,
          'These media are still being imported.',
          'Ask for their status until it is ready, and validate again.',
        ),
      ]
    case 'failed':
      return [
        ...found,
        mediaProblem(
          'media_failed',
          path,
          `These media cannot be used: ${state.message}`,
          'Upload another file with ns_assembler/upload and use its media_id.',
        ),
      ]
    case 'ready':
      return [
        ...found,
        ...checkStreams(place, state.probe, path),
        ...(found.length > 0 ? [] : checkLength(place, source, state.probe, path)),
      ]
  }
}

const mediaProblem = (
  code: 'media_not_found' | 'media_not_ready' | 'media_failed',
  path: string,
  message: string,
  fix: string,
) => problem(code, `${path}.mediaId`, message, fix)

function checkRanges(
  { trim, excludedRanges = [] }: MediaSource,
  path: string,
): CompositionProblem[] {
  const found: CompositionProblem[] = []
  if (trim !== undefined && trim.end <= trim.start)
    found.push(
      problem(
        'trim_backwards',
        `${path}.trim`,
        'The trim ends before it starts.',
        `Set ${path}.trim.end to more than ${trim.start}.`,
      ),
    )
  for (const [index, { start, end }] of excludedRanges.entries())
    if (end <= start)
      found.push(
        problem(
          'range_backwards',
          `${path}.excludedRanges[${index}]`,
          'An excluded range ends before it starts.',
          `Set ${path}.excludedRanges[${index}].end to more than ${start}, or remove the range.`,
        ),
      )
  return found
}

function checkFades({ clip }: ClipPlace, source: MediaSource, path: string): CompositionProblem[] {
  const { fadeInMs = 0, fadeOutMs = 0 } = source
  if (fadeInMs + fadeOutMs <= clip.duration * 1_000 + 1) return []
  const half = Math.floor(clip.duration * 500)
  return [
    problem(
      'fades_too_long',
      path,
      'The fades of the sound are longer than the clip.',
      `Set ${path}.fadeInMs and ${path}.fadeOutMs to ${half} or less.`,
    ),
  ]
}

function checkCurve({ clip }: ClipPlace, source: MediaSource, path: string): CompositionProblem[] {
  const points = source.volumeCurve ?? []
  return points.flatMap(({ atSec }, index) => {
    const place = `${path}.volumeCurve[${index}].atSec`
    const before = points[index - 1]
    if (before !== undefined && atSec <= before.atSec)
      return [
        problem(
          'curve_backwards',
          place,
          `${place} is not after the point before it.`,
          `Set ${place} to more than ${before.atSec}, and order points by time.`,
        ),
      ]
    if (atSec <= clip.duration + toleranceSeconds) return []
    return [
      problem(
        'curve_beyond_clip',
        place,
        `${place} lies after the end of its clip.`,
        `Set ${place} to at most ${clip.duration}; seconds count from the start of the clip.`,
      ),
    ]
  })
}

function checkStreams(
  { trackKind, path: clipPath }: ClipPlace,
  { kind, hasSound }: ProbedMedia,
  path: string,
): CompositionProblem[] {
  if (trackKind === 'audio' && !hasSound)
    return [
      problem(
        'no_sound',
        `${path}.mediaId`,
        'These media have no sound.',
        `Move ${clipPath} to a track of kind ${kind}, or name media with sound.`,
      ),
    ]
  if (trackKind !== 'audio' && kind === 'audio')
    return [
      problem(
        'no_picture',
        `${path}.mediaId`,
        'These media are sound only.',
        `Move ${clipPath} to a track of kind audio.`,
      ),
    ]
  if (trackKind === 'image' && kind === 'video')
    return [
      problem(
        'wrong_track',
        clipPath,
        'A track of kind image shows still images, and these media are a video.',
        `Move ${clipPath} to a track of kind video.`,
      ),
    ]
  return []
}

function checkLength(
  { clip, path: clipPath, fps }: ClipPlace,
  source: MediaSource,
  { durationSeconds }: ProbedMedia,
  path: string,
): CompositionProblem[] {
  if (durationSeconds === null) return []
  const { trim, playbackRate = 1, loop = false } = source
  if (trim !== undefined && trim.end > durationSeconds + toleranceSeconds)
    return [
      problem(
        'trim_beyond_media',
        `${path}.trim`,
        `The trim ends at ${trim.end} s, but the media last ${seconds(durationSeconds)} s.`,
        trim.start < durationSeconds
          ? `Set ${path}.trim.end to at most ${seconds(durationSeconds)}, and shorten the clip or loop it.`
          : `Set ${path}.trim within 0 to ${seconds(durationSeconds)}.`,
      ),
    ]
  const left = lengthOf(keptRanges(source, durationSeconds)) / playbackRate
  if (left < 1 / fps / 2)
    return [
      problem(
        'nothing_left',
        path,
        'Trim and excluded ranges leave nothing of the media.',
        `Remove ${path}.excludedRanges, or widen ${path}.trim.`,
      ),
    ]
  if (!loop && left + toleranceSeconds < clip.duration)
    return [
      problem(
        'media_too_short',
        `${clipPath}.duration`,
        `The clip lasts ${clip.duration} s, but ${seconds(left)} s of the media are left to play.`,
        `Set ${clipPath}.duration to at most ${seconds(left)}, or set ${path}.loop to true.`,
      ),
    ]
  const frames = framesOf(clip, fps)
  const parts = partsOf(source, durationSeconds, frames.end - frames.start, fps).length
  if (parts <= limits.partsOfClip) return []
  return [
    problem(
      'too_many_parts',
      path,
      `The clip is made of ${parts} parts of its media, and at most ${limits.partsOfClip} are allowed.`,
      `Shorten ${clipPath}.duration to a ${Math.ceil(parts / limits.partsOfClip) + 1}th, widen ${path}.trim, or remove excluded ranges.`,
    ),
  ]
}

const seconds = (number: number) => (Math.floor(number * 1_000) / 1_000).toString()
