// The sound of a film: each clip's parts in a row, faded, moved to its place, and all mixed.
import type { Clip, MediaSource } from '../composition/schema.ts'
import type { MediaPart } from '../composition/timing.ts'
import { type GainPoint, gainFilters, silenceDb } from '../sound/gain.ts'
import type { FilterGraph } from './filters.ts'

const sampleRate = 48_000
const silence = `anullsrc=r=${sampleRate}:cl=stereo`
/** Peaks of a mix stay below this, so that encoding does not clip them. */
const peakMax = 0.97
/** Where the loudness is a target: one decibel below full scale, as platforms ask for. */
const peakMaxOfTarget = 0.891

/** The sound of a clip, by the numbers of the inputs that hold its parts. */
export interface SoundClip {
  readonly trackId: string
  readonly clip: Clip
  readonly source: MediaSource
  readonly parts: readonly { readonly input: number; readonly part: MediaPart }[]
  readonly startFrame: number
}

export const isAudible = ({ muted, volume = 1 }: MediaSource) => muted !== true && volume > 0

interface FilmLength {
  readonly frames: number
  readonly fps: number
}

/** What follows from measuring the sound. */
export interface SoundLevels {
  /** By track id: how it is lowered over the time of the film. */
  readonly ducking: ReadonlyMap<string, readonly GainPoint[]>
  /** Of the whole mix, where its loudness is a target. */
  readonly gainDb: number | undefined
}

/** The stream of all sounds, exactly as long as the film. */
export function mixSounds(
  graph: FilterGraph,
  sounds: readonly SoundClip[],
  film: FilmLength,
  { ducking, gainDb }: SoundLevels = { ducking: new Map(), gainDb: undefined },
): string {
  const length = cutTo(film.frames, film.fps)
  if (sounds.length === 0) return graph.chain([], [silence, ...length])
  const free = sounds.filter(({ trackId }) => !ducking.has(trackId))
  const streams = [
    ...free.map((sound) => soundOf(graph, sound, film.fps)),
    ...[...ducking].flatMap(([trackId, gain]) => {
      const own = sounds.filter((sound) => sound.trackId === trackId)
      return own.length === 0
        ? []
        : [graph.chain([joinSounds(graph, own, film)], gainFilters(gain))]
    }),
  ]
  const level = gainDb === undefined ? [] : [`volume=${exact(gainDb)}dB:precision=float`]
  const limit = `alimiter=limit=${gainDb === undefined ? peakMax : peakMaxOfTarget}:level=disabled`
  return graph.chain(streams, [...mixFilters(streams), ...level, limit, 'apad', ...length])
}

/** The stream of some sounds without any limit, as long as the film. */
export function joinSounds(
  graph: FilterGraph,
  sounds: readonly SoundClip[],
  { frames, fps }: FilmLength,
): string {
  const streams = sounds.map((sound) => soundOf(graph, sound, fps))
  return graph.chain(streams, [...mixFilters(streams), 'apad', ...cutTo(frames, fps)])
}

const mixFilters = (streams: readonly string[]) =>
  streams.length > 1 ? [`amix=inputs=${streams.length}:normalize=0:dropout_transition=0`] : []

function soundOf(graph: FilterGraph, sound: SoundClip, fps: number): string {
  const { source, parts, startFrame } = sound
  const streams = parts.map(({ input, part }) =>
    graph.chain([`${input}:a:0`], partFilters(part, source.playbackRate ?? 1, fps)),
  )
  const frames = parts.reduce((sum, { part }) => sum + part.frames, 0)
  const join = streams.length > 1 ? [`concat=n=${streams.length}:v=0:a=1`] : []
  const samples = samplesOf(startFrame, fps)
  const delay = samples > 0 ? [`adelay=delays=${samples}S:all=1`] : []
  return graph.chain(streams, [...join, ...loudness(source, frames / fps), ...delay])
}

/** A part is as long as its frames, although packets of sound have lengths of their own. */
function partFilters({ frames }: MediaPart, rate: number, fps: number): string[] {
  const tempo =
    rate < 0.5 ? ['atempo=0.5', `atempo=${exact(rate / 0.5)}`] : [`atempo=${exact(rate)}`]
  return [
    `aresample=${sampleRate}:async=1:first_pts=0`,
    'aformat=sample_fmts=fltp:channel_layouts=stereo',
    ...(rate === 1 ? [] : tempo),
    'apad',
    ...cutTo(frames, fps),
  ]
}

/**
 * By the count of samples. ffmpeg loses the times of a mix where its first stream ends, and a cut at a time would then
 * never come.
 */
const cutTo = (frames: number, fps: number): string[] => [
  `atrim=end_sample=${samplesOf(frames, fps)}`,
  'asetpts=N/SR/TB',
]

const samplesOf = (frames: number, fps: number): number => Math.round((frames / fps) * sampleRate)

function loudness(
  { volume = 1, volumeDb = 0, volumeCurve = [], fadeInMs = 0, fadeOutMs = 0 }: MediaSource,
  seconds: number,
): string[] {
  const factor = volume * 10 ** (volumeDb / 20)
  const fadeOut = Math.min(seconds, fadeOutMs / 1_000)
  return [
    ...(factor === 1 ? [] : [`volume=${exact(factor)}`]),
    ...gainFilters(volumeCurve.map(({ atSec, volume }) => ({ seconds: atSec, db: toDb(volume) }))),
    ...(fadeInMs > 0 ? [`afade=t=in:st=0:d=${exact(fadeInMs / 1_000)}`] : []),
    ...(fadeOut > 0 ? [`afade=t=out:st=${exact(seconds - fadeOut)}:d=${exact(fadeOut)}`] : []),
  ]
}

const toDb = (factor: number) => Math.max(silenceDb, 20 * Math.log10(factor))

const exact = (number: number) => number.toFixed(6)
