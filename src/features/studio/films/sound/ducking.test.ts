import { expect, test } from 'vitest'
import { validate } from '../composition/composition.ts'
import type { Composition, Track } from '../composition/schema.ts'
import { duckingOf, spansOf } from './ducking.ts'

const fps = 30
let ids = 0
const clip = (startTime: number, duration: number, more: object = {}) => ({
  id: `clip-${ids++}`,
  startTime,
  duration,
  source: { kind: 'media', mediaId: 'm', ...more },
})
const track = (id: string, contents: readonly object[], more: object = {}) =>
  ({ id, kind: 'audio', contents, ...more }) as unknown as Track
const film = (...tracks: readonly Track[]): Composition => ({
  v: 1,
  format: { aspectRatio: '16:9', fps, resolution: 'hd' },
  tracks,
})
const steady = (lufs: number) => Array<number>(300).fill(lufs)
const gainsOf = (composition: Composition, levels: Readonly<Record<string, number>>) =>
  duckingOf(composition, {
    tracks: new Map(Object.entries(levels).map(([id, lufs]) => [id, steady(lufs)])),
  }).get('music')

const duck = { under: ['voice'], byLu: 12 }

test('a short pause belongs to the speech, a long one does not, and muted clips are not speech', () => {
  const voice = track('voice', [clip(1, 2), clip(3.5, 1), clip(8, 1), clip(20, 1, { muted: true })])
  expect(spansOf(voice, fps)).toEqual([
    { start: 1, end: 4.5 },
    { start: 8, end: 9 },
  ])
})

test('music falls before the speech, stays down, and rises after it', () => {
  const composition = film(track('voice', [clip(5, 4)]), track('music', [clip(0, 20)], { duck }))
  const points = gainsOf(composition, { voice: -20, music: -20 }) ?? []
  expect(points.map(({ seconds }) => seconds)).toEqual([4.7, 5, 9, 9.6])
  expect(points.map(({ db }) => Math.round(db))).toEqual([0, -13, -13, 0])
})

test('the quietest of several speakers decides', () => {
  const composition = film(
    track('voice', [clip(5, 4)]),
    track('guest', [clip(5, 4)]),
    track('music', [clip(0, 20)], { duck: { under: ['voice', 'guest'], byLu: 12 } }),
  )
  const [, lowest] = gainsOf(composition, { voice: -20, guest: -26, music: -20 }) ?? []
  expect(lowest?.db).toBeCloseTo(-19)
})

test('music that is quiet already, silent speech and a track that is turned off change nothing', () => {
  const composition = film(track('voice', [clip(5, 4)]), track('music', [clip(0, 20)], { duck }))
  expect(gainsOf(composition, { voice: -20, music: -40 })).toEqual([])
  expect(gainsOf(composition, { voice: -200, music: -20 })).toEqual([])
  const silenced = film(
    track('voice', [clip(5, 4)], { enabled: false }),
    track('music', [clip(0, 20)], { duck }),
  )
  expect(gainsOf(silenced, { music: -20 })).toEqual([])
})

test.each([
  [{ under: ['absent'] }, {}, 'unknown_track', 'tracks[1].duck.under[0]'],
  [{ under: ['music'] }, {}, 'duck_circle', 'tracks[1].duck.under[0]'],
  [{ under: ['voice'] }, { duck: { under: ['music'] } }, 'duck_circle', 'tracks[1].duck.under[0]'],
  [{ under: [] }, {}, 'invalid_value', 'tracks[1].duck.under'],
  [{ under: ['voice'], byLu: 90 }, {}, 'invalid_value', 'tracks[1].duck.byLu'],
])('duck %j beside %j is %s', (wished, voice, code, path) => {
  const tracks = [
    track('voice', [clip(5, 4)], voice),
    track('music', [clip(0, 20)], { duck: wished }),
  ]
  const { errors } = validate({ ...film(), tracks })
  expect(errors).toContainEqual(expect.objectContaining({ code, path }))
})

test.each([
  [
    [
      { atSec: 1, volume: 1 },
      { atSec: 1, volume: 0 },
    ],
    'curve_backwards',
  ],
  [[{ atSec: 5, volume: 1 }], 'curve_beyond_clip'],
])('the volume curve %j is %s', (volumeCurve, code) => {
  const { errors } = validate({
    ...film(),
    tracks: [track('music', [clip(0, 4, { volumeCurve })])],
  })
  expect(errors.map((error) => error.code)).toEqual([code])
})
