// What a clip can have wrong by itself, once its shape is right.
import type { z } from 'zod'
import { drawingOf } from '../compile/layers.ts'
import { placeMedia } from '../compile/placement.ts'
import { componentsById, effectsById, overlaysById } from '../components/catalog.ts'
import type { FontShelf } from '../fonts/shelf.ts'
import { glyphProblems } from './glyph-checks.ts'
import { compositionLimits as limits } from './limits.ts'
import type { MediaById } from './media.ts'
import { checkMedia } from './media-checks.ts'
import { type CompositionProblem, problem, problemsOf } from './problem.ts'
import type { Clip, ReframeSegment, Track } from './schema.ts'
import { framesOf } from './timing.ts'

export interface ClipPlace {
  readonly clip: Clip
  readonly path: string
  readonly trackKind: Track['kind']
  readonly fps: number
  /** Width to height of the film. */
  readonly ratio: number
  /** Undefined where media are not looked up. */
  readonly media: MediaById | undefined
  /** Undefined where fonts are not asked. */
  readonly fonts: FontShelf | undefined
}

export function checkClip(place: ClipPlace): CompositionProblem[] {
  return [
    ...checkTrack(place),
    ...checkTime(place),
    ...checkSource(place),
    ...checkIdle(place),
    ...checkTransition(place),
    ...checkCamera(place),
    ...checkMedia(place),
    ...checkFrame(place),
  ]
}

function checkTrack({ clip, path, trackKind }: ClipPlace): CompositionProblem[] {
  const { kind } = clip.source
  const fits =
    trackKind === 'effect'
      ? kind === 'effect'
      : trackKind === 'audio'
        ? kind === 'media'
        : kind !== 'effect'
  if (fits) return []
  const right = kind === 'effect' ? 'effect' : kind === 'media' ? 'video' : 'overlay'
  return [
    problem(
      'wrong_track',
      path,
      `A clip with a source of kind ${kind} cannot be on a track of kind ${trackKind}.`,
      `Move ${path} to a track of kind ${right}.`,
    ),
  ]
}

function checkTime({ clip, path, fps }: ClipPlace): CompositionProblem[] {
  const { start, end } = framesOf(clip, fps)
  if (end <= start)
    return [
      problem(
        'clip_too_short',
        `${path}.duration`,
        `${path} is shorter than one frame.`,
        `Set ${path}.duration to at least ${(1 / fps).toFixed(3)}.`,
      ),
    ]
  if (end / fps > limits.filmSeconds)
    return [
      problem(
        'film_too_long',
        path,
        `${path} ends after ${limits.filmSeconds} seconds, the longest film.`,
        `End ${path} at ${limits.filmSeconds} seconds or before: reduce startTime or duration.`,
      ),
    ]
  return []
}

function checkSource({ clip, path, fonts }: ClipPlace): CompositionProblem[] {
  const { source, effects = [] } = clip
  const found = effects.flatMap(({ primitiveId, params }, index) =>
    checkNamed(effectsById, 'params', primitiveId, params, `${path}.effects[${index}]`),
  )
  const place = `${path}.source`
  switch (source.kind) {
    case 'media':
      return found
    case 'component':
      found.push(...checkNamed(componentsById, 'props', source.componentId, source.props, place))
      return [...found, ...checkPlane(source.zPlane, place), ...checkText(clip, place, fonts)]
    case 'overlay':
      found.push(...checkNamed(overlaysById, 'params', source.primitiveId, source.params, place))
      return [...found, ...checkPlane(source.zPlane, place), ...checkText(clip, place, fonts)]
    case 'effect':
      return [
        ...found,
        ...checkNamed(effectsById, 'params', source.primitiveId, source.params, place),
      ]
  }
}

function checkText(clip: Clip, path: string, fonts: FontShelf | undefined) {
  const found = drawingOf(clip)
  const field = clip.source.kind === 'component' ? 'props' : 'params'
  return found === undefined ? [] : glyphProblems(found, `${path}.${field}`, fonts)
}

