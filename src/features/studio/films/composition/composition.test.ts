import { expect, test } from 'vitest'
import { clipsOf, keepValid, validate } from './composition.ts'
import type { MediaById, ProbedMedia } from './media.ts'

const video: ProbedMedia = {
  kind: 'video',
  durationSeconds: 10,
  width: 1_920,
  height: 1_080,
  frameRate: 25,
  hasSound: true,
  hasTransparency: false,
  hasColorMatrix: true,
}
const sound: ProbedMedia = { ...video, kind: 'audio', width: null, height: null, frameRate: null }
const photo: ProbedMedia = { ...video, kind: 'image', durationSeconds: null, hasSound: false }

const media: MediaById = new Map([
  ['film', { status: 'ready', probe: video }],
  ['song', { status: 'ready', probe: sound }],
  ['photo', { status: 'ready', probe: photo }],
  ['late', { status: 'processing' }],
  ['broken', { status: 'failed', message: 'It is a PDF.' }],
])

const clip = (source: object, rest: object = {}) => ({
  id: 'c',
  startTime: 0,
  duration: 4,
  source,
  ...rest,
})
const film = (source: object = {}, rest: object = {}) =>
  clip({ kind: 'media', mediaId: 'film', ...source }, rest)
const on = (kind: string, ...contents: unknown[]) => ({
  v: 1,
  format: { aspectRatio: '16:9', fps: 30, resolution: 'hd' },
  tracks: [{ id: 't', kind, contents }],
})
const segment = (rest: object) => ({ reframe: { segments: [{ startSec: 0, endSec: 2, ...rest }] } })

test.each<[string, unknown]>([
  ['media', on('video', film())],
  ['a still image on a video track', on('video', clip({ kind: 'media', mediaId: 'photo' }))],
  ['sound', on('audio', clip({ kind: 'media', mediaId: 'song', volume: 4, fadeInMs: 2_000 }))],
  ['the sound of a video', on('audio', film())],
  [
    'a component',
    on('overlay', clip({ kind: 'component', componentId: 'caption', props: { text: 'x' } })),
  ],
  [
    'an overlay',
    on(
      'overlay',
      clip({ kind: 'overlay', primitiveId: 'text', params: { text: 'x' }, zPlane: 'front' }),
    ),
  ],
  ['an effect', on('effect', clip({ kind: 'effect', primitiveId: 'blur' }))],
  ['the whole trim', on('video', film({ trim: { start: 6, end: 10 } }))],
  ['a loop longer than its media', on('video', film({ loop: true }, { duration: 40 }))],
  ['a zoom of 1', on('video', film(segment({ zoom: 1, focus: { mode: 'frame-center' } })))],
  ['a focus on a point', on('video', film(segment({ zoom: 0.1, focus: { x: 0, y: 1 } })))],
  ['a bias at its edge', on('video', film(segment({ bias: { x: 0.3, y: -0.3 } })))],
  [
    'only the aspect ratio as format',
    { v: 1, format: { aspectRatio: '4:5' }, tracks: on('video', film()).tracks },
  ],
  [
    'defaults on a track of sound',
    on('audio', film({}, { opacity: 1, scale: 1, rotation: 0, effects: [] })),
  ],
])('%s is valid', (_, composition) => {
  expect(validate(composition, media)).toEqual({ valid: true, errors: [] })
})

