import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FilmEdit } from '#core/rooms/film-edit.ts'
import { keepValid } from '../composition/composition.ts'
import type { Clip } from '../composition/schema.ts'
import { framesOf } from '../composition/timing.ts'
import { composeFilm } from './compose.ts'

const filmsChecked = 500
const some = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const seconds = (most: number) => fc.double({ min: 0.05, max: most, noNaN: true })
const fraction = fc.double({ min: -0.5, max: 1.5, noNaN: true })

const segment = fc.record({
  kind: fc.constantFrom('video' as const, 'image' as const),
  mediaSeconds: some(seconds(200)),
  inSeconds: some(seconds(60)),
  outSeconds: some(seconds(120)),
  isSilent: some(fc.boolean()),
  emphasis: some(
    fc.array(
      fc.record({
        atSeconds: fc.double({ min: -1, max: 40, noNaN: true }),
        x: fraction,
        y: fraction,
        zoom: fraction,
      }),
      { maxLength: 6 },
    ),
  ),
  caption: some(fc.string({ maxLength: 700, unit: 'grapheme' })),
})

const edits: fc.Arbitrary<FilmEdit> = fc
  .record({
    format: fc.record({
      aspectRatio: fc.constantFrom(
        '16:9' as const,
        '9:16' as const,
        '1:1' as const,
        '4:5' as const,
      ),
      fps: fc.constantFrom(24 as const, 30 as const, 60 as const),
      resolution: fc.constantFrom('hd' as const, 'fhd' as const, '4k' as const),
    }),
    segments: fc.array(segment, { minLength: 1, maxLength: 70 }),
    targetSeconds: fc.double({ min: 0.1, max: 1_000, noNaN: true }),
    transition: some(fc.constantFrom('crossfade' as const, 'fade' as const, 'slide-left' as const)),
    music: some(fc.record({ mediaId: fc.constant('song'), mediaSeconds: some(seconds(400)) })),
  })
  .map(({ segments, ...edit }) => ({
    ...edit,
    segments: segments.map((one, at) => ({ ...one, mediaId: `media-${at}` })),
  }))

test(`${filmsChecked} random edits give valid films of the length asked for, without overlaps`, () => {
  fc.assert(
    fc.property(edits, (edit) => {
      const { composition, problems } = composeFilm(edit)
      expect(problems).toEqual([])
      const { composition: film } = keepValid(composition)
      const { fps } = edit.format
      const shown = (film?.tracks ?? []).flatMap(({ kind, contents }) =>
        kind === 'video' || kind === 'image' ? contents : [],
      )
      const placed = shown
        .map((clip) => wholeFramesOf(clip, fps))
        .toSorted((one, other) => one.start - other.start)
      // One follows the other, from the first frame on.
      for (const [at, { start }] of placed.entries()) expect(start).toBe(placed[at - 1]?.end ?? 0)
      const length = placed.at(-1)?.end ?? 0
      expect(Math.abs(length - Math.min(edit.targetSeconds, 900) * fps)).toBeLessThanOrEqual(1)
      const ids = (film?.tracks ?? []).flatMap(({ contents }) => contents.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
    }),
    { numRuns: filmsChecked, seed: 16 },
  )
})

function wholeFramesOf(clip: Clip, fps: number) {
  for (const time of [clip.startTime, clip.duration])
    expect(Math.abs(time * fps - Math.round(time * fps))).toBeLessThan(1e-6)
  return framesOf(clip, fps)
}

test('music is looped under a film that is longer, and lowered under pictures with sound', () => {
  const { composition } = composeFilm({
    format: { aspectRatio: '9:16', fps: 30, resolution: 'hd' },
    segments: [{ mediaId: 'walk', kind: 'video', mediaSeconds: 30 }],
    targetSeconds: 20,
    music: { mediaId: 'song', mediaSeconds: 12 },
  })
  const music = JSON.stringify(keepValid(composition).composition?.tracks.at(-1))
  expect(music).toContain('"loop":true')
  expect(music).toContain('"volumeDb":-14')
})

test('the camera moves to a point of emphasis, and slowly over a still without one', () => {
  const { composition } = composeFilm({
    format: { aspectRatio: '1:1', fps: 24, resolution: 'hd' },
    segments: [
      { mediaId: 'face', kind: 'image', emphasis: [{ atSeconds: 1, x: 0.4, y: 0.2, zoom: 0.5 }] },
      { mediaId: 'lake', kind: 'image' },
    ],
    targetSeconds: 8,
  })
  const sources = keepValid(composition).composition?.tracks[0]?.contents.map(
    ({ source }) => source,
  )
  expect(sources).toMatchObject([
    { reframe: { segments: [{ startSec: 1, endSec: 3, zoom: 0.5, focus: { x: 0.4, y: 0.2 } }] } },
    { kenBurns: 'out' },
  ])
})

test('says which media do not fit into a film that is too short for all', () => {
  const segments = Array.from({ length: 9 }, (_, at) => ({
    mediaId: `m${at}`,
    kind: 'image' as const,
  }))
  const { left, problems } = composeFilm({
    format: { aspectRatio: '16:9', fps: 30, resolution: 'hd' },
    segments,
    targetSeconds: 2,
  })
  expect({ left, problems }).toEqual({ left: ['m5', 'm6', 'm7', 'm8'], problems: [] })
})
