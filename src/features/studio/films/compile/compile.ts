// A composition as one ffmpeg graph. Everything is counted in frames of the film: each stream has a time base of one
// frame.

import { clipsOf } from '../composition/composition.ts'
import type { Composition } from '../composition/schema.ts'
import { framesOf } from '../composition/timing.ts'
import { expressionOf, fixed, movesOf, stillView } from './camera.ts'
import type { Canvas } from './canvas.ts'
import { createFilterGraph, type FilterGraph } from './filters.ts'
import { drawingOf, type Layer, layersOf, type Motions, motionsOf } from './layers.ts'
import {
  type Drafting,
  type DrawnInput,
  drawnPictures,
  filtersOf,
  inputsOf,
  type LayerStream,
  type MediaInput,
  mediaPictures,
} from './picture.ts'
import { type Placement, placeDrawing, placeMedia, regionOf, wholePicture } from './placement.ts'
import { isAudible, joinSounds, mixSounds, type SoundClip, type SoundLevels } from './sound.ts'

export interface FilmFiles {
  readonly media: ReadonlyMap<string, MediaInput>
  /** By clip id. */
  readonly drawn: ReadonlyMap<string, DrawnInput>
}

export interface FilmGraph {
  /** The arguments before the graph. */
  readonly inputs: readonly string[]
  /** What `-filter_complex_script` reads. */
  readonly script: string
  readonly pictures: string
  readonly sound: string
  readonly frames: number
}

export const framesOfFilm = (composition: Composition): number =>
  Math.max(0, ...clipsOf(composition).map((clip) => framesOf(clip, composition.format.fps).end))

export function compileFilm(
  composition: Composition,
  files: FilmFiles,
  canvas: Canvas,
  levels?: SoundLevels,
): FilmGraph {
  const graph = createFilterGraph()
  const args: string[][] = []
  const inputs = { add: (input: readonly string[]) => args.push([...input]) - 1 }
  const drafting: Drafting = { graph, inputs, canvas }
  const frames = framesOfFilm(composition)
  const sounds: SoundClip[] = []
  const laid = layersOf(composition).flatMap((layer) => {
    const trackId = composition.tracks[layer.trackIndex]?.id ?? ''
    return layOut(drafting, files, layer, (sound) => void sounds.push({ ...sound, trackId }))
  })
  const heard = [...sounds, ...soundClips(drafting, files, composition, 'audio')]
  const pictures = stack(graph, canvas, frames, laid)
  const sound = mixSounds(graph, heard, { frames, fps: canvas.fps }, levels)
  return { inputs: args.flat(), script: graph.text(), pictures, sound, frames }
}

/** The picture of one frame. Clips of sound are not read. */
export function compileStill(
  composition: Composition,
  files: FilmFiles,
  canvas: Canvas,
  frame: number,
): Pick<FilmGraph, 'inputs' | 'script' | 'pictures'> {
  const graph = createFilterGraph()
  const args: string[][] = []
  const inputs = { add: (input: readonly string[]) => args.push([...input]) - 1 }
  const laid = layersOf(composition).flatMap((layer) =>
    layOut({ graph, inputs, canvas }, files, layer, () => {}),
  )
  const shown = stack(graph, canvas, frame + 1, laid)
  const only = `select=eq(n\\,${frame})`
  const colours = 'scale=in_color_matrix=bt709:in_range=tv:out_range=pc,format=rgb24'
  const pictures = graph.chain([shown], [only, colours])
  return { inputs: args.flat(), script: graph.text(), pictures }
}

export interface SoundGraph {
  readonly inputs: readonly string[]
  readonly script: string
  /** The stream of each track that has sound, without ducking; or that of the mix, by the id `mix`. */
  readonly streams: ReadonlyMap<string, string>
}

