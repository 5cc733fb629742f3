// The loudness of rendered films, as ffmpeg's own meter sums it up. Speech and music are noise of different bands, so
// that each can be measured in the finished film.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type FilmStudio,
  loudnessOf,
  openStudio,
  streamsOf,
  studioTimeoutMs,
  whyNotHere,
} from './film.fixture.ts'
import type { Film, MediaFile } from './film.ts'

const run = promisify(execFile)
const never = new AbortController().signal

/** Speech lies above 2 kHz here, and music below 500 Hz. */
const bands = {
  speech: 'highpass=f=1500:poles=2,highpass=f=1500:poles=2,highpass=f=1500:poles=2',
  music: 'lowpass=f=700:poles=2,lowpass=f=700:poles=2,lowpass=f=700:poles=2',
  all: 'anull',
}
const noise = (seconds: number, low: number, high: number, volume: string) =>
  `anoisesrc=d=${seconds}:c=pink:r=48000:seed=7,highpass=f=${low},lowpass=f=${high},lowpass=f=${high},volume=${volume}`
const recipes = {
  // Words of 0.6 seconds, with pauses of 0.4.
  'speech.wav': `${noise(8, 2_500, 6_000, '-6dB')},volume='lt(mod(t,1),0.6)':eval=frame`,
  'whisper.wav': noise(8, 2_500, 6_000, '-34dB'),
  'music.wav': noise(30, 60, 350, '6dB'),
  // Its second half is 12 dB louder than its first.
  'swelling.wav': `${noise(30, 60, 350, '-12dB')},volume='if(lt(t,15),1,4)':eval=frame`,
  'clicks.wav': "aevalsrc='if(lt(mod(t,1),0.002),0.9,0.001*sin(2000*t))':s=48000:d=10",
}

/** LUFS of a stretch of the film, by the summary of `ebur128`. */
async function lufsOf({ path: file }: Film, band: keyof typeof bands, from = 0, to = 1_000) {
  const filter = `${bands[band]},atrim=${from}:${to},ebur128`
  const { stderr } = await run('/usr/bin/ffmpeg', [
    '-nostats',
    '-i',
    file,
    '-af',
    filter,
    '-vn',
    '-f',
    'null',
    '-',
  ])
  return Number(/Summary:[\s\S]*?I:\s+(-?[\d.]+) LUFS/.exec(stderr)?.[1])
}

