// One layer as a stream of pictures: cut, scaled, with its effects, turned, and faded. It starts at frame 0.
import { effectsById } from '../components/catalog.ts'
import type { PictureSpan, ProbedMedia } from '../composition/media.ts'
import type { EffectUse, MediaSource } from '../composition/schema.ts'
import { type MediaPart, partsOf } from '../composition/timing.ts'
import { type CameraMove, cutMove, expressionOf, fixed, movesOf, stillView } from './camera.ts'
import { type Canvas, even } from './canvas.ts'
import type { FilterGraph } from './filters.ts'
import type { Layer, Motions, TransitionType } from './layers.ts'
import type { Extent, Placement, Rectangle } from './placement.ts'

/** Collects the inputs of ffmpeg. */
export interface Inputs {
  /** Answers with the number of the input. */
  add(args: readonly string[]): number
}

/** Media as ffmpeg reads them. */
export interface MediaInput {
  readonly file: string
  readonly probe: ProbedMedia
}

/** A picture that was drawn, or a list of several with the time that each is shown. */
export interface DrawnInput {
  readonly file: string
  readonly isList: boolean
  /** Where the whole drawing lies, in pixels of the canvas. */
  readonly rectangle: Rectangle
  /** The part of it that the pictures hold: all that can be seen. */
  readonly part: Rectangle
}

export interface Drafting {
  readonly graph: FilterGraph
  readonly inputs: Inputs
  readonly canvas: Canvas
}

export interface LayerStream {
  readonly stream: string
  /** Pixels of what is laid onto the canvas. */
  readonly size: Extent
  readonly isOpaque: boolean
}

/** One part of a clip's media and the input that reads it. */
export interface PartInput {
  readonly input: number
  /** Of its pictures, if they are read from another place than its sound. */
  readonly pictures?: { readonly input: number; readonly leadSeconds: number }
  readonly part: MediaPart
}

/** The inputs of a clip's media, which its sound shares unless the pictures must be read from another place. */
export function inputsOf(
  { inputs, canvas }: Drafting,
  { file, probe }: MediaInput,
  source: MediaSource,
  frames: number,
): PartInput[] {
  if (probe.durationSeconds === null) {
    const part = { start: 0, seconds: frames / canvas.fps, frames, isEndless: false }
    return [{ input: inputs.add(['-framerate', String(canvas.fps), '-i', file]), part }]
  }
  const add = ({ start, seconds, isEndless }: Omit<MediaPart, 'frames'>) => {
    const seek = start > 0 ? ['-ss', start.toFixed(6)] : []
    const loop = isEndless ? ['-stream_loop', '-1'] : []
    return inputs.add([...loop, ...seek, '-t', seconds.toFixed(6), '-i', file])
  }
  return partsOf(source, probe.durationSeconds, frames, canvas.fps).map((part) => {
    const seen = picturesOf(part, probe.pictures)
    const input = add(part)
    if (seen === undefined) return { input, part }
    return { input, part, pictures: { input: add(seen), leadSeconds: seen.leadSeconds } }
  })
}

/** A seek goes so far before a picture, so that rounding does not miss it. */
const seekSeconds = 0.001
/** Between the pictures of ordinary videos is less time. */
const sparseSeconds = 0.5

/**
 * Where the pictures of a part are read. Before the first picture of the media that one is shown, and after the last
 * one that one stays. Where pictures are rare, the one that is shown at the start of the part lies before it.
 * Undefined: where the part says.
 */
function picturesOf(part: MediaPart, span: PictureSpan | undefined) {
  if (span === undefined || part.isEndless) return undefined
  const { firstSeconds, lastSeconds, gapSecondsMax } = span
  const only = (at: number) => ({
    start: Math.max(0, at - seekSeconds),
    seconds: 1,
    isEndless: false,
    leadSeconds: 0,
  })
  if (part.start > lastSeconds) return only(lastSeconds)
  if (part.start + part.seconds <= firstSeconds) return only(firstSeconds)
  if (gapSecondsMax < sparseSeconds || part.start === 0) return undefined
  const start = Math.max(0, part.start - gapSecondsMax - seekSeconds)
  const leadSeconds = part.start - start
  return { start, seconds: part.seconds + leadSeconds, isEndless: false, leadSeconds }
}

