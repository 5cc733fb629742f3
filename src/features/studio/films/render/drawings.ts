// What the browser is asked to draw for a composition.
import type { Canvas } from '../compile/canvas.ts'
import { drawingOf, layersOf } from '../compile/layers.ts'
import { placeDrawing, type Rectangle, regionOf } from '../compile/placement.ts'
import type { Place } from '../components/drawing.ts'
import type { Composition } from '../composition/schema.ts'

/** The states of one clip's picture, each shown for `framesPerState` frames. */
export interface DrawingJob {
  readonly clipId: string
  /** The rectangle of the canvas that it is laid out in, in pixels. */
  readonly region: Rectangle
  readonly place: Place
  /** Pixels of the picture for each pixel of its layout, to be as sharp as the canvas. */
  readonly sharpness: number
  /** The part of a drawing at this rectangle that can be seen, as fractions of it. Undefined if nothing can. */
  readonly visiblePart: (rectangle: Rectangle) => Rectangle | undefined
  readonly framesPerState: number
  /** HTML of one element each. */
  readonly states: readonly string[]
}

/** A picture that moves for longer is drawn less often. */
const statesMax = 300

export function drawingJobs(composition: Composition, canvas: Canvas): DrawingJob[] {
  return layersOf(composition).flatMap(({ clip, frames }) => {
    const found = drawingOf(clip)
    if (found === undefined) return []
    const { drawing, props } = found
    const isMoving = drawing.isMoving(props as never)
    const framesPerState = isMoving ? Math.ceil(frames / statesMax) : frames
    const count = Math.ceil(frames / framesPerState)
    const states = Array.from({ length: count }, (_, index) => {
      const frame = index * framesPerState
      const progress = frames > 1 ? Math.min(1, frame / (frames - framesPerState || 1)) : 1
      return drawing.html(props as never, { progress, seconds: frame / canvas.fps })
    })
    return [
      {
        clipId: clip.id,
        region: regionOf(clip, canvas),
        place: drawing.place(props as never),
        sharpness: Math.max(1, clip.scale ?? 1),
        visiblePart: (rectangle) => placeDrawing(clip, rectangle, canvas)?.visible,
        framesPerState,
        states,
      },
    ]
  })
}