describe.skipIf(whyNotHere !== undefined)(`the sound of a film ${whyNotHere ?? ''}`, () => {
  let studio: FilmStudio
  beforeAll(async () => {
    studio = await openStudio(['quarters.png'])
    const media = studio.media as Map<string, MediaFile>
    for (const [name, source] of Object.entries(recipes)) {
      const file = path.join(studio.folder, name)
      await run('/usr/bin/ffmpeg', [
        '-v',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        source,
        '-c:a',
        'pcm_f32le',
        file,
      ])
      media.set(name, { path: file, probe: await studio.renderer.probe(file, never) })
    }
  }, studioTimeoutMs)
  afterAll(() => studio.close())

  let ids = 0
  const clip = (mediaId: string, startTime: number, duration: number, more: object = {}) => ({
    id: `clip-${ids++}`,
    startTime,
    duration,
    source: { kind: 'media', mediaId, ...more },
  })
  const audio = (id: string, contents: object[], more: object = {}) => ({
    id,
    kind: 'audio',
    contents,
    ...more,
  })
  const picture = { id: 'picture', kind: 'image', contents: [{ ...clip('quarters.png', 0, 24) }] }

  async function film(tracks: readonly object[], more: object = {}): Promise<Film> {
    const made = await studio.film([picture, ...tracks], { more, shortSide: 90 })
    onTestFinished(made.remove)
    return made
  }

  test.each([
    ['speech.wav', 'music.wav'],
    ['speech.wav', 'swelling.wav'],
    ['whisper.wav', 'music.wav'],
    ['whisper.wav', 'swelling.wav'],
  ])('%s is 9 LU above %s that is ducked, and the music comes back', async (speech, music) => {
    const made = await film([
      audio('voice', [clip(speech, 3, 6), clip(speech, 15, 5)]),
      audio('music', [clip(music, 0, 24)], { duck: { under: ['voice'], byLu: 9 } }),
    ])
    for (const [from, to] of [
      [3, 9],
      [15, 20],
    ] as const) {
      const [voice, bed] = [
        await lufsOf(made, 'speech', from, to),
        await lufsOf(made, 'music', from, to),
      ]
      expect(voice - bed, `${from} s to ${to} s`).toBeGreaterThanOrEqual(9)
      // Not more than was asked for, so that the music is still heard.
      expect(voice - bed).toBeLessThan(11.5)
    }
    const plain = await film([audio('music', [clip(music, 0, 24)])])
    for (const [from, to] of [
      [0, 2.5],
      [10, 14],
      [21, 24],
    ] as const)
      expect(await lufsOf(made, 'music', from, to)).toBeCloseTo(
        await lufsOf(plain, 'music', from, to),
        0.3,
      )
  })

  test('music that is quiet enough is left alone', async () => {
    const made = await film([
      audio('voice', [clip('speech.wav', 3, 6)]),
      audio('music', [clip('music.wav', 0, 12, { volumeDb: -40 })], { duck: { under: ['voice'] } }),
    ])
    expect(Math.abs((await loudnessOf(made, 4, 8)) - (await loudnessOf(made, 3, 9)))).toBeLessThan(
      1,
    )
    const [during, before] = [
      await lufsOf(made, 'music', 4, 8),
      await lufsOf(made, 'music', 0, 2.5),
    ]
    expect(Math.abs(during - before)).toBeLessThan(1)
  })

  test.each([
    ['quiet speech', [clip('whisper.wav', 1, 7)], -14],
    ['loud music', [clip('music.wav', 0, 24)], -14],
    ['swelling music', [clip('swelling.wav', 0, 24)], -16],
    ['speech for broadcast', [clip('speech.wav', 0, 8)], -23],
  ] as const)('%s is brought to its target', async (_what, contents, targetLufs) => {
    const made = await film([audio('sound', [...contents])], { loudness: { targetLufs } })
    expect(Math.abs((await lufsOf(made, 'all')) - targetLufs)).toBeLessThanOrEqual(0.5)
  })

  test('speech over ducked music is at -14 LUFS, and above the music still', async () => {
    const made = await film(
      [
        audio('voice', [clip('whisper.wav', 2, 7), clip('speech.wav', 12, 7)]),
        audio('music', [clip('swelling.wav', 0, 24)], { duck: { under: ['voice'] } }),
      ],
      { loudness: {} },
    )
    expect(Math.abs((await lufsOf(made, 'all')) + 14)).toBeLessThanOrEqual(0.5)
    for (const [from, to] of [
      [2, 9],
      [12, 19],
    ] as const)
      expect(
        (await lufsOf(made, 'speech', from, to)) - (await lufsOf(made, 'music', from, to)),
      ).toBeGreaterThanOrEqual(9)
  })

  test('clicks that cannot be as loud are not sold as if they were', async () => {
    await expect(
      film([audio('sound', [clip('clicks.wav', 0, 10)])], { loudness: { targetLufs: -9 } }),
    ).rejects.toThrow(/cannot be brought to -9 LUFS/)
  })

  test('a film without sound is silent at any target', async () => {
    const made = await film([], { loudness: {} })
    expect((await streamsOf(made)).map(({ codec }) => codec)).toEqual(['h264', 'aac'])
  })

  test('a volume follows its curve', async () => {
    const volumeCurve = [
      { atSec: 2, volume: 1 },
      { atSec: 4, volume: 0.1 },
      { atSec: 6, volume: 0.1 },
      { atSec: 7, volume: 0 },
    ]
    const made = await film([audio('music', [clip('music.wav', 1, 11, { volumeCurve })])])
    const start = await loudnessOf(made, 1.2, 2.8)
    expect((await loudnessOf(made, 3.9, 4.1)) - start).toBeCloseTo(-10, -0.5)
    expect((await loudnessOf(made, 5.2, 6.8)) - start).toBeCloseTo(-20, 0)
    expect((await loudnessOf(made, 8.2, 11)) - start).toBeLessThan(-60)
  })
})