/** The sound alone: that of each of these tracks by itself, or the mix at these levels. */
export function compileSound(
  composition: Composition,
  files: FilmFiles,
  canvas: Canvas,
  wanted: { readonly tracks: ReadonlySet<string> } | { readonly levels: SoundLevels },
): SoundGraph {
  const graph = createFilterGraph()
  const args: string[][] = []
  const inputs = { add: (input: readonly string[]) => args.push([...input]) - 1 }
  const film = { frames: framesOfFilm(composition), fps: canvas.fps }
  const heard = soundClips({ graph, inputs, canvas }, files, composition, 'every').filter(
    ({ trackId }) => 'levels' in wanted || wanted.tracks.has(trackId),
  )
  const ids = [...new Set(heard.map(({ trackId }) => trackId))]
  const streams: [string, string][] =
    'levels' in wanted
      ? [['mix', mixSounds(graph, heard, film, wanted.levels)]]
      : ids.map((id) => [
          id,
          joinSounds(
            graph,
            heard.filter(({ trackId }) => trackId === id),
            film,
          ),
        ])
  return { inputs: args.flat(), script: graph.text(), streams: new Map(streams) }
}

/** A layer whose stream is ready to be laid over those beneath it. An effect has no stream of its own. */
interface LaidLayer {
  readonly layer: Layer
  readonly stream: LayerStream | undefined
  readonly x: string
  readonly y: string
}

function layOut(
  drafting: Drafting,
  files: FilmFiles,
  layer: Layer,
  onSound: (sound: Omit<SoundClip, 'trackId'>) => void,
): LaidLayer[] {
  const { clip } = layer
  if (clip.source.kind === 'effect') return [{ layer, stream: undefined, x: '0', y: '0' }]
  if (clip.source.kind !== 'media') return layOutDrawing(drafting, files, layer)
  const media = files.media.get(clip.source.mediaId)
  if (media === undefined) throw new Error(`The media ${clip.source.mediaId} are missing.`)
  const { width, height, hasSound } = media.probe
  const placement = placeMedia(clip, { width: width ?? 1, height: height ?? 1 }, drafting.canvas)
  const parts = inputsOf(drafting, media, clip.source, layer.frames)
  if (hasSound && isAudible(clip.source))
    onSound({ clip, source: clip.source, parts, startFrame: layer.startFrame })
  if (placement === undefined) return []
  const stream = mediaPictures(drafting, media, parts, layer, placement)
  return [{ layer, stream, ...cornerOf(placement, stream, '', '') }]
}

function layOutDrawing(drafting: Drafting, files: FilmFiles, layer: Layer): LaidLayer[] {
  const { canvas } = drafting
  const { clip } = layer
  const drawn = files.drawn.get(clip.id)
  const drawing = drawingOf(clip)
  const placement = drawn && placeDrawing(clip, drawn.rectangle, canvas)
  // A picture without content, for example a text of spaces, has no size.
  if (drawn === undefined || drawing === undefined || placement === undefined) return []
  const motions = motionsOf(drawing.props, layer.frames, canvas.fps)
  const stream = drawnPictures(drafting, drawn, layer, placement, motions)
  const [slideX, slideY] = slidesOf(motions, layer, canvas)
  return [{ layer, stream, ...cornerOf(placement, stream, slideX, slideY) }]
}

function cornerOf({ centre }: Placement, { size }: LayerStream, moreX: string, moreY: string) {
  return {
    x: `${Math.round(centre.x - size.width / 2)}${moreX}`,
    y: `${Math.round(centre.y - size.height / 2)}${moreY}`,
  }
}

/** How far a picture slides, as a fraction of the shorter side. */
const slideDistance = 0.08

/** The frame of the film, wherever a filter knows the time. Some filters count frames from 0 and some from 1. */
const frameAt = ({ fps }: Canvas) => `round(t*${fps})`