interface Named {
  readonly props?: z.ZodType
  readonly params?: z.ZodType
}

function checkNamed(
  known: ReadonlyMap<string, Named>,
  field: 'props' | 'params',
  id: string,
  values: unknown,
  path: string,
): CompositionProblem[] {
  const declared = known.get(id)
  const parsed = (declared?.props ?? declared?.params)?.safeParse(values)
  if (parsed !== undefined)
    return parsed.success ? [] : problemsOf(parsed.error, `${path}.${field}`)
  const [code, name] =
    field === 'props'
      ? (['unknown_component', 'componentId'] as const)
      : (['unknown_primitive', 'primitiveId'] as const)
  return [
    problem(
      code,
      `${path}.${name}`,
      `There is no ${JSON.stringify(id)} here.`,
      `Set ${path}.${name} to one of ${[...known.keys()].join(', ')}.`,
    ),
  ]
}

function checkPlane(zPlane: string | undefined, path: string): CompositionProblem[] {
  if (zPlane === undefined || zPlane === 'front' || zPlane === 'back') return []
  return [
    problem(
      'plane_unsupported',
      `${path}.zPlane`,
      `The plane ${JSON.stringify(zPlane)} needs a subject to be cut out, which is not done here.`,
      `Set ${path}.zPlane to "front" or "back", or remove it.`,
    ),
  ]
}

/** Properties of pictures that change nothing at their defaults. */
const pictureDefaults = { opacity: 1, scale: 1, rotation: 0, fit: 'cover' } as const
const pictureFields = [
  'opacity',
  'scale',
  'rotation',
  'position',
  'region',
  'fit',
  'effects',
] as const

/** Properties that would be ignored. */
function checkIdle({ clip, path, trackKind }: ClipPlace): CompositionProblem[] {
  const { kind } = clip.source
  const idle: readonly string[] =
    trackKind === 'audio'
      ? [...pictureFields, 'transitionIn']
      : kind === 'effect'
        ? ['scale', 'rotation', 'position', 'fit', 'effects']
        : kind === 'media'
          ? []
          : ['fit']
  const values: Readonly<Record<string, unknown>> = clip
  const places = idle
    .filter((name) => values[name] !== undefined && values[name] !== pictureDefaults[name as 'fit'])
    .filter((name) => !(Array.isArray(values[name]) && values[name].length === 0))
    .map((name) => `${path}.${name}`)
  if (trackKind === 'audio' && clip.source.kind === 'media')
    for (const name of ['kenBurns', 'reframe'] as const)
      if (clip.source[name] !== undefined) places.push(`${path}.source.${name}`)
  return places.map((place) =>
    problem(
      'no_effect',
      place,
      `${place} has no effect on this clip, so a render would ignore it.`,
      `Remove ${place}.`,
    ),
  )
}

const softTransitions = ['fade', 'crossfade', 'dissolve']

function checkTransition({ clip, path }: ClipPlace): CompositionProblem[] {
  const { transitionIn, duration, source } = clip
  if (transitionIn === undefined) return []
  const { type, durationMs } =
    typeof transitionIn === 'string' ? { type: transitionIn, durationMs: 0 } : transitionIn
  if (source.kind === 'effect' && !softTransitions.includes(type))
    return [
      problem(
        'no_effect',
        `${path}.transitionIn`,
        `An effect can fade in but not ${type}.`,
        `Set ${path}.transitionIn to "fade", or remove it.`,
      ),
    ]
  if (durationMs <= duration * 1_000) return []
  return [
    problem(
      'transition_too_long',
      `${path}.transitionIn`,
      `The transition lasts ${durationMs} ms, longer than its clip.`,
      `Set ${path}.transitionIn.durationMs to at most ${Math.floor(duration * 1_000)}.`,
    ),
  ]
}