test.each<[code: string, path: string, unknown]>([
  ['missing_value', 'format', {}],
  ['invalid_value', 'v', { ...on('video', film()), v: 2 }],
  [
    'invalid_value',
    'format.fps',
    { ...on('video', film()), format: { aspectRatio: '16:9', fps: 25 } },
  ],
  ['missing_value', 'tracks', { v: 1, format: { aspectRatio: '1:1' } }],
  ['no_scenes', 'tracks', on('video')],
  ['invalid_value', 'tracks[0].kind', on('picture', film())],
  ['invalid_value', 'safeArea', { ...on('video', film()), safeArea: 'cinema' }],
  ['invalid_value', 'safeArea.top', { ...on('video', film()), safeArea: { top: 0.9 } }],
  ['invalid_value', 'loudness.targetLufs', { ...on('video', film()), loudness: { targetLufs: 0 } }],
  ['invalid_value', 'captions', { ...on('video', film()), captions: {} }],
  ['duplicate_id', 'tracks[0].contents[1].id', on('video', film(), film())],
  [
    'missing_value',
    'tracks[0].contents[0].duration',
    on('video', { ...film(), duration: undefined }),
  ],
  ['invalid_value', 'tracks[0].contents[0].duration', on('video', film({}, { duration: 0 }))],
  ['clip_too_short', 'tracks[0].contents[0].duration', on('video', film({}, { duration: 0.001 }))],
  ['film_too_long', 'tracks[0].contents[0]', on('video', film({}, { startTime: 897 }))],
  ['invalid_value', 'tracks[0].contents[0].opacity', on('video', film({}, { opacity: 1.1 }))],
  ['invalid_value', 'tracks[0].contents[0].source.kind', on('video', clip({ kind: 'card' }))],
  ['unsupported_property', 'tracks[0].contents[0].animate', on('video', film({}, { animate: {} }))],
  [
    'wrong_track',
    'tracks[0].contents[0]',
    on('audio', clip({ kind: 'effect', primitiveId: 'blur' })),
  ],
  ['wrong_track', 'tracks[0].contents[0]', on('effect', film())],
  ['wrong_track', 'tracks[0].contents[0]', on('image', film())],
  [
    'no_sound',
    'tracks[0].contents[0].source.mediaId',
    on('audio', clip({ kind: 'media', mediaId: 'photo' })),
  ],
  [
    'no_picture',
    'tracks[0].contents[0].source.mediaId',
    on('video', clip({ kind: 'media', mediaId: 'song' })),
  ],
  [
    'media_not_found',
    'tracks[0].contents[0].source.mediaId',
    on('video', film({ mediaId: 'none' })),
  ],
  [
    'media_not_ready',
    'tracks[0].contents[0].source.mediaId',
    on('video', film({ mediaId: 'late' })),
  ],
  [
    'media_failed',
    'tracks[0].contents[0].source.mediaId',
    on('video', film({ mediaId: 'broken' })),
  ],
  [
    'trim_backwards',
    'tracks[0].contents[0].source.trim',
    on('video', film({ trim: { start: 4, end: 4 } })),
  ],
  [
    'trim_beyond_media',
    'tracks[0].contents[0].source.trim',
    on('video', film({ trim: { start: 7, end: 11 } })),
  ],
  ['media_too_short', 'tracks[0].contents[0].duration', on('video', film({}, { duration: 11 }))],
  [
    'media_too_short',
    'tracks[0].contents[0].duration',
    on('video', film({ excludedRanges: [{ start: 1, end: 8 }] })),
  ],
  ['media_too_short', 'tracks[0].contents[0].duration', on('video', film({ playbackRate: 4 }))],
  [
    'range_backwards',
    'tracks[0].contents[0].source.excludedRanges[0]',
    on('video', film({ excludedRanges: [{ start: 2, end: 1 }] })),
  ],
  [
    'nothing_left',
    'tracks[0].contents[0].source',
    on('video', film({ excludedRanges: [{ start: 0, end: 10 }] })),
  ],
  [
    'too_many_parts',
    'tracks[0].contents[0].source',
    on('video', film({ loop: true, trim: { start: 0, end: 0.1 } }, { duration: 10 })),
  ],
  [
    'fades_too_long',
    'tracks[0].contents[0].source',
    on('audio', film({ fadeInMs: 3_000, fadeOutMs: 1_500 })),
  ],
  ['invalid_value', 'tracks[0].contents[0].source.volume', on('audio', film({ volume: 4.1 }))],
  [
    'invalid_value',
    'tracks[0].contents[0].source.reframe.segments[0].zoom',
    on('video', film(segment({ zoom: 1.2 }))),
  ],
  [
    'face_unsupported',
    'tracks[0].contents[0].source.reframe.segments[0].focus',
    on('video', film(segment({ focus: { mode: 'face' } }))),
  ],
  [
    'invalid_value',
    'tracks[0].contents[0].source.reframe.segments[0].focus',
    on('video', film(segment({ focus: { mode: 'speaker' } }))),
  ],
  [
    'reframe_backwards',
    'tracks[0].contents[0].source.reframe.segments[0]',
    on('video', film(segment({ startSec: 2 }))),
  ],
  [
    'reframe_beyond_clip',
    'tracks[0].contents[0].source.reframe.segments[0]',
    on('video', film(segment({ endSec: 5 }))),
  ],
  [
    'reframe_eases_overlap',
    'tracks[0].contents[0].source.reframe.segments[0].ease',
    on('video', film(segment({ ease: { in: 1.5, out: 1 } }))),
  ],
  [
    'two_cameras',
    'tracks[0].contents[0].source.kenBurns',
    on('video', film({ kenBurns: 'in', ...segment({}) })),
  ],
  [
    'outside_frame',
    'tracks[0].contents[0].position',
    on('video', film({}, { position: { x: 2, y: 0.5 } })),
  ],
  [
    'outside_frame',
    'tracks[0].contents[0].region',
    on('video', film({}, { region: { x: -1, y: 0, w: 0.5, h: 1 } })),
  ],
  [
    'transition_too_long',
    'tracks[0].contents[0].transitionIn',
    on('video', film({}, { transitionIn: { type: 'fade', durationMs: 4_001 } })),
  ],
  [
    'invalid_value',
    'tracks[0].contents[0].transitionIn',
    on('video', film({}, { transitionIn: 'swirl' })),
  ],
  ['no_effect', 'tracks[0].contents[0].rotation', on('audio', film({}, { rotation: 3 }))],
  ['no_effect', 'tracks[0].contents[0].source.kenBurns', on('audio', film({ kenBurns: 'in' }))],
  [
    'no_effect',
    'tracks[0].contents[0].transitionIn',
    on('effect', clip({ kind: 'effect', primitiveId: 'blur' }, { transitionIn: 'circle' })),
  ],
  [
    'unknown_component',
    'tracks[0].contents[0].source.componentId',
    on('overlay', clip({ kind: 'component', componentId: 'none' })),
  ],
  [
    'unknown_primitive',
    'tracks[0].contents[0].effects[0].primitiveId',
    on('video', film({}, { effects: [{ primitiveId: 'none' }] })),
  ],
  [
    'missing_value',
    'tracks[0].contents[0].source.props.text',
    on('overlay', clip({ kind: 'component', componentId: 'caption' })),
  ],
  [
    'invalid_value',
    'tracks[0].contents[0].source.props.color',
    on(
      'overlay',
      clip({ kind: 'component', componentId: 'caption', props: { text: 'x', color: 'red' } }),
    ),
  ],
  [
    'plane_unsupported',
    'tracks[0].contents[0].source.zPlane',
    on(
      'overlay',
      clip({
        kind: 'overlay',
        primitiveId: 'text',
        params: { text: 'x' },
        zPlane: 'behind-subject',
      }),
    ),
  ],
])('%s at %s is refused with a fix', (code, path, composition) => {
  const { valid, errors } = validate(composition, media)
  expect(valid).toBe(false)
  const [error] = errors.filter((each) => each.code === code)
  expect(error).toMatchObject({ code, path, retryable: code === 'media_not_ready' })
  expect(error?.message).toMatch(/\.$/)
  expect(error?.fix).toMatch(/^(Set|Add|Remove|Move|Give|Use|Upload|Ask|End|Shorten|Write) .+\.$/s)
})

