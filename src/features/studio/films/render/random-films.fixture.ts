// Random compositions over the media of the studio, valid and invalid.
import fc from 'fast-check'
import { components } from '../components/cards.ts'
import { effects } from '../components/effects.ts'
import { overlays } from '../components/overlays.ts'
import { transitionTypes } from '../composition/schema.ts'

const tenths = (least: number, most: number) =>
  fc.integer({ min: least * 10, max: most * 10 }).map((number) => number / 10)
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined, freq: 2 })
const drawnText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom("%{pts} 'q' [a];,:\\", 'שלום', '🎉', ' '),
)

const effectUse = fc
  .constantFrom(...effects)
  .map(({ id, example }) => ({ primitiveId: id, params: example }))

const placed = fc.record(
  {
    opacity: tenths(0, 1),
    scale: tenths(0.1, 3),
    rotation: fc.integer({ min: -720, max: 720 }),
    position: fc.record({ x: tenths(0.2, 0.8), y: tenths(0.2, 0.8) }),
    region: fc.record({
      x: tenths(-0.2, 0.4),
      y: tenths(-0.2, 0.4),
      w: tenths(0.4, 1),
      h: tenths(0.4, 1),
    }),
  },
  { requiredKeys: [] },
)
const fitted = fc.record(
  {
    fit: fc.constantFrom('cover', 'contain', 'fill'),
    effects: fc.array(effectUse, { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

const segment = fc.record(
  {
    zoom: tenths(0.1, 1),
    focus: fc.oneof(
      fc.record({ x: tenths(0, 1), y: tenths(0, 1) }),
      fc.constant({ mode: 'frame-center' as const }),
    ),
    bias: fc.record({ x: tenths(-0.3, 0.3), y: tenths(-0.3, 0.3) }),
  },
  { requiredKeys: [] },
)
const camera = fc.oneof(
  fc.constant({}),
  fc.constantFrom('in', 'out', 'left', 'right', 'up', 'down').map((kenBurns) => ({ kenBurns })),
  fc.tuple(segment, segment).map(([first, second]) => ({
    reframe: {
      segments: [
        { ...first, startSec: 0, endSec: 0.2, ease: { in: 0.1, out: 0.05 } },
        { ...second, startSec: 0.2, endSec: 0.3, ease: { in: 0.05, out: 0 } },
      ],
    },
  })),
)
const sound = fc.record(
  {
    volume: tenths(0, 4),
    volumeDb: fc.integer({ min: -60, max: 12 }),
    muted: fc.boolean(),
    fadeInMs: fc.integer({ min: 0, max: 150 }),
    fadeOutMs: fc.integer({ min: 0, max: 150 }),
  },
  { requiredKeys: [] },
)
const played = fc.oneof(
  fc.constant({}),
  tenths(0.5, 3).map((playbackRate) => ({ playbackRate })),
  tenths(0, 0.4).map((start) => ({ trim: { start, end: start + 1 } })),
  fc.constant({ loop: true, trim: { start: 0.2, end: 0.5 } }),
  fc.constant({
    loop: true,
    excludedRanges: [
      { start: 0.1, end: 0.3 },
      { start: 0.6, end: 0.7 },
    ],
  }),
)
const transitionIn = fc.oneof(
  fc.constantFrom(...transitionTypes),
  fc.record({
    type: fc.constantFrom(...transitionTypes),
    durationMs: fc.integer({ min: 1, max: 300 }),
  }),
)
const zPlane = fc.constantFrom('front', 'back')

/** Spreads records, without the keys that are undefined. */
const join = (...parts: readonly object[]): object =>
  JSON.parse(JSON.stringify(Object.assign({}, ...parts))) as object

const video = fc
  .tuple(
    fc.constantFrom('clock.mp4', 'silent.webm', 'turned.mp4'),
    camera,
    sound,
    played,
    placed,
    fitted,
    maybe(transitionIn),
  )
  .map(([mediaId, move, loud, play, place, fit, transitionIn]) =>
    join(
      {
        source: {
          kind: 'media',
          mediaId,
          ...move,
          ...loud,
          ...(mediaId === 'turned.mp4' ? {} : play),
        },
      },
      place,
      fit,
      { transitionIn },
    ),
  )
const image = fc
  .tuple(
    fc.constantFrom('quarters.png', 'hole.png', 'tall.jpg'),
    camera,
    placed,
    fitted,
    maybe(transitionIn),
  )
  .map(([mediaId, move, place, fit, transitionIn]) =>
    join({ source: { kind: 'media', mediaId, ...move } }, place, fit, { transitionIn }),
  )
const audio = fc
  .tuple(fc.constantFrom('tone.wav', 'tone.mp3', 'clock.mp4'), sound, played)
  .map(([mediaId, loud, play]) => join({ source: { kind: 'media', mediaId, ...loud, ...play } }))
const drawn = fc
  .tuple(
    fc.oneof(
      fc
        .constantFrom(...components)
        .map(({ id, example }) => ({ kind: 'component', componentId: id, props: example })),
      fc
        .constantFrom(...overlays)
        .map(({ id, example }) => ({ kind: 'overlay', primitiveId: id, params: example })),
      drawnText.map((text) => ({ kind: 'overlay', primitiveId: 'text', params: { text } })),
    ),
    maybe(zPlane),
    placed,
    maybe(transitionIn),
    fc.array(effectUse, { maxLength: 1 }),
  )
  .map(([source, zPlane, place, transitionIn, uses]) =>
    join({ source: { ...source, zPlane } }, place, { transitionIn, effects: uses }),
  )
const effect = fc
  .tuple(effectUse, maybe(tenths(0, 1)), maybe(fc.constantFrom('fade', 'dissolve')))
  .map(([use, opacity, transitionIn]) =>
    join({ source: { kind: 'effect', ...use }, opacity, transitionIn }),
  )

const clipsOfKind = { video, image, audio, overlay: drawn, effect }

const track = fc.constantFrom('video', 'image', 'audio', 'overlay', 'effect').chain((kind) =>
  fc
    .array(fc.tuple(clipsOfKind[kind as 'video'], tenths(0, 0.8), tenths(0.3, 0.5)), {
      minLength: 1,
      maxLength: 3,
    })
    .map((clips) => ({ kind, clips })),
)

/** As it is on the wire. */
export const validFilm = fc
  .record({
    aspectRatio: fc.constantFrom('16:9', '9:16', '1:1', '4:5'),
    fps: fc.constantFrom(24, 30, 60),
    tracks: fc.array(track, { minLength: 1, maxLength: 4 }),
  })
  .map(({ aspectRatio, fps, tracks }) => ({
    v: 1,
    format: { aspectRatio, fps, resolution: 'hd' },
    tracks: tracks.map(({ kind, clips }, trackIndex) => ({
      id: `t${trackIndex}`,
      kind,
      contents: clips.map(([clip, startTime, duration], index) => ({
        id: `t${trackIndex}c${index}`,
        ...clip,
        startTime,
        duration,
      })),
    })),
  }))

type Wire = ReturnType<(typeof validFilm)['generate']>['value']

const wrongValue = fc.constantFrom<unknown[]>(null, -5, 1e9, 'wrong', [], {}, true, Number.NaN, '')

/** A valid film in which one value is replaced, removed or added. */
export const brokenFilm = fc
  .tuple(validFilm, fc.nat(), wrongValue, fc.constantFrom('replace', 'remove', 'add'))
  .map(([film, choice, wrong, way]) => breakAt(structuredClone(film), choice, wrong, way))

function breakAt(film: Wire, choice: number, wrong: unknown, way: string): unknown {
  const places: [holder: Record<string, unknown>, key: string][] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      places.push([value as Record<string, unknown>, key])
      visit(inner)
    }
  }
  visit(film)
  const [holder, key] = places[choice % places.length] ?? [{}, '']
  if (way === 'replace') holder[key] = wrong
  else if (way === 'remove' && !Array.isArray(holder)) delete holder[key]
  else if (!Array.isArray(holder)) holder.surprise = wrong
  return film
}
