// What Chromium draws for a film is bounded, however large a composition makes it.
import { describe, expect, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { canvasOf } from '../compile/canvas.ts'
import { keepValid } from '../composition/composition.ts'
import { drawClips } from './draw.ts'
import { drawingJobs } from './drawings.ts'
import { whyNotHere } from './film.fixture.ts'
import { createFilmRenderer } from './render.ts'

const never = new AbortController().signal

function compositionWith(clip: object) {
  const source = { kind: 'overlay', primitiveId: 'text', params: { text: 'Harbour', size: 40 } }
  const { composition, dropped } = keepValid({
    v: 1,
    format: { aspectRatio: '16:9', resolution: '4k' },
    tracks: [
      {
        id: 'titles',
        kind: 'overlay',
        contents: [{ id: 'title', startTime: 0, duration: 1, source, ...clip }],
      },
    ],
  })
  if (composition === undefined || dropped.length > 0)
    throw new Error(JSON.stringify(dropped.flatMap(({ errors }) => errors)))
  return composition
}

async function draw(clip: object) {
  const composition = compositionWith(clip)
  const canvas = canvasOf(composition.format, 'final')
  const drawn = await drawClips(drawingJobs(composition, canvas), canvas, {
    executablePath: (await findChromium(undefined)) ?? '',
    chromiumSandbox: true,
    signal: never,
    report: () => {},
  })
  return {
    canvas,
    drawn: drawn[0],
    pictures: drawn.flatMap(({ pictures }) => pictures.map(({ bytes }) => bytes)),
  }
}

/** The size that a PNG says it has. */
function sizeOf(png: Uint8Array) {
  const view = new DataView(png.buffer, png.byteOffset)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

const large = { x: -0.5, y: -0.5, w: 2, h: 2 }

describe.skipIf(whyNotHere !== undefined)(`a drawing ${whyNotHere ?? ''}`, () => {
  test.each([
    ['enlarged ten times', { scale: 10 }],
    ['in a region of twice the canvas, enlarged ten times', { region: large, scale: 10 }],
    ['in a region of twice the canvas, turned', { region: large, scale: 3, rotation: 45 }],
    ['in a region of twice the canvas, reduced', { region: large, scale: 0.5 }],
  ])('%s has at most twice the pixels of the canvas', async (_what, clip) => {
    const { canvas, pictures } = await draw(clip)
    expect(pictures.length).toBeGreaterThan(0)
    for (const picture of pictures) {
      const { width, height } = sizeOf(picture)
      expect(width * height).toBeLessThan(2.01 * canvas.width * canvas.height)
    }
  })

  test('is as sharp as the canvas where a part of it fills the canvas', async () => {
    const { canvas, drawn, pictures } = await draw({ region: large, scale: 10 })
    const { width } = sizeOf(pictures[0] ?? new Uint8Array(24))
    expect(width).toBeGreaterThanOrEqual(canvas.width)
    expect(drawn?.part.w).toBeLessThan(1)
  })

  test('of which nothing can be seen is left out', async () => {
    const params = { text: 'Harbour', size: 4, place: 'left' }
    const source = { kind: 'overlay', primitiveId: 'text', params }
    const region = { x: -0.9, y: 0, w: 1, h: 1 }
    expect((await draw({ source, region })).pictures).toEqual([])
  })

  test('that takes too long ends the render with a reason', async () => {
    const renderer = createFilmRenderer({ sandbox: createSandbox({ clock }), drawingMs: 1 })
    const composition = compositionWith({})
    const render = renderer.render({
      composition,
      media: new Map(),
      intent: 'preview',
      signal: never,
    })
    await expect(render).rejects.toThrow('Drawing the texts and shapes took too long.')
  })
})
