import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type FilmStudio,
  frameOf,
  loudnessOf,
  openStudio,
  streamsOf,
  whyNotHere,
} from './film.fixture.ts'
import type { Film } from './film.ts'

describe.skipIf(whyNotHere !== undefined)(`films ${whyNotHere ?? ''}`, () => {
  let studio: FilmStudio
  beforeAll(async () => {
    studio = await openStudio()
  })
  afterAll(() => studio.close())

  async function film(...args: Parameters<FilmStudio['film']>): Promise<Film> {
    const made = await studio.film(...args)
    onTestFinished(made.remove)
    return made
  }

  test.each([
    ['16:9', 24, 'hd', 1_280, 720],
    ['9:16', 30, 'fhd', 1_080, 1_920],
    ['1:1', 60, 'hd', 720, 720],
    ['4:5', 30, 'fhd', 1_080, 1_350],
    ['16:9', 30, '4k', 3_840, 2_160],
  ] as const)(
    '%s at %i frames in %s has its size, rate and length',
    async (aspectRatio, fps, resolution, width, height) => {
      const source = { kind: 'media', mediaId: 'quarters.png' }
      const tracks = [
        { id: 't', kind: 'image', contents: [{ id: 'c', startTime: 0, duration: 0.5, source }] },
      ]
      const made = await studio.renderer.render({
        composition: { v: 1, format: { aspectRatio, fps, resolution }, tracks: tracks as never },
        media: studio.media,
        intent: 'final',
        signal: new AbortController().signal,
      })
      onTestFinished(made.remove)
      const [picture, sound] = await streamsOf(made)
      expect(picture).toMatchObject({
        codec: 'h264',
        width,
        height,
        rate: `${fps}/1`,
        frames: fps / 2,
      })
      expect(sound).toMatchObject({ codec: 'aac' })
      expect(Math.abs((sound?.seconds ?? 0) - 0.5)).toBeLessThan(1 / fps)
      const bytes = await readFile(made.path)
      expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    },
  )

  test('a sound fades', async () => {
    const source = { kind: 'media', mediaId: 'tone.wav', fadeInMs: 1_000, fadeOutMs: 1_000 }
    const made = await film([
      { id: 't', kind: 'audio', contents: [{ id: 'c', startTime: 1, duration: 4, source }] },
    ])
    expect(await loudnessOf(made, 0, 0.9)).toBeLessThan(-70)
    const full = await loudnessOf(made, 2.5, 3.5)
    expect(await loudnessOf(made, 1, 1.2)).toBeLessThan(full - 10)
    expect(await loudnessOf(made, 4.8, 5)).toBeLessThan(full - 10)
    expect((await frameOf(made, 10)).at(0.5, 0.5)).toEqual([0, 0, 0])
  })
})
