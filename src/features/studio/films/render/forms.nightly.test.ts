// What a render makes besides a film: stills and GIFs.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { keepValid } from '../composition/composition.ts'
import {
  type FilmStudio,
  frameOf,
  openStudio,
  studioTimeoutMs,
  whyNotHere,
} from './film.fixture.ts'
import { FilmFailure } from './film.ts'

const run = promisify(execFile)
const never = new AbortController().signal

let ids = 0
const clip = (startTime: number, duration: number, source: object, more: object = {}) => ({
  id: `clip-${ids++}`,
  startTime,
  duration,
  source,
  ...more,
})
const media = (mediaId: string, more: object = {}) => ({ kind: 'media', mediaId, ...more })

describe.skipIf(whyNotHere !== undefined)(`forms of a film ${whyNotHere ?? ''}`, () => {
  let studio: FilmStudio
  beforeAll(async () => {
    studio = await openStudio(['quarters.png', 'clock.mp4', 'tone.wav', 'silent.webm'])
  }, studioTimeoutMs)
  afterAll(() => studio.close())

  const tracks = [
    {
      id: 'pictures',
      kind: 'video',
      contents: [
        clip(0, 2.5, media('clock.mp4')),
        clip(2.5, 3, media('quarters.png', { kenBurns: 'left' }), {
          transitionIn: { type: 'crossfade', durationMs: 1_000 },
        }),
        clip(7, 2, media('silent.webm')),
      ],
    },
    {
      id: 'words',
      kind: 'overlay',
      contents: [
        clip(1, 4, {
          kind: 'overlay',
          primitiveId: 'typewriter',
          params: { text: 'A long line of words' },
        }),
        clip(3, 2, { kind: 'component', componentId: 'lower-third', props: { name: 'Ada' } }),
      ],
    },
    { id: 'sound', kind: 'audio', contents: [clip(0, 5, media('tone.wav'))] },
  ]
  const captions = { cues: [{ start: 1.5, end: 4, text: 'Caption' }] }
  const value = { v: 1, format: { aspectRatio: '16:9', fps: 30 }, captions, tracks }

  test('a still shows what the film shows at its time', async () => {
    const film = await studio.film(tracks, { more: { captions } })
    onTestFinished(film.remove)
    const { composition } = keepValid(value)
    if (composition === undefined) throw new Error('The composition is invalid.')
    for (const atSeconds of [0, 1.4, 2.5, 3, 4.9, 6, 8, 500]) {
      const wish = { composition, media: studio.media, signal: never, shortSide: 180 }
      const still = await studio.renderer.still({ ...wish, atSeconds })
      const frame = Math.min(film.frames - 1, Math.round(atSeconds * 30))
      expect(still).toMatchObject({ width: 320, height: 180, atSeconds: frame / 30 })
      const file = path.join(studio.folder, 'still.png')
      await writeFile(file, still.bytes)
      const [seen, shown] = [await frameOf({ ...film, path: file }, 0), await frameOf(film, frame)]
      for (const x of [0.05, 0.3, 0.5, 0.7, 0.95])
        for (const y of [0.1, 0.35, 0.65]) {
          const difference = Math.max(
            ...seen.at(x, y).map((channel, at) => Math.abs(channel - (shown.at(x, y)[at] ?? 0))),
          )
          // Compression blurs edges of letters.
          expect(difference, `${atSeconds} s at ${x}, ${y}`).toBeLessThan(60)
        }
    }
  })

  test('a GIF has the frames, the length and the pictures of the film', async () => {
    const gif = await studio.film(tracks, { form: 'gif', shortSide: 720, intent: 'preview' })
    onTestFinished(gif.remove)
    expect(gif).toMatchObject({ width: 854, height: 480, fps: 15, frames: 135 })
    const { stdout } = await run('/usr/bin/ffprobe', [
      ...[
        '-v',
        'error',
        '-count_frames',
        '-show_entries',
        'stream=codec_name,nb_read_frames,width',
      ],
      ...['-show_entries', 'format=duration', '-of', 'json', gif.path],
    ])
    const { streams, format } = JSON.parse(stdout)
    expect(streams).toEqual([{ codec_name: 'gif', width: 854, nb_read_frames: '135' }])
    expect(Number(format.duration)).toBeCloseTo(9, 0)
    const [r, g, b] = (await frameOf(gif, 60)).at(0.9, 0.9)
    expect(Math.min(r, g, b)).toBeGreaterThan(200)
  })

  test('a GIF of a long film is refused', async () => {
    const long = [{ id: 'long', kind: 'image', contents: [clip(0, 61, media('quarters.png'))] }]
    await expect(
      studio.film(long, { form: 'gif', intent: 'preview', shortSide: 90 }),
    ).rejects.toThrow(FilmFailure)
  })
})