function checkCamera({ clip, path, fps }: ClipPlace): CompositionProblem[] {
  if (clip.source.kind !== 'media' || clip.source.reframe === undefined) return []
  const { reframe, kenBurns } = clip.source
  const place = `${path}.source.reframe`
  if (kenBurns !== undefined)
    return [
      problem(
        'two_cameras',
        `${path}.source.kenBurns`,
        'kenBurns and reframe both move the camera.',
        `Remove ${path}.source.kenBurns or ${place}.`,
      ),
    ]
  const [segments, frame] = [reframe.segments, 1 / fps]
  return segments.flatMap((segment, index) =>
    checkSegment(
      segment,
      segments[index - 1],
      `${place}.segments[${index}]`,
      clip.duration + frame,
    ),
  )
}

function checkSegment(
  segment: ReframeSegment,
  before: ReframeSegment | undefined,
  path: string,
  clipSeconds: number,
): CompositionProblem[] {
  const { startSec, endSec, ease, focus } = segment
  const found: CompositionProblem[] = []
  const report = (...[code, place, message, fix]: Parameters<typeof problem>) =>
    void found.push(problem(code, place, message, fix))
  if (focus === 'face' || (typeof focus === 'object' && 'mode' in focus && focus.mode === 'face'))
    report(
      'face_unsupported',
      `${path}.focus`,
      'Faces are not searched for here.',
      `Set ${path}.focus to {"mode": "frame-center"}, or to the point where the face is.`,
    )
  if (endSec <= startSec)
    report(
      'reframe_backwards',
      path,
      `${path} ends before it starts.`,
      `Set ${path}.endSec to more than ${startSec}.`,
    )
  else if ((ease?.in ?? 0) + (ease?.out ?? 0) > endSec - startSec + 1e-6)
    report(
      'reframe_eases_overlap',
      `${path}.ease`,
      `${path} is shorter than its eases.`,
      `Set ${path}.ease.in and ${path}.ease.out to ${((endSec - startSec) / 2).toFixed(3)} or less.`,
    )
  if (endSec > clipSeconds)
    report(
      'reframe_beyond_clip',
      path,
      `${path} ends after its clip.`,
      `Set ${path}.endSec to the duration of the clip or less; seconds count from the start of the clip.`,
    )
  if (before !== undefined && startSec < before.endSec - 1e-6)
    report(
      'reframe_overlaps',
      path,
      `${path} starts before the segment before it ends.`,
      `Set ${path}.startSec to ${before.endSec} or more, and order segments by time.`,
    )
  return found
}

/** Whether the picture lies on the canvas at all. Drawn pictures are only judged by their place. */
function checkFrame({ clip, path, trackKind, ratio, media }: ClipPlace): CompositionProblem[] {
  if (trackKind === 'audio') return []
  const canvas = { width: 1_000 * ratio, height: 1_000 }
  const state = clip.source.kind === 'media' ? media?.get(clip.source.mediaId) : undefined
  const probe = state?.status === 'ready' ? state.probe : undefined
  const size = probe?.width && probe.height ? { width: probe.width, height: probe.height } : canvas
  const isDrawn = clip.source.kind === 'component' || clip.source.kind === 'overlay'
  const seen = isDrawn
    ? placeMedia({ region: clip.region }, canvas, canvas)
    : placeMedia(clip, size, canvas)
  const { x = 0.5, y = 0.5 } = (isDrawn ? clip.position : undefined) ?? {}
  if (seen !== undefined && x >= 0 && x <= 1 && y >= 0 && y <= 1) return []
  const field = clip.position === undefined ? 'region' : 'position'
  const fix =
    field === 'region'
      ? `Set ${path}.region to {"x": 0, "y": 0, "w": 1, "h": 1}, or to a part of it.`
      : `Set ${path}.position to {"x": 0.5, "y": 0.5}, and enlarge scale if the clip is tiny.`
  return [problem('outside_frame', `${path}.${field}`, `${path} lies outside the frame.`, fix)]
}