test('invalid clips and tracks are left out, and the others are kept', () => {
  const composition = {
    ...on(
      'video',
      film(),
      film({}, { id: 'bad', opacity: 2 }),
      film({}, { id: 'late', startTime: 4 }),
    ),
    markers: [{ id: 'm', startTime: 0 }],
  }
  const kept = keepValid(
    { ...composition, tracks: [...composition.tracks, { id: 'u', kind: 'x' }] },
    media,
  )
  expect(kept.composition && clipsOf(kept.composition).map(({ id }) => id)).toEqual(['c', 'late'])
  expect(kept.dropped).toMatchObject([
    {
      trackId: 't',
      clipId: 'bad',
      path: 'tracks[0].contents[1]',
      errors: [{ code: 'invalid_value' }],
    },
    { trackId: 'u', clipId: null, path: 'tracks[1]' },
  ])
  expect(kept.composition && validate(kept.composition, media).valid).toBe(true)
})

test('a composition may have as many clips as the limit, and no more', () => {
  const many = (count: number) =>
    on('video', ...Array.from({ length: count }, (_, index) => film({}, { id: `c${index}` })))
  expect(validate(many(120), media).valid).toBe(true)
  expect(validate(many(121), media).errors).toMatchObject([{ code: 'too_many_clips' }])
})

test('without media, only the composition itself is judged', () => {
  expect(validate(on('video', film({ mediaId: 'none' }))).valid).toBe(true)
})
