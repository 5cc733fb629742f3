import { expect, test } from 'vitest'
import { keepValid } from '../composition/composition.ts'
import type { ProbedMedia } from '../composition/media.ts'
import type { MediaSource } from '../composition/schema.ts'
import { expressionOf, movesOf } from './camera.ts'
import { canvasOf } from './canvas.ts'
import { compileFilm } from './compile.ts'
import { placeBox, placeMedia, wholePicture } from './placement.ts'

const canvas = { width: 1_920, height: 1_080, fps: 30 }
const probe: ProbedMedia = {
  kind: 'video',
  durationSeconds: 20,
  width: 1_280,
  height: 720,
  frameRate: 30,
  hasSound: true,
  hasTransparency: false,
  hasColorMatrix: true,
}

test.each([
  ['16:9', 'hd', 1_280, 720],
  ['9:16', 'fhd', 1_080, 1_920],
  ['1:1', '4k', 2_160, 2_160],
  ['4:5', 'hd', 720, 900],
] as const)('%s in %s is %i × %i', (aspectRatio, resolution, width, height) => {
  expect(canvasOf({ aspectRatio, resolution, fps: 24 }, 'final')).toEqual({
    width,
    height,
    fps: 24,
  })
})

test('only the visible part of a large picture is scaled', () => {
  const placement = placeMedia({ scale: 10, position: { x: 0, y: 0.5 } }, canvas, canvas)
  expect(placement?.piece).toEqual({ width: 1_920, height: 1_080 })
  expect(placement?.visible).toMatchObject({ x: 0.5, y: 0.45, w: 0.1, h: 0.1 })
  expect(placement?.centre).toEqual({ x: 960, y: 540 })
})

test('a turned picture is cut to what can be seen of it', () => {
  const box = { width: 100_000, height: 100_000 }
  const placed = placeBox({
    box,
    centre: { x: 960, y: 540 },
    rotation: 45,
    base: wholePicture,
    canvas,
  })
  const diagonal = (1_920 + 1_080) / Math.SQRT2
  expect(Math.abs((placed?.piece.width ?? 0) - diagonal)).toBeLessThan(2)
  expect(placed?.centre.x).toBeCloseTo(960)
})

test('a picture outside the canvas is nowhere', () => {
  expect(placeMedia({ position: { x: 2, y: 0.5 } }, canvas, canvas)).toBeUndefined()
})

/** The value of one of our expressions at a frame. */
function valueAt(expression: string, frame: number): number {
  const gte = (one: number, other: number) => Number(one >= other)
  const lt = (one: number, other: number) => Number(one < other)
  return new Function('n', 'gte', 'lt', `return ${expression}`)(frame, gte, lt) as number
}

test('a camera eases from segment to segment, and shows everything between them', () => {
  const source = {
    kind: 'media',
    mediaId: 'm',
    reframe: {
      segments: [
        { startSec: 0, endSec: 1, zoom: 0.5, focus: { x: 0, y: 0 }, ease: { out: 0.5 } },
        { startSec: 2, endSec: 3, zoom: 0.5, focus: { x: 1, y: 1 }, ease: { in: 0.5 } },
      ],
    },
  } satisfies MediaSource
  const moves = movesOf(source, { duration: 4 }, { frames: 120, fps: 30 }, wholePicture)
  const left = expressionOf(moves, 'n', ({ x }) => x)
  const width = expressionOf(moves, 'n', ({ w }) => w)
  for (const [frame, x, w] of [
    [0, 0, 0.5],
    [14, 0, 0.5],
    [29, 0, 0.99],
    [45, 0, 1],
    [60, 0, 1],
    [75, 0.5, 0.5],
    [89, 0.5, 0.5],
    [90, 0, 1],
    [119, 0, 1],
  ] as const) {
    expect(valueAt(left, frame), `left at ${frame}`).toBeCloseTo(x, 1)
    expect(valueAt(width, frame), `width at ${frame}`).toBeCloseTo(w, 1)
  }
})

function graphOf(tracks: object[]) {
  const media = new Map([['m', { status: 'ready', probe } as const]])
  const { composition } = keepValid({ v: 1, format: { aspectRatio: '16:9' }, tracks }, media)
  if (composition === undefined) throw new Error('The composition is invalid.')
  return compileFilm(
    composition,
    { media: new Map([['m', { file: '/in/m', probe }]]), drawn: new Map() },
    canvas,
  )
}
const clip = (id: string, rest: object, source: object = {}) => ({
  id,
  startTime: 0,
  duration: 2,
  source: { kind: 'media', mediaId: 'm', ...source },
  ...rest,
})
const track = (...contents: object[]) => ({ id: 't', kind: 'video', contents })

test('opaque clips in a row are joined and not blended', () => {
  const { script, frames } = graphOf([track(clip('a', {}), clip('b', { startTime: 3 }))])
  expect(frames).toBe(150)
  expect(script).not.toContain('overlay')
  expect(script).toContain('concat=n=3:v=1:a=0')
})

test('translucent clips, clips that come in, and clips that overlap are blended', () => {
  const overlaysIn = (...contents: object[]) =>
    graphOf([track(clip('a', {}), ...contents)]).script.split('overlay=').length - 1
  expect(overlaysIn(clip('b', { startTime: 2, opacity: 0.5 }))).toBe(1)
  expect(overlaysIn(clip('b', { startTime: 2, transitionIn: 'fade' }))).toBe(1)
  expect(overlaysIn(clip('b', { startTime: 1 }))).toBe(1)
})

test('the clip before a transition holds its last picture', () => {
  const { script } = graphOf([
    track(
      clip('a', {}),
      clip('b', { startTime: 2, transitionIn: { type: 'fade', durationMs: 400 } }),
    ),
  ])
  expect(script).toContain('tpad=stop=12:stop_mode=clone')
})

test('picture and sound of a clip are read by one input, from its trim', () => {
  const { inputs, script } = graphOf([track(clip('a', {}, { trim: { start: 3, end: 5 } }))])
  expect(inputs).toEqual(['-ss', '3.000000', '-t', '2.000000', '-i', '/in/m'])
  expect(script).toContain('[0:V:0]')
  expect(script).toContain('[0:a:0]')
})

test('nothing of a caller is in the graph but numbers', () => {
  const hostile = "x'];[0:v]movie=/etc/passwd[y"
  const { script, inputs } = graphOf([{ ...track(clip(hostile, {})), id: hostile, name: hostile }])
  expect(`${script}${inputs.join(' ')}`).not.toContain('passwd')
})
