import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MediaSource } from './schema.ts'
import { framesOf, keptRanges, lengthOf, partsOf, roundToMilliseconds } from './timing.ts'

const source = (rest: object = {}): MediaSource => ({ kind: 'media', mediaId: 'm', ...rest })
const starts = (parts: ReturnType<typeof partsOf>) =>
  parts.map(({ start, frames }) => [start, frames])

test('callers read durations in milliseconds, and none for a picture', () => {
  expect(JSON.stringify([0.6 + 0.7 + 0.1, 2 / 3, 2, null].map(roundToMilliseconds))).toBe(
    '[1.4,0.667,2,null]',
  )
})

test('clips that touch in seconds touch in frames', () => {
  const times = fc.record({
    startTime: fc.double({ min: 0, max: 900, noNaN: true }),
    duration: fc.double({ min: 0.01, max: 60, noNaN: true }),
  })
  fc.assert(
    fc.property(times, fc.constantFrom(24, 30, 60), (clip, fps) => {
      const next = { startTime: clip.startTime + clip.duration, duration: 1 }
      expect(framesOf(next, fps).start).toBe(framesOf(clip, fps).end)
    }),
  )
})

test('one part is played from the start of the trim', () => {
  expect(partsOf(source({ trim: { start: 2, end: 9 } }), 10, 60, 30)).toEqual([
    { start: 2, seconds: 2, frames: 60, isEndless: false },
  ])
})

test('excluded ranges split the media, in any order', () => {
  const excludedRanges = [
    { start: 4, end: 5 },
    { start: 1, end: 2 },
    { start: 1.5, end: 3 },
  ]
  expect(keptRanges({ excludedRanges }, 10)).toEqual([
    { start: 0, end: 1 },
    { start: 3, end: 4 },
    { start: 5, end: 10 },
  ])
  expect(starts(partsOf(source({ excludedRanges }), 10, 90, 30))).toEqual([
    [0, 30],
    [3, 30],
    [5, 30],
  ])
})

test('a trimmed loop repeats its trim, and whole media are repeated by ffmpeg', () => {
  const trimmed = source({ loop: true, trim: { start: 1, end: 2 } })
  expect(starts(partsOf(trimmed, 10, 75, 30))).toEqual([
    [1, 30],
    [1, 30],
    [1, 15],
  ])
  expect(partsOf(source({ loop: true }), 2, 300, 30)).toEqual([
    { start: 0, seconds: 10, frames: 300, isEndless: true },
  ])
})

test('the parts of a clip fill its frames exactly', () => {
  const second = fc.double({ min: 0.05, max: 8, noNaN: true })
  const range = fc.tuple(second, second).map(([start, length]) => ({ start, end: start + length }))
  const played = fc.record({
    excludedRanges: fc.array(range, { maxLength: 3 }),
    playbackRate: fc.double({ min: 0.25, max: 4, noNaN: true }),
    loop: fc.boolean(),
  })
  fc.assert(
    fc.property(
      played,
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom(24, 30, 60),
      (rest, frames, fps) => {
        const media = source(rest)
        // Shorter media would make thousands of parts, which validation refuses.
        fc.pre(lengthOf(keptRanges(media, 10)) > 0.5)
        const parts = partsOf(media, 10, frames, fps)
        expect(parts.reduce((sum, part) => sum + part.frames, 0)).toBe(frames)
        expect(parts.every((part) => part.frames > 0 && part.seconds > 0)).toBe(true)
      },
    ),
  )
})