/** Terms for x and y. */
function slidesOf(
  motions: Motions,
  { startFrame, frames }: Layer,
  canvas: Canvas,
): [string, string] {
  const { entrance, exit, frames: count } = motions
  if (count === 0) return ['', '']
  const frame = frameAt(canvas)
  const from = `pow(1-clip((${frame}-${startFrame})/${count},0,1),2)`
  const to = `pow(clip((${frame}-${startFrame + frames - count})/${count},0,1),2)`
  const distance = fixed(Math.min(canvas.width, canvas.height) * slideDistance)
  const term = (motion: string, less: string, more: string, part: string, sign: 1 | -1) => {
    const way = motion === less ? sign : motion === more ? -sign : 0
    return way === 0 ? '' : `${way > 0 ? '+' : '-'}${distance}*${part}`
  }
  return [
    term(entrance, 'slide-left', 'slide-right', from, 1) +
      term(exit, 'slide-left', 'slide-right', to, -1),
    term(entrance, 'slide-up', 'slide-down', from, 1) +
      term(exit, 'slide-up', 'slide-down', to, -1),
  ]
}

/** The clips of audio tracks, or those of every track that have sound. */
function soundClips(
  drafting: Drafting,
  files: FilmFiles,
  { tracks, format }: Composition,
  which: 'audio' | 'every',
): SoundClip[] {
  const clips = tracks
    .filter(({ kind, enabled }) => (which === 'every' || kind === 'audio') && enabled !== false)
    .flatMap(({ id: trackId, contents }) => contents.map((clip) => ({ trackId, clip })))
  return clips.flatMap(({ trackId, clip }) => {
    const { source } = clip
    const media = source.kind === 'media' ? files.media.get(source.mediaId) : undefined
    if (source.kind !== 'media' || media?.probe.hasSound !== true || !isAudible(source)) return []
    const { start, end } = framesOf(clip, format.fps)
    const parts = inputsOf(drafting, media, source, end - start)
    return [{ trackId, clip, source, parts, startFrame: start }]
  })
}

function stack(
  graph: FilterGraph,
  canvas: Canvas,
  frames: number,
  laid: readonly LaidLayer[],
): string {
  const ground = groundOf(laid)
  const start = layGround(graph, canvas, frames, ground)
  const done = laid
    .filter((each) => !ground.includes(each))
    .reduce((beneath, each) => {
      if (each.stream === undefined) return layEffect(graph, canvas, beneath, each.layer)
      const shifted = graph.chain([each.stream.stream], [`setpts=PTS+${each.layer.startFrame}`])
      const follow = parallaxOf(each.layer, laid, canvas)
      return graph.chain(
        [beneath, shifted],
        [`overlay=x='${each.x}${follow.x}':y='${each.y}${follow.y}':eof_action=pass:format=yuv420`],
      )
    }, start)
  return graph.chain([done], [`trim=end_frame=${frames}`, 'format=yuv420p'])
}

/**
 * Opaque layers at the bottom need not be blended with anything. They are joined instead, which halves the cost of a
 * simple film. A layer over which another one lies already is not among them.
 */
function groundOf(laid: readonly LaidLayer[]): LaidLayer[] {
  const ground: LaidLayer[] = []
  const others: LaidLayer[] = []
  const endOf = ({ layer }: LaidLayer) => layer.startFrame + layer.frames + layer.held
  const overlap = (one: LaidLayer, other: LaidLayer) =>
    one.layer.startFrame < endOf(other) && other.layer.startFrame < endOf(one)
  for (const each of laid) {
    const isFree = ![...ground, ...others].some((other) => overlap(each, other))
    if (each.stream?.isOpaque === true && isFree) ground.push(each)
    else others.push(each)
  }
  return ground.toSorted((one, other) => one.layer.startFrame - other.layer.startFrame)
}

function layGround(
  graph: FilterGraph,
  canvas: Canvas,
  frames: number,
  ground: readonly LaidLayer[],
): string {
  const streams: string[] = []
  let filled = 0
  const black = (until: number) => {
    if (until <= filled) return
    const color = `color=c=black:s=${canvas.width}x${canvas.height}:r=${canvas.fps}`
    streams.push(graph.chain([], [color, `trim=end_frame=${until - filled}`, 'format=yuv420p']))
    filled = until
  }
  for (const { layer, stream } of ground) {
    black(layer.startFrame)
    if (stream !== undefined) streams.push(stream.stream)
    filled = layer.startFrame + layer.frames + layer.held
  }
  black(frames)
  const [only = ''] = streams
  if (streams.length === 1) return only
  return graph.chain(streams, [`concat=n=${streams.length}:v=1:a=0`, `fps=${canvas.fps}`])
}

