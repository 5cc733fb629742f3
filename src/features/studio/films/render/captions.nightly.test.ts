// Films whose captions are looked at.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type FilmStudio,
  frameOf,
  openStudio,
  type Rgb,
  studioTimeoutMs,
  whyNotHere,
} from './film.fixture.ts'

describe.skipIf(whyNotHere !== undefined)(`captions of a film ${whyNotHere ?? ''}`, () => {
  let studio: FilmStudio
  beforeAll(async () => {
    studio = await openStudio(['quarters.png'])
  }, studioTimeoutMs)
  afterAll(() => studio.close())

  const picture = (seconds: number) => ({
    id: 'picture',
    kind: 'image',
    contents: [
      {
        id: 'quarters',
        startTime: 0,
        duration: seconds,
        source: { kind: 'media', mediaId: 'quarters.png' },
      },
    ],
  })
  async function film(captions: object, tracks: readonly object[] = [picture(6)]) {
    const made = await studio.film(tracks, { more: { captions } })
    onTestFinished(made.remove)
    return made
  }

  const isPlate = ([r, g, b]: Rgb) => r < 60 && g < 60 && b < 60
  const look = { background: '#000000', size: 8 }
  const srt =
    '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:04,000 --> 00:00:20,000\nTwo longer lines\n'

  test.each([
    ['an SRT file', { srt }],
    ['a WebVTT file', { vtt: `WEBVTT\n\n${srt.replaceAll(',', '.')}` }],
    [
      'a list',
      {
        cues: [
          { start: 1, end: 2, text: 'One' },
          { start: 4, end: 20, text: 'Two longer lines' },
        ],
      },
    ],
  ])('of %s are there at their times and never besides', async (_what, source) => {
    const made = await film({ ...source, ...look })
    expect(made.frames).toBe(180)
    const plate = async (frame: number) => (await frameOf(made, frame)).share(isPlate)
    for (const frame of [0, 29, 60, 119]) expect(await plate(frame), `frame ${frame}`).toBe(0)
    const [one, two] = [await plate(30), await plate(120)]
    expect(one).toBeGreaterThan(0.005)
    expect(await plate(59)).toBeCloseTo(one, 3)
    expect(two).toBeGreaterThan(one * 2)
    expect(await plate(179)).toBeCloseTo(two, 3)
  })

  test('mark the spoken word', async () => {
    const words = ['black', 'white', 'black'].map((text, at) => ({ text, start: at, end: at + 1 }))
    const made = await film({ words, ...look, highlight: '#ff00ff' })
    const marked = async (frame: number) => {
      const still = await frameOf(made, frame)
      const columns = Array.from({ length: 320 }, (_, x) => x / 320)
      const rows = Array.from({ length: 60 }, (_, y) => 0.7 + y / 200)
      const found = columns.filter((x) =>
        rows.some((y) => {
          const [r, g, b] = still.at(x, y)
          return r > 150 && b > 150 && g < 90
        }),
      )
      return (found.at(0) ?? 0) + (found.at(-1) ?? 0)
    }
    const places = [await marked(15), await marked(45), await marked(75)]
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(new Set(places).size).toBe(3)
    expect((await frameOf(made, 120)).share(isPlate)).toBe(0)
  })

  test('are in front of every track, and at the place that they name', async () => {
    const cover = {
      id: 'cover',
      kind: 'overlay',
      contents: [
        {
          id: 'cover',
          startTime: 0,
          duration: 2,
          source: {
            kind: 'overlay',
            primitiveId: 'rectangle',
            params: { width: 1, height: 1, color: '#00ff00', entrance: 'none' },
            zPlane: 'front',
          },
        },
      ],
    }
    const cues = [{ start: 0, end: 2, text: 'Top' }]
    const made = await film({ cues, ...look, place: 'top' }, [cover])
    const still = await frameOf(made, 10)
    expect(still.share(isPlate)).toBeGreaterThan(0.005)
    const upper = Array.from({ length: 90 }, (_, y) => still.at(0.5, y / 180)).filter(isPlate)
    const lower = Array.from({ length: 90 }, (_, y) => still.at(0.5, 0.5 + y / 180)).filter(isPlate)
    expect([upper.length > 0, lower.length]).toEqual([true, 0])
  })

  test.each([
    ['bottom', 'reels', 0.65],
    ['bottom', { bottom: 0.4 }, 0.6],
    ['top', { top: 0.3 }, undefined],
  ] as const)('at the %s stay within %j', async (place, safeArea, lowest) => {
    const cues = [{ start: 0, end: 2, text: 'Words' }]
    const made = await studio.film([picture(2)], {
      more: { captions: { cues, ...look, place }, safeArea },
      format: { aspectRatio: '9:16' },
    })
    onTestFinished(made.remove)
    const still = await frameOf(made, 10)
    const rows = Array.from({ length: 160 }, (_, y) => y / 160)
    const found = rows.filter((y) => [0.4, 0.5, 0.6].some((x) => isPlate(still.at(x, y))))
    expect(found.length).toBeGreaterThan(0)
    expect(found.at(-1)).toBeLessThan(lowest ?? 1)
    if (lowest === undefined) expect(found[0]).toBeGreaterThanOrEqual(0.3)
  })

  test('of a quarter of an hour are one layer', { timeout: 600_000 }, async () => {
    const cues = Array.from({ length: 450 }, (_, at) => ({
      start: at * 2,
      end: at * 2 + 1.5,
      text: `Line ${at}`,
    }))
    const made = await studio.film([picture(900)], {
      more: { captions: { cues, ...look } },
      format: { fps: 24 },
      shortSide: 90,
      intent: 'preview',
    })
    onTestFinished(made.remove)
    expect(made.frames).toBe(21_600)
    expect((await frameOf(made, 24 * 898 + 6)).share(isPlate)).toBeGreaterThan(0.005)
    expect((await frameOf(made, 24 * 899 + 18)).share(isPlate)).toBe(0)
  })
})
