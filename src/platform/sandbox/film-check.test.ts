// A film that ffmpeg has written, compared with its plan.
import { expect, test } from 'vitest'
import { compareFilm } from './film-check.ts'

const plan = { frames: 168, fps: 24 }

function reportOf({ frames = 168, sound = '7.000000', length = '7.000000' }) {
  return {
    format: { format_name: 'mov,mp4', duration: length },
    streams: [
      { codec_type: 'video', nb_read_packets: String(frames) },
      { codec_type: 'audio', duration: sound },
    ],
  }
}

test('a film as planned, or one frame off, does not differ', () => {
  for (const frames of [167, 168, 169])
    expect(compareFilm(reportOf({ frames }), plan), String(frames)).toBeUndefined()
  expect(compareFilm(reportOf({ sound: '7.021333', length: '7.021000' }), plan)).toBeUndefined()
})

test.each([
  ['pictures', { frames: 97 }, 97 / 24],
  ['sound', { sound: '3.5' }, 3.5],
])('a film with too little of its %s ends where that ends', (_what, made, endsAtSeconds) => {
  expect(compareFilm(reportOf(made), plan)).toMatchObject({ endsAtSeconds })
})

test('a film that is too long differs', () => {
  expect(compareFilm(reportOf({ frames: 170 }), plan)?.what).toContain('170 of 168 frames')
  expect(compareFilm(reportOf({ length: '9.0' }), plan)).toMatchObject({ endsAtSeconds: undefined })
})

test('a film without pictures or without sound differs from its start on', () => {
  const { format, streams } = reportOf({})
  for (const stream of streams)
    expect(compareFilm({ format, streams: [stream] }, plan)).toMatchObject({ endsAtSeconds: 0 })
})
