// What the browser is asked to draw for a composition.
import type { Canvas } from '../compile/canvas.ts'
import { drawingOf, layersOf } from '../compile/layers.ts'
import { placeDrawing, type Rectangle, regionOf } from '../compile/placement.ts'
import type { Drawing, DrawnState, FrameSpan, Place } from '../components/drawing.ts'
import { marginsOf } from '../composition/safe-area.ts'
import type { Clip, Composition } from '../composition/schema.ts'
import { textOf } from '../fonts/drawn-text.ts'
import type { FontShelf } from '../fonts/shelf.ts'

/** The states of one clip's picture, one after the other. */
export interface DrawingJob {
  readonly clipId: string
  /** The rectangle of the canvas that it is laid out in, in pixels. */
  readonly region: Rectangle
  readonly place: Place
  /** Pixels of the picture for each pixel of its layout, to be as sharp as the canvas. */
  readonly sharpness: number
  /** The part of a drawing at this rectangle that can be seen, as fractions of it. Undefined if nothing can. */
  readonly visiblePart: (rectangle: Rectangle) => Rectangle | undefined
  /** Fonts that have its characters, beside the usual ones. */
  readonly families: readonly string[]
  /** One element each. */
  readonly states: readonly DrawnState[]
}

/** A picture that moves for longer is drawn less often. */
const statesMax = 300

export function drawingJobs(
  composition: Composition,
  canvas: Canvas,
  {
    fonts,
    onlyFrame,
  }: {
    readonly fonts?: Pick<FontShelf, 'familiesFor'> | undefined
    /** Draws what this frame shows, and that for the whole clip. */
    readonly onlyFrame?: number | undefined
  } = {},
): DrawingJob[] {
  return layersOf(composition).flatMap(({ clip, startFrame, frames }) => {
    const found = drawingOf(clip)
    if (found === undefined) return []
    const { drawing, props } = found
    const span = { frames, fps: canvas.fps }
    const all = drawing.states?.(props as never, span) ?? regularStates(drawing, props, span)
    const states = onlyFrame === undefined ? all : stateAt(all, onlyFrame - startFrame, frames)
    return [
      {
        clipId: clip.id,
        region: drawing.isRead ? safeRegion(clip, composition, canvas) : regionOf(clip, canvas),
        place: drawing.place(props as never),
        sharpness: Math.max(1, clip.scale ?? 1),
        visiblePart: (rectangle) => placeDrawing(clip, rectangle, canvas)?.visible,
        families: fonts?.familiesFor(states.map(({ html }) => textOf(html)).join('\n')) ?? [],
        states,
      },
    ]
  })
}

/** A clip that names its region is where it says. */
function safeRegion(clip: Clip, { safeArea }: Composition, canvas: Canvas): Rectangle {
  if (clip.region !== undefined || safeArea === undefined) return regionOf(clip, canvas)
  const { top, right, bottom, left } = marginsOf(safeArea)
  return {
    x: left * canvas.width,
    y: top * canvas.height,
    w: (1 - left - right) * canvas.width,
    h: (1 - top - bottom) * canvas.height,
  }
}

function stateAt(states: readonly DrawnState[], frame: number, frames: number): DrawnState[] {
  let end = 0
  const shown = states.find((state) => {
    end += state.frames
    return frame < end
  })
  const { html } = shown ?? states.at(-1) ?? { html: '' }
  return [{ html, frames }]
}

function regularStates(drawing: Drawing, props: object, { frames, fps }: FrameSpan): DrawnState[] {
  const isMoving = drawing.isMoving(props as never)
  const framesPerState = isMoving ? Math.ceil(frames / statesMax) : frames
  const count = Math.ceil(frames / framesPerState)
  return Array.from({ length: count }, (_, index) => {
    const frame = index * framesPerState
    const progress = frames > 1 ? Math.min(1, frame / (frames - framesPerState || 1)) : 1
    const html = drawing.html(props as never, { progress, seconds: frame / fps })
    return { html, frames: Math.min(framesPerState, frames - frame) }
  })
}