export function mediaPictures(
  drafting: Drafting,
  media: MediaInput,
  parts: readonly PartInput[],
  layer: Layer,
  placement: Placement,
): LayerStream {
  const { graph, canvas } = drafting
  const { probe } = media
  const source = layer.clip.source as MediaSource
  const frames = { frames: layer.frames, fps: canvas.fps }
  const moves = movesOf(source, layer.clip, frames, placement.base).map((move) =>
    cutMove(move, placement.visible),
  )
  const still = stillView(moves)
  const lens = still === undefined ? lensOf(moves, probe, placement.piece) : undefined
  const size = lens?.size ?? placement.piece
  const shape =
    still === undefined
      ? [scaleTo(size, probe)]
      : [...cropTo(still), scaleTo(placement.piece, probe)]
  const streams = parts.map(({ input, pictures = { input, leadSeconds: 0 }, part }) => {
    const shown = graph.chain(
      // Pictures that are attached, such as the cover of an album, are not counted.
      [`${pictures.input}:V:0`],
      probe.kind === 'image'
        ? [...shape, ...repeated(part.frames)]
        : playedFilters({ ...part, ...pictures }, source, shape, probe, canvas.fps),
    )
    return filled(drafting, shown, { ...part, size, hasTransparency: probe.hasTransparency })
  })
  const join = streams.length > 1 ? [`concat=n=${streams.length}:v=1:a=0`, `fps=${canvas.fps}`] : []
  const after =
    lens === undefined
      ? []
      : [lens.filter, `scale=${sizeText(placement.piece)}:flags=bicubic`, 'setsar=1']
  const joined = graph.chain(streams, [...join, ...after])
  return finish(drafting, joined, layer, placement, {
    hasTransparency: probe.hasTransparency,
  })
}

