// The moves of a camera over a picture, in whole frames of its clip.
import {
  type Clip,
  kenBurnsAmount,
  type MediaSource,
  type ReframeSegment,
} from '../composition/schema.ts'
import type { Rectangle, Spot } from './placement.ts'

/** What the camera sees goes from one rectangle of the source to another. */
export interface CameraMove {
  readonly firstFrame: number
  /** The frame after the last. */
  readonly endFrame: number
  readonly from: Rectangle
  readonly to: Rectangle
  readonly isEased: boolean
}

/** Where the camera looks: its zoom is the fraction of the frame that it sees. */
interface View {
  readonly zoom: number
  readonly focus: Spot
  readonly bias: Spot
}

const wideView: View = { zoom: 1, focus: { x: 0.5, y: 0.5 }, bias: { x: 0, y: 0 } }

interface Shot {
  readonly start: number
  readonly end: number
  readonly from: View
  readonly to: View
  readonly isEased: boolean
}

/** Together they cover the clip's frames. `base` is what the camera sees at zoom 1. */
export function movesOf(
  source: MediaSource,
  clip: Pick<Clip, 'duration'>,
  timing: { readonly frames: number; readonly fps: number },
  base: Rectangle,
): CameraMove[] {
  const { frames, fps } = timing
  const shots = [...shotsOf(source, clip.duration)]
  const frameOf = (seconds: number) => Math.min(frames, Math.round(seconds * fps))
  const moves = shots
    .map((shot) => ({
      firstFrame: frameOf(shot.start),
      endFrame: frameOf(shot.end),
      from: rectangleOf(shot.from, base),
      to: rectangleOf(shot.to, base),
      isEased: shot.isEased,
    }))
    .filter(({ firstFrame, endFrame }) => endFrame > firstFrame)
  const last = moves.pop()
  return last === undefined ? [] : [...moves, { ...last, endFrame: frames }]
}

function shotsOf({ kenBurns, reframe }: MediaSource, duration: number): Iterable<Shot> {
  if (kenBurns !== undefined) {
    const [from, to] = endsOfKenBurns(kenBurns)
    return [{ start: 0, end: duration, from, to, isEased: false }]
  }
  return reframe === undefined
    ? [hold(0, duration, wideView)]
    : shotsOfSegments(reframe.segments, duration)
}

const hold = (start: number, end: number, view: View): Shot => ({
  start,
  end,
  from: view,
  to: view,
  isEased: false,
})

function endsOfKenBurns(wish: NonNullable<MediaSource['kenBurns']>): [View, View] {
  const { direction, amount } =
    typeof wish === 'string' ? { direction: wish, amount: kenBurnsAmount } : wish
  const near: View = { ...wideView, zoom: 1 - amount }
  const at = (x: number, y: number): View => ({ ...near, focus: { x, y } })
  switch (direction) {
    case 'in':
      return [wideView, near]
    case 'out':
      return [near, wideView]
    case 'left':
      return [at(1, 0.5), at(0, 0.5)]
    case 'right':
      return [at(0, 0.5), at(1, 0.5)]
    case 'up':
      return [at(0.5, 1), at(0.5, 0)]
    case 'down':
      return [at(0.5, 0), at(0.5, 1)]
  }
}

/** Segments that are closer than this touch. */
const gapSeconds = 0.001

/** Segments that touch are joined by one move. Before, between and after segments the camera sees everything. */
function* shotsOfSegments(segments: readonly ReframeSegment[], duration: number): Iterable<Shot> {
  const move = (start: number, end: number, from: View, to: View): Shot => ({
    start,
    end,
    from,
    to,
    isEased: true,
  })
  for (const [index, segment] of segments.entries()) {
    const view = viewOf(segment)
    const [before, after] = [segments[index - 1], segments[index + 1]]
    const touchesBefore = before !== undefined && segment.startSec - before.endSec < gapSeconds
    const touchesAfter = after !== undefined && after.startSec - segment.endSec < gapSeconds
    const holdStart = segment.startSec + (segment.ease?.in ?? 0)
    const holdEnd = segment.endSec - (segment.ease?.out ?? 0)
    if (!touchesBefore) {
      yield hold(before?.endSec ?? 0, segment.startSec, wideView)
      yield move(segment.startSec, holdStart, wideView, view)
    }
    yield hold(holdStart, holdEnd, view)
    if (touchesAfter)
      yield move(holdEnd, after.startSec + (after.ease?.in ?? 0), view, viewOf(after))
    else yield move(holdEnd, segment.endSec, view, wideView)
  }
  yield hold(segments.at(-1)?.endSec ?? 0, duration, wideView)
}

function viewOf({ zoom, focus, bias }: ReframeSegment): View {
  return { zoom, focus: pointOf(focus), bias: { x: bias?.x ?? 0, y: bias?.y ?? 0 } }
}

function pointOf(focus: ReframeSegment['focus']): Spot {
  if (typeof focus === 'string') return wideView.focus
  if ('x' in focus) return { x: focus.x, y: focus.y }
  return 'point' in focus ? focus.point : wideView.focus
}

/** The camera does not look beyond the edges of the picture. */
function rectangleOf({ zoom, focus, bias }: View, base: Rectangle): Rectangle {
  const [w, h] = [base.w * zoom, base.h * zoom]
  const start = (middle: number, size: number) => Math.min(1 - size, Math.max(0, middle - size / 2))
  return { x: start(focus.x + bias.x * w, w), y: start(focus.y + bias.y * h, h), w, h }
}

/** The part of what the camera sees that lies on the canvas. */
export function cutMove(move: CameraMove, visible: Rectangle): CameraMove {
  const cut = ({ x, y, w, h }: Rectangle): Rectangle => ({
    x: x + w * visible.x,
    y: y + h * visible.y,
    w: w * visible.w,
    h: h * visible.h,
  })
  return { ...move, from: cut(move.from), to: cut(move.to) }
}

/** The one rectangle that the camera sees all the time; undefined if it moves. */
export function stillView(moves: readonly CameraMove[]): Rectangle | undefined {
  const [first] = moves
  const same = (one: Rectangle, other: Rectangle) =>
    (['x', 'y', 'w', 'h'] as const).every((name) => Math.abs(one[name] - other[name]) < 1e-6)
  const isStill =
    first !== undefined &&
    moves.every(({ from, to }) => same(from, first.from) && same(to, first.from))
  return isStill ? first.from : undefined
}

/**
 * A number that changes with the camera, as an ffmpeg expression. `frame` is the expression of the clip's frame. A sum
 * of stretches, since ffmpeg limits how deep expressions are nested.
 */
export function expressionOf(
  moves: readonly CameraMove[],
  frame: string,
  read: (view: Rectangle) => number,
): string {
  return moves
    .map(({ firstFrame, endFrame, from, to, isEased }) => {
      const when = `gte(${frame},${firstFrame})*lt(${frame},${endFrame})`
      const [start, change] = [read(from), read(to) - read(from)]
      if (Math.abs(change) < 1e-9) return `${when}*${fixed(start)}`
      const part = `((${frame}-${firstFrame})/${Math.max(1, endFrame - firstFrame - (isEased ? 0 : 1))})`
      const eased = isEased ? `${part}*${part}*(3-2*${part})` : part
      return `${when}*(${fixed(start)}+${fixed(change)}*${eased})`
    })
    .join('+')
}

/** Written without an exponent. */
export const fixed = (number: number) => {
  const text = number.toFixed(6)
  return text.startsWith('-') ? `(${text})` : text
}
