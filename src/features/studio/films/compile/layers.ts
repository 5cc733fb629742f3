// The pictures of a film in the order in which they are laid over each other.
import { componentsById, overlaysById } from '../components/catalog.ts'
import type { motions } from '../components/drawing.ts'
import {
  type Clip,
  type Composition,
  type Track,
  transitionMs,
  type transitionTypes,
} from '../composition/schema.ts'
import { framesOf } from '../composition/timing.ts'

export type TransitionType = (typeof transitionTypes)[number]

export interface Layer {
  readonly clip: Clip
  readonly trackIndex: number
  readonly startFrame: number
  /** Frames of the clip. */
  readonly frames: number
  /** Frames for which its last picture stays, while the next clip of the track comes in. */
  readonly held: number
  readonly transition: { readonly type: TransitionType; readonly frames: number } | undefined
}

export function layersOf({ tracks, format }: Composition): Layer[] {
  const layers = tracks.flatMap((track, trackIndex) =>
    track.kind === 'audio' || track.enabled === false
      ? []
      : layersOfTrack(track, trackIndex, format.fps),
  )
  return layers.toSorted((one, other) => planeOf(one.clip) - planeOf(other.clip))
}

function layersOfTrack(track: Track, trackIndex: number, fps: number): Layer[] {
  const layers = track.contents
    .map((clip) => {
      const { start, end } = framesOf(clip, fps)
      const frames = end - start
      return {
        clip,
        trackIndex,
        startFrame: start,
        frames,
        transition: transitionOf(clip, frames, fps),
      }
    })
    .toSorted((one, other) => one.startFrame - other.startFrame)
  return layers.map((layer) => {
    const next = layers.find(
      (other) => other !== layer && other.startFrame === layer.startFrame + layer.frames,
    )
    return { ...layer, held: next?.transition?.frames ?? 0 }
  })
}

function transitionOf({ transitionIn }: Clip, frames: number, fps: number): Layer['transition'] {
  if (transitionIn === undefined) return undefined
  const { type, durationMs } =
    typeof transitionIn === 'string'
      ? { type: transitionIn, durationMs: transitionMs }
      : transitionIn
  const wished = Math.round((durationMs / 1_000) * fps)
  return { type, frames: Math.min(frames, Math.max(1, wished)) }
}

/** Sorting is stable, so layers of one plane stay in the order of tracks and time. */
function planeOf({ source }: Clip): number {
  if (!('zPlane' in source)) return 0
  return source.zPlane === 'front' ? 1 : source.zPlane === 'back' ? -1 : 0
}

type Motion = (typeof motions)[number]

export interface Motions {
  readonly entrance: Motion
  readonly exit: Motion
  readonly frames: number
}

/** The drawing of a component or an overlay, with its props; undefined for media and effects, and for wrong props. */
export function drawingOf({ source }: Clip) {
  if (source.kind !== 'component' && source.kind !== 'overlay') return undefined
  const [drawing, values] =
    source.kind === 'component'
      ? [componentsById.get(source.componentId), source.props]
      : [overlaysById.get(source.primitiveId), source.params]
  const read = drawing?.props.safeParse(values)
  return drawing && read?.success ? { drawing, props: read.data } : undefined
}

/** How a drawn clip comes and goes; at most half of the clip each. */
export function motionsOf(
  props: Readonly<Record<string, unknown>>,
  frames: number,
  fps: number,
): Motions {
  const {
    entrance = 'none',
    exit = 'none',
    motionMs = 0,
  } = props as {
    entrance?: Motion
    exit?: Motion
    motionMs?: number
  }
  const wished = Math.round((motionMs / 1_000) * fps)
  return { entrance, exit, frames: Math.min(Math.floor(frames / 2), wished) }
}
