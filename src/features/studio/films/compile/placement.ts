// Where a picture lies on the canvas, and which part of it can be seen there. Only that part is scaled and turned, so a
// picture that is far larger than the canvas costs no more than the canvas.
import type { Clip } from '../composition/schema.ts'
import { even } from './canvas.ts'

export interface Spot {
  readonly x: number
  readonly y: number
}

/** In fractions of a picture, or in pixels. */
export interface Rectangle extends Spot {
  readonly w: number
  readonly h: number
}

export interface Extent {
  readonly width: number
  readonly height: number
}

export interface Placement {
  /** Pixels of the visible piece before it is turned. */
  readonly piece: Extent
  /** The centre of the piece on the canvas, in pixels. */
  readonly centre: Spot
  /** Radians, clockwise. */
  readonly turn: number
  /** The part of the source that fills the whole box, before a camera moves. */
  readonly base: Rectangle
  /** The part of the box that is visible. */
  readonly visible: Rectangle
  /** Whether the piece covers the canvas. */
  readonly coversCanvas: boolean
}

export const wholePicture: Rectangle = { x: 0, y: 0, w: 1, h: 1 }

/** The rectangle of the canvas that a clip is laid out in, in pixels, before `scale`. */
export function regionOf({ region }: Pick<Clip, 'region'>, canvas: Extent): Rectangle {
  const { x, y, w, h } = region ?? wholePicture
  return { x: x * canvas.width, y: y * canvas.height, w: w * canvas.width, h: h * canvas.height }
}

/** Undefined if nothing of it lies on the canvas. */
export function placeMedia(
  clip: Pick<Clip, 'region' | 'position' | 'scale' | 'rotation' | 'fit'>,
  source: Extent,
  canvas: Extent,
): Placement | undefined {
  const region = regionOf(clip, canvas)
  const { scale = 1, fit = 'cover', position } = clip
  const box = { width: region.w * scale, height: region.h * scale }
  const ratio = box.width / box.height / (source.width / source.height)
  const centre =
    position === undefined
      ? { x: region.x + region.w / 2, y: region.y + region.h / 2 }
      : { x: position.x * canvas.width, y: position.y * canvas.height }
  const shown =
    fit === 'contain'
      ? { width: box.width * Math.min(1, 1 / ratio), height: box.height * Math.min(1, ratio) }
      : box
  const base = fit === 'cover' ? centred(Math.min(1, ratio), Math.min(1, 1 / ratio)) : wholePicture
  return placeBox({ box: shown, centre, rotation: clip.rotation ?? 0, base, canvas })
}

/** Of a picture that lies at `rectangle` of the canvas before it is scaled. Undefined if nothing of it can be seen. */
export function placeDrawing(
  clip: Clip,
  rectangle: Rectangle,
  canvas: Extent,
): Placement | undefined {
  const { scale = 1, rotation = 0, position } = clip
  const box = { width: rectangle.w * scale, height: rectangle.h * scale }
  const natural = { x: rectangle.x + rectangle.w / 2, y: rectangle.y + rectangle.h / 2 }
  const centre = position === undefined ? natural : anchored(clip, box, rotation, canvas)
  return placeBox({ box, centre, rotation, base: wholePicture, canvas })
}

/** The centre of a box whose anchor lies at the clip's position. */
function anchored(clip: Clip, box: Extent, rotation: number, canvas: Extent): Spot {
  const { x = 0.5, y = 0.5 } = clip.position ?? {}
  const anchor = (clip.source.kind === 'overlay' ? clip.source.anchor : undefined) ?? 'center'
  const side = (less: string, more: string) =>
    anchor.includes(less) ? 0.5 : anchor.includes(more) ? -0.5 : 0
  const away = turned(
    { x: side('left', 'right') * box.width, y: side('top', 'bottom') * box.height },
    (rotation * Math.PI) / 180,
  )
  return { x: x * canvas.width + away.x, y: y * canvas.height + away.y }
}

/** Places a box around its centre. */
export function placeBox(wish: {
  readonly box: Extent
  readonly centre: Spot
  /** Degrees. */
  readonly rotation: number
  readonly base: Rectangle
  readonly canvas: Extent
}): Placement | undefined {
  const { box, centre, base, canvas } = wish
  const turn = ((wish.rotation % 360) * Math.PI) / 180
  const corners = [
    { x: 0, y: 0 },
    { x: canvas.width, y: 0 },
    { x: 0, y: canvas.height },
    { x: canvas.width, y: canvas.height },
  ].map((corner) => turned({ x: corner.x - centre.x, y: corner.y - centre.y }, -turn))
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const left = Math.max(-box.width / 2, Math.min(...xs))
  const right = Math.min(box.width / 2, Math.max(...xs))
  const top = Math.max(-box.height / 2, Math.min(...ys))
  const bottom = Math.min(box.height / 2, Math.max(...ys))
  if (right - left < leastPixels || bottom - top < leastPixels) return undefined
  const middle = turned({ x: (left + right) / 2, y: (top + bottom) / 2 }, turn)
  return {
    piece: { width: even(right - left), height: even(bottom - top) },
    centre: { x: centre.x + middle.x, y: centre.y + middle.y },
    turn,
    base,
    visible: {
      x: left / box.width + 0.5,
      y: top / box.height + 0.5,
      w: (right - left) / box.width,
      h: (bottom - top) / box.height,
    },
    coversCanvas:
      turn === 0 && right - left >= canvas.width - 1 && bottom - top >= canvas.height - 1,
  }
}

/** Less than this cannot be seen. */
const leastPixels = 0.5

const centred = (w: number, h: number): Rectangle => ({ x: (1 - w) / 2, y: (1 - h) / 2, w, h })

function turned({ x, y }: Spot, angle: number): Spot {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  return { x: x * cosine - y * sine, y: x * sine + y * cosine }
}