/** An effect changes what lies beneath it: in its region, in part if it is not opaque, and only during its clip. */
function layEffect(graph: FilterGraph, canvas: Canvas, beneath: string, layer: Layer): string {
  const { clip, startFrame, frames, transition } = layer
  if (clip.source.kind !== 'effect') return beneath
  const { opacity = 1 } = clip
  const frame = frameAt(canvas)
  const when = `enable='gte(${frame},${startFrame})*lt(${frame},${startFrame + frames})'`
  const area = wholePixels(regionOf(clip, canvas), canvas)
  const filters = filtersOf(clip.source, area.h).map((filter) => `${filter}:${when}`)
  const isWhole = area.w === canvas.width && area.h === canvas.height
  if (isWhole && opacity === 1 && transition === undefined) return graph.chain([beneath], filters)
  const [rest, part] = graph.fork(beneath, 'split')
  const changed = graph.chain(
    [part],
    [
      `crop=w=${area.w}:h=${area.h}:x=${area.x}:y=${area.y}`,
      ...filters,
      'format=yuva420p',
      ...(opacity === 1 ? [] : [`lutyuv=a=val*${fixed(opacity)}`]),
      ...(transition === undefined
        ? []
        : [`fade=t=in:start_frame=${startFrame}:nb_frames=${transition.frames}:alpha=1`]),
    ],
  )
  return graph.chain([rest, changed], [`overlay=x=${area.x}:y=${area.y}:format=yuv420:${when}`])
}

/** The part of a rectangle that lies on the canvas, in even pixels. */
function wholePixels(rectangle: { x: number; y: number; w: number; h: number }, canvas: Canvas) {
  const bound = (number: number, most: number) =>
    Math.min(most, Math.max(0, Math.round(number / 2) * 2))
  const x = Math.min(canvas.width - 2, bound(rectangle.x, canvas.width))
  const y = Math.min(canvas.height - 2, bound(rectangle.y, canvas.height))
  return {
    x,
    y,
    w: Math.max(2, bound(rectangle.x + rectangle.w, canvas.width) - x),
    h: Math.max(2, bound(rectangle.y + rectangle.h, canvas.height) - y),
  }
}

/** Terms that move an overlay with the camera of the topmost picture beneath it. */
function parallaxOf(
  layer: Layer,
  laid: readonly LaidLayer[],
  canvas: Canvas,
): { x: string; y: string } {
  const { source } = layer.clip
  const parallax = source.kind === 'overlay' ? (source.parallax ?? 0) : 0
  const still = { x: '', y: '' }
  if (parallax === 0) return still
  const above = laid.findIndex((each) => each.layer === layer)
  for (const { layer: beneath } of laid.slice(0, above).reverse()) {
    const { clip, startFrame, frames } = beneath
    const overlaps =
      startFrame < layer.startFrame + layer.frames && layer.startFrame < startFrame + frames
    if (clip.source.kind !== 'media' || !overlaps) continue
    const moves = movesOf(clip.source, clip, { frames, fps: canvas.fps }, wholePicture)
    if (stillView(moves) !== undefined) return still
    // A point in the middle of the picture is seen this far from the middle of the frame.
    const shift = (read: (view: { x: number; y: number; w: number; h: number }) => number) =>
      expressionOf(moves, `(${frameAt(canvas)}-${startFrame})`, read)
    const term = (side: number, expression: string) => `+${fixed(parallax * side)}*(${expression})`
    return {
      x: term(
        canvas.width,
        shift(({ x, w }) => (0.5 - x - w / 2) / w),
      ),
      y: term(
        canvas.height,
        shift(({ y, h }) => (0.5 - y - h / 2) / h),
      ),
    }
  }
  return still
}