export function drawnPictures(
  drafting: Drafting,
  { file, isList, part }: DrawnInput,
  layer: Layer,
  placement: Placement,
  motions: Motions,
): LayerStream {
  const { graph, inputs, canvas } = drafting
  const shape = [
    ...cropTo(within(part, placement.visible)),
    `scale=${sizeText(placement.piece)}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
    'format=yuva420p',
  ]
  const form = isList ? ['-f', 'concat', '-safe', '0'] : ['-framerate', String(canvas.fps)]
  const input = inputs.add([...form, '-i', file])
  const stream = graph.chain(
    [`${input}:v:0`],
    isList
      ? [...shape, `fps=fps=${canvas.fps}:start_time=0`, ...exactly(layer.frames)]
      : [...shape, ...repeated(layer.frames)],
  )
  return finish(drafting, stream, layer, placement, { hasTransparency: true, motions })
}

/** A part of a picture as fractions of a larger part of it. */
const within = (outer: Rectangle, { x, y, w, h }: Rectangle): Rectangle => ({
  x: (x - outer.x) / outer.w,
  y: (y - outer.y) / outer.h,
  w: w / outer.w,
  h: h / outer.h,
})

/** The part of the source that is seen. */
function cropTo({ x, y, w, h }: Rectangle): string[] {
  if (w > 0.9999 && h > 0.9999) return []
  return [
    `crop=w='max(2,iw*${fixed(w)})':h='max(2,ih*${fixed(h)})':x='iw*${fixed(x)}':y='ih*${fixed(y)}'`,
  ]
}

const sizeText = ({ width, height }: Extent) => `w=${width}:h=${height}`

/** Files of high definition that name no matrix use that of high definition, which ffmpeg does not assume. */
function scaleTo(size: Extent, media: ProbedMedia): string {
  const { kind, hasColorMatrix, height, hasTransparency } = media
  const isHighDefinition = kind === 'video' && !hasColorMatrix && (height ?? 0) >= 720
  const from = isHighDefinition ? ':in_color_matrix=bt709' : ''
  return `scale=${sizeText(size)}:flags=bicubic${from}:out_color_matrix=bt709:out_range=tv,format=${hasTransparency ? 'yuva420p' : 'yuv420p'},setsar=1`
}

/** A still picture is decoded and scaled once. */
const repeated = (frames: number) => ['loop=loop=-1:size=1', `trim=end_frame=${frames}`, 'setpts=N']

const exactly = (frames: number) => [
  `tpad=stop=${frames}:stop_mode=clone`,
  `trim=end_frame=${frames}`,
  'setpts=PTS-STARTPTS',
]

/**
 * A part without a single picture, as of a damaged file, shows the background. Without it the part would have no
 * length, and the clips after it would come too early.
 */
function filled(
  { graph, canvas: { fps } }: Drafting,
  stream: string,
  part: { readonly frames: number; readonly size: Extent; readonly hasTransparency: boolean },
): string {
  const { frames, size, hasTransparency } = part
  const [color, format] = hasTransparency ? ['black@0', 'yuva420p'] : ['black', 'yuv420p']
  const background = graph.chain(
    [],
    [
      `color=c=${color}:s=${size.width}x${size.height}:r=${fps}`,
      ...[`trim=end_frame=${frames}`, `format=${format}`, 'setsar=1'],
    ],
  )
  const joined = ['concat=n=2:v=1:a=0', `fps=${fps}`, `trim=end_frame=${frames}`]
  return graph.chain([stream, background], joined)
}

/** Frames are scaled where there are fewer of them: before their rate is raised, or after it is lowered. */
function playedFilters(
  { frames, leadSeconds }: { readonly frames: number; readonly leadSeconds: number },
  { playbackRate = 1 }: MediaSource,
  shape: readonly string[],
  { frameRate }: ProbedMedia,
  fps: number,
): string[] {
  const pace = [
    ...(leadSeconds === 0 ? [] : [`setpts=PTS-${fixed(leadSeconds)}/TB`]),
    ...(playbackRate === 1 ? [] : [`setpts=PTS/${fixed(playbackRate)}`]),
    `fps=fps=${fps}:start_time=0`,
  ]
  const isFaster = (frameRate ?? 0) * playbackRate > fps
  return [...(isFaster ? [...pace, ...shape] : [...shape, ...pace]), ...exactly(frames)]
}

/**
 * A moving camera. `perspective` reads between pixels, so slow moves do not tremble. The source is scaled down first to
 * the most that the moves need.
 */
function lensOf(moves: readonly CameraMove[], { width, height }: ProbedMedia, piece: Extent) {
  const seen = moves.flatMap(({ from, to }) => [from, to])
  const least = (name: 'w' | 'h') => Math.min(...seen.map((view) => view[name]))
  const size = {
    width: even(Math.min(width ?? piece.width, piece.width / least('w'))),
    height: even(Math.min(height ?? piece.height, piece.height / least('h'))),
  }
  const at = (read: (view: Rectangle) => number) => expressionOf(moves, '(on-1)', read)
  const [left, right] = [at(({ x }) => x), at(({ x, w }) => x + w)]
  const [top, bottom] = [at(({ y }) => y), at(({ y, h }) => y + h)]
  const corners = [
    `x0='W*(${left})':y0='H*(${top})'`,
    `x1='W*(${right})':y1='H*(${top})'`,
    `x2='W*(${left})':y2='H*(${bottom})'`,
    `x3='W*(${right})':y3='H*(${bottom})'`,
  ]
  return { size, filter: `perspective=${corners.join(':')}:sense=source:eval=frame` }
}

interface Finish {
  readonly hasTransparency: boolean
  readonly motions?: Motions
}

function finish(
  { graph, canvas }: Drafting,
  stream: string,
  layer: Layer,
  { piece, turn, coversCanvas }: Placement,
  { hasTransparency, motions }: Finish,
): LayerStream {
  const { clip, held, transition } = layer
  const { opacity = 1, effects = [] } = clip
  const seen = applyEffects(graph, stream, effects, piece.height, hasTransparency)
  const isOpaque =
    !hasTransparency && coversCanvas && opacity === 1 && turn === 0 && transition === undefined
  if (isOpaque) {
    const filters = [...heldFilters(held), 'format=yuv420p']
    return { stream: graph.chain([seen], filters), size: piece, isOpaque }
  }
  const size = turn === 0 ? piece : turnedSize(piece, turn)
  const filters = [
    'format=yuva420p',
    ...(turn === 0 ? [] : [`rotate=a=${fixed(turn)}:ow=${size.width}:oh=${size.height}:c=black@0`]),
    ...(opacity === 1 ? [] : [`lutyuv=a=val*${fixed(opacity)}`]),
    ...fadesOf(motions, layer),
    ...(isSoft(transition?.type) ? [fadeIn(transition?.frames ?? 0)] : []),
    ...heldFilters(held),
  ]
  const whole = graph.chain([seen], filters)
  const revealed =
    transition === undefined || isSoft(transition.type)
      ? whole
      : reveal(graph, whole, size, layer, canvas.fps)
  return { stream: revealed, size, isOpaque }
}

const heldFilters = (held: number) => (held === 0 ? [] : [`tpad=stop=${held}:stop_mode=clone`])

function turnedSize({ width, height }: Extent, turn: number): Extent {
  const [cosine, sine] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))]
  return {
    width: even(width * cosine + height * sine),
    height: even(width * sine + height * cosine),
  }
}

/** Most effects know no transparency, so it is put aside for them. */
function applyEffects(
  graph: FilterGraph,
  stream: string,
  effects: readonly EffectUse[],
  height: number,
  hasTransparency: boolean,
): string {
  const filters = effects.flatMap((use) => filtersOf(use, height))
  if (filters.length === 0) return stream
  if (!hasTransparency) return graph.chain([stream], ['format=yuv420p', ...filters])
  const shape = graph.chain([stream], ['format=yuva420p'])
  const [picture, mask] = graph.fork(shape, 'split')
  const changed = graph.chain([picture], ['format=yuv420p', ...filters])
  return graph.chain([changed, graph.chain([mask], ['alphaextract'])], ['alphamerge'])
}

export function filtersOf({ primitiveId, params }: EffectUse, height: number): readonly string[] {
  const effect = effectsById.get(primitiveId)
  return effect === undefined ? [] : effect.filters(effect.params.parse(params) as never, height)
}

const fadeIn = (frames: number) => `fade=t=in:start_frame=0:nb_frames=${frames}:alpha=1`

function fadesOf(motions: Motions | undefined, { frames, held }: Layer): string[] {
  if (motions === undefined || motions.frames === 0) return []
  const start = frames - motions.frames
  return [
    ...(motions.entrance === 'none' ? [] : [fadeIn(motions.frames)]),
    ...(motions.exit === 'none' || held > 0
      ? []
      : [`fade=t=out:start_frame=${start}:nb_frames=${motions.frames}:alpha=1`]),
  ]
}

const xfadeNames: Partial<Record<TransitionType, string>> = {
  'wipe-left': 'wipeleft',
  'wipe-right': 'wiperight',
  'wipe-up': 'wipeup',
  'wipe-down': 'wipedown',
  'slide-left': 'slideleft',
  'slide-right': 'slideright',
  'slide-up': 'slideup',
  'slide-down': 'slidedown',
  circle: 'circleopen',
  radial: 'radial',
  pixelize: 'pixelize',
}

/** Transitions that are a change of opacity, which costs less than one of shape. */
const isSoft = (type: TransitionType | undefined) =>
  type !== undefined && xfadeNames[type] === undefined

/** The picture takes the place of a transparent one. */
function reveal(
  graph: FilterGraph,
  stream: string,
  size: Extent,
  { transition, frames, held }: Layer,
  fps: number,
): string {
  if (transition === undefined) return stream
  const nothing = graph.chain(
    [],
    [
      `color=c=black@0:s=${size.width}x${size.height}:r=${fps}`,
      'format=yuva444p',
      `trim=end_frame=${transition.frames + 1}`,
    ],
  )
  // xfade never ends when the second picture ends with the transition.
  const picture = graph.chain([stream], ['format=yuva444p', 'tpad=stop=2:stop_mode=clone'])
  const seconds = fixed(transition.frames / fps)
  const change = `xfade=transition=${xfadeNames[transition.type]}:duration=${seconds}:offset=0`
  const length = `trim=end_frame=${frames + held}`
  return graph.chain([nothing, picture], [change, length, 'format=yuva420p'])
}
