// Films whose frames and sounds are looked at.
import { access, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { components } from '../components/cards.ts'
import { effects } from '../components/effects.ts'
import { overlays } from '../components/overlays.ts'
import { keepValid } from '../composition/composition.ts'
import {
  type FilmStudio,
  frameOf,
  loudnessOf,
  openStudio,
  type Rgb,
  streamsOf,
  studioTimeoutMs,
  whyNotHere,
} from './film.fixture.ts'
import type { Film } from './film.ts'

const red: Rgb = [255, 0, 0]
const lime: Rgb = [0, 255, 0]
const blue: Rgb = [0, 0, 255]
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const yellow: Rgb = [255, 255, 0]
const purple: Rgb = [128, 0, 128]

/** Subsampled colours and compression change each channel a little. */
const tolerance = 16
const isNear = (colour: Rgb, wanted: Rgb) =>
  colour.every((channel, index) => Math.abs(channel - (wanted[index] ?? 0)) <= tolerance)
const expectColour = (colour: Rgb, wanted: Rgb, where: string) =>
  expect(isNear(colour, wanted), `${where}: ${colour} instead of ${wanted}`).toBe(true)

let ids = 0
const clip = (source: object, rest: object = {}) => ({
  id: `clip-${ids++}`,
  startTime: 0,
  duration: 1,
  source,
  ...rest,
})
const media = (mediaId: string, source: object = {}, rest: object = {}) =>
  clip({ kind: 'media', mediaId, ...source }, rest)
const overlay = (primitiveId: string, params: object, rest: object = {}, source: object = {}) =>
  clip({ kind: 'overlay', primitiveId, params, ...source }, rest)
const component = (componentId: string, props: object, rest: object = {}) =>
  clip({ kind: 'component', componentId, props }, rest)
const track = (kind: string, ...contents: object[]) => ({ id: `track-${ids++}`, kind, contents })
const quarters = (rest: object = {}, source: object = {}) => media('quarters.png', source, rest)

describe.skipIf(whyNotHere !== undefined)(`a film ${whyNotHere ?? ''}`, () => {
  let studio: FilmStudio
  beforeAll(async () => {
    studio = await openStudio()
  }, studioTimeoutMs)
  afterAll(() => studio.close())

  async function film(...args: Parameters<FilmStudio['film']>): Promise<Film> {
    const made = await studio.film(...args)
    onTestFinished(made.remove)
    return made
  }

  /** A film that several tests look at. Each of its clips is there for one of them. */
  function once(make: () => Promise<Film>): () => Promise<Film> {
    let making: Promise<Film> | undefined
    afterAll(async () => {
      await (await making?.catch(() => undefined))?.remove()
    })
    return () => {
      making ??= make()
      return making
    }
  }

  /** Each place of the first frame, or of `frame`, has its colour. */
  async function look(made: Film, colours: readonly (readonly [number, number, Rgb])[], frame = 0) {
    const still = await frameOf(made, frame)
    for (const [x, y, wanted] of colours)
      expectColour(still.at(x, y), wanted, `frame ${frame} at ${x}, ${y}`)
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

  test('fills the frame with a picture', async () => {
    await look(await film([track('image', quarters())]), [
      [0.25, 0.25, red],
      [0.75, 0.25, lime],
      [0.25, 0.75, blue],
      [0.75, 0.75, white],
    ])
  })

  test('puts a clip into its region', async () => {
    const region = { x: 0.5, y: 0, w: 0.5, h: 0.5 }
    await look(await film([track('image', quarters({ region }))]), [
      [0.6, 0.1, red],
      [0.9, 0.4, white],
      [0.4, 0.4, black],
      [0.6, 0.6, black],
    ])
  })

  test('puts the centre of a scaled clip at its position', async () => {
    const made = await film([
      track('image', quarters({ scale: 0.5, position: { x: 0.25, y: 0.75 } })),
    ])
    await look(made, [
      [0.2, 0.7, red],
      [0.3, 0.8, white],
      [0.55, 0.75, black],
      [0.25, 0.45, black],
    ])
  })

  test('shows only the part of a large clip that lies in the frame', async () => {
    const made = await film([
      track('image', quarters({ scale: 10, position: { x: 0.25, y: 0.5 } })),
    ])
    await look(made, [
      [0.2, 0.4, red],
      [0.9, 0.1, lime],
      [0.05, 0.95, blue],
      [0.9, 0.9, white],
    ])
  })

  test('turns clips clockwise', async () => {
    const region = { x: 0.25, y: 0.25, w: 0.5, h: 0.5 }
    await look(await film([track('image', quarters({ rotation: 90, region }))]), [
      [0.46, 0.4, blue],
      [0.54, 0.4, red],
      [0.54, 0.6, lime],
      [0.46, 0.6, white],
      [0.3, 0.5, black],
    ])
  })

  test('turns a clip by a few degrees around its centre', async () => {
    const made = await film([
      track('image', quarters({ rotation: 45, region: { x: 0, y: 0, w: 1, h: 1 } })),
    ])
    await look(made, [
      [0.5, 0.3, red],
      [0.65, 0.5, lime],
      [0.35, 0.5, blue],
      [0.5, 0.7, white],
      [0.02, 0.02, black],
    ])
  })

  test('mixes a translucent clip with what lies beneath', async () => {
    const tracks = [
      track('image', quarters()),
      track('video', media('silent.webm', {}, { opacity: 0.5 })),
    ]
    await look(await film(tracks), [
      [0.25, 0.25, [192, 0, 64]],
      [0.75, 0.75, [192, 128, 192]],
    ])
  })

  test('lays later tracks over earlier ones, and later clips over earlier ones', async () => {
    const half = { region: { x: 0, y: 0, w: 1, h: 0.5 } }
    const tracks = [
      track('video', media('silent.webm'), media('quarters.png', {}, { startTime: 0.5, ...half })),
      track(
        'overlay',
        overlay('rectangle', {
          width: 0.5,
          height: 1,
          color: '#ffff00',
          entrance: 'none',
          exit: 'none',
          place: 'left',
        }),
      ),
    ]
    const made = await film(tracks)
    await look(
      made,
      [
        [0.25, 0.25, yellow],
        [0.75, 0.25, purple],
      ],
      5,
    )
    await look(
      made,
      [
        [0.25, 0.25, yellow],
        [0.75, 0.15, lime],
        [0.75, 0.75, purple],
      ],
      20,
    )
  })

  test('obeys planes before tracks', async () => {
    const box = (color: string, place: string) => ({
      width: 0.5,
      height: 1,
      color,
      entrance: 'none',
      exit: 'none',
      place,
    })
    const tracks = [
      track('overlay', overlay('rectangle', box('#ffff00', 'left'), {}, { zPlane: 'front' })),
      track('image', quarters({ region: { x: 0, y: 0, w: 1, h: 0.5 } })),
      track('overlay', overlay('rectangle', box('#ff0000', 'right'), {}, { zPlane: 'back' })),
    ]
    await look(await film(tracks), [
      [0.25, 0.1, yellow],
      [0.75, 0.1, lime],
      [0.75, 0.75, red],
    ])
  })

  test('leaves disabled tracks out', async () => {
    const tracks = [
      track('video', media('silent.webm')),
      { ...track('image', quarters()), enabled: false },
    ]
    await look(await film(tracks), [[0.25, 0.25, purple]])
  })

  test.each([
    [
      'cover',
      [
        [0.5, 0.5, [255, 165, 0]],
        [0.05, 0.05, [255, 165, 0]],
      ],
    ],
    [
      'contain',
      [
        [0.5, 0.5, [255, 165, 0]],
        [0.3, 0.5, black],
      ],
    ],
    [
      'fill',
      [
        [0.5, 0.5, [255, 165, 0]],
        [0.05, 0.95, [255, 165, 0]],
      ],
    ],
  ] as const)('fits a tall picture by %s', async (fit, colours) => {
    await look(await film([track('image', media('tall.jpg', {}, { fit }))]), colours)
  })

  test('keeps the holes of a picture', async () => {
    const tracks = [
      track('video', media('silent.webm')),
      track('image', media('hole.png', {}, { fit: 'fill' })),
    ]
    await look(await film(tracks), [
      [0.25, 0.5, purple],
      [0.75, 0.5, yellow],
    ])
  })

  test.each([
    ['turned.mp4', 'left', [lime, white, blue, red]],
    ['turned.jpg', 'right', [blue, red, lime, white]],
  ] as const)('turns %s to the %s, as it says', async (name, _, [one, two, three, four]) => {
    const made = await film([track('video', media(name, {}, { fit: 'contain' }))])
    await look(made, [
      [0.4, 0.2, one],
      [0.6, 0.2, two],
      [0.6, 0.8, three],
      [0.4, 0.8, four],
      [0.2, 0.5, black],
    ])
  })

  /** The second of the media that a frame of the clock shows. */
  const timeAt = async (made: Film, frame: number) =>
    (await frameOf(made, frame)).at(0.5, 0.5)[1] / 50

  test('plays the trimmed part of a video', async () => {
    const made = await film([track('video', media('clock.mp4', { trim: { start: 2, end: 3 } }))])
    expect(await timeAt(made, 0)).toBeCloseTo(2, 0.5)
    expect(await timeAt(made, 29)).toBeCloseTo(2.97, 0.5)
    expect((await streamsOf(made))[0]).toMatchObject({ frames: 30 })
  })

  test('cuts excluded ranges out', async () => {
    const excludedRanges = [
      { start: 1, end: 3, reason: 'a cough' },
      { start: 3.5, end: 4 },
    ]
    const made = await film([
      track('video', media('clock.mp4', { excludedRanges }, { duration: 2.5 })),
    ])
    expect(await timeAt(made, 28)).toBeCloseTo(0.93, 0.5)
    expect(await timeAt(made, 31)).toBeCloseTo(3.03, 0.5)
    expect(await timeAt(made, 47)).toBeCloseTo(4.06, 0.5)
    expect((await streamsOf(made))[0]).toMatchObject({ frames: 75 })
  })

  test('repeats a trimmed part', async () => {
    const loop = { trim: { start: 1, end: 2 }, loop: true }
    const made = await film([track('video', media('clock.mp4', loop, { duration: 2.5 }))])
    expect(await timeAt(made, 1)).toBeCloseTo(1.03, 0.5)
    expect(await timeAt(made, 31)).toBeCloseTo(1.03, 0.5)
    expect(await timeAt(made, 74)).toBeCloseTo(1.46, 0.5)
    expect(await loudnessOf(made, 2.1, 2.4)).toBeGreaterThan(-30)
  })

  test('repeats whole media', async () => {
    const made = await film([track('video', media('silent.webm', { loop: true }, { duration: 7 }))])
    await look(made, [[0.5, 0.5, purple]], 209)
    expect((await streamsOf(made))[0]).toMatchObject({ frames: 210 })
  })

  test.each([0.25, 0.5, 2, 4])('plays at %d of its speed, with its sound', async (playbackRate) => {
    const made = await film([track('video', media('clock.mp4', { playbackRate }))])
    expect(await timeAt(made, 15)).toBeCloseTo(0.5 * playbackRate, 0.5)
    expect(await loudnessOf(made, 0.3, 0.9)).toBeGreaterThan(-30)
  })

  test.each([24, 60])('plays a video of 25 frames at %i', async (fps) => {
    const made = await film([track('video', media('clock.mp4'))], { format: { fps } })
    expect(await timeAt(made, fps / 2)).toBeCloseTo(0.5, 0.5)
    expect((await streamsOf(made))[0]).toMatchObject({ rate: `${fps}/1`, frames: fps })
  })

  test('starts and ends clips on whole frames', async () => {
    const tracks = [
      track('image', quarters({ startTime: 0.34, duration: 0.31 })),
      track('audio', media('tone.wav')),
    ]
    const made = await film(tracks)
    for (const [frame, colour] of [
      [9, black],
      [10, red],
      [19, red],
      [20, black],
    ] as const)
      await look(made, [[0.25, 0.25, colour]], frame)
  })

  test('moves over a picture with kenBurns', async () => {
    const border = async (made: Film, frame: number) => {
      const still = await frameOf(made, frame)
      const places = Array.from({ length: 320 }, (_, index) => index / 320)
      return places.find((x) => isNear(still.at(x, 0.25), lime)) ?? 1
    }
    const left = await film([track('image', quarters({}, { kenBurns: 'left' }))])
    expect(await border(left, 0)).toBeCloseTo((0.5 - 0.15) / 0.85, 1.5)
    expect(await border(left, 29)).toBeCloseTo(0.5 / 0.85, 1.5)
    const near = await film([
      track(
        'image',
        quarters({ position: { x: 0.7, y: 0.5 } }, { kenBurns: { direction: 'in', amount: 0.5 } }),
      ),
    ])
    expect(await border(near, 29)).toBeCloseTo(0.7, 1.5)
  })

  test('joins a still picture with a moving one of another shape', async () => {
    const moving = media('tall.jpg', { kenBurns: 'in' }, { startTime: 1 })
    const made = await film([track('image', quarters(), moving, quarters({ startTime: 2 }))])
    await look(made, [[0.5, 0.5, [255, 165, 0]]], 45)
    await look(made, [[0.25, 0.25, red]], 75)
  })

  test('reframes by segments, with eases', async () => {
    const segments = [
      { startSec: 0, endSec: 0.5, zoom: 0.4, focus: { x: 0.2, y: 0.2 } },
      {
        startSec: 0.5,
        endSec: 1,
        zoom: 0.4,
        focus: { mode: 'point', x: 0.8, y: 0.8 },
        ease: { in: 0.2, out: 0 },
      },
    ]
    const made = await film([track('image', quarters({}, { reframe: { segments } }))])
    const everywhere = (colour: Rgb) =>
      [0.1, 0.9].flatMap((x) => [0.1, 0.9].map((y) => [x, y, colour] as const))
    await look(made, everywhere(red), 3)
    await look(
      made,
      [
        [0.1, 0.1, red],
        [0.9, 0.9, white],
        [0.9, 0.1, lime],
      ],
      18,
    )
    await look(made, everywhere(white), 25)
  })

  test('moves the focus by its bias, and never beyond the picture', async () => {
    const segments = [
      {
        startSec: 0,
        endSec: 1,
        zoom: 0.5,
        focus: { mode: 'frame-center' },
        bias: { x: -0.3, y: 0 },
      },
    ]
    const made = await film([track('image', quarters({}, { reframe: { segments } }))])
    // The camera sees 0.1 to 0.6 of the width, so the middle of the picture is at 0.8.
    await look(made, [
      [0.75, 0.25, red],
      [0.85, 0.25, lime],
    ])
    const corner = [{ startSec: 0, endSec: 1, zoom: 0.5, focus: { x: 0, y: 0 } }]
    await look(await film([track('image', quarters({}, { reframe: { segments: corner } }))]), [
      [0.95, 0.95, red],
    ])
  })

  test('reframes a wide video for a tall film', async () => {
    const segments = [{ startSec: 0, endSec: 1, focus: { x: 0.9, y: 0.5 } }]
    const made = await film([track('image', quarters({}, { reframe: { segments } }))], {
      format: { aspectRatio: '9:16' },
    })
    expect([made.width, made.height]).toEqual([180, 320])
    await look(made, [
      [0.1, 0.1, lime],
      [0.9, 0.9, white],
    ])
  })

  const cut = (transitionIn: unknown) => [
    track('video', media('silent.webm'), quarters({ startTime: 1, transitionIn })),
  ]

  test.each(['fade', 'crossfade', 'dissolve'])('joins two clips by %s', async (type) => {
    const made = await film(cut({ type, durationMs: 500 }))
    await look(made, [[0.25, 0.25, purple]], 29)
    await look(made, [[0.25, 0.25, [192, 0, 64]]], 37)
    await look(made, [[0.25, 0.25, red]], 46)
    expect(made.frames).toBe(60)
  })

  test.each<[string, readonly (readonly [number, number, Rgb])[]]>([
    [
      'wipe-left',
      [
        [0.2, 0.25, purple],
        [0.8, 0.25, lime],
      ],
    ],
    [
      'wipe-right',
      [
        [0.2, 0.25, red],
        [0.8, 0.25, purple],
      ],
    ],
    [
      'wipe-up',
      [
        [0.25, 0.2, purple],
        [0.25, 0.8, blue],
      ],
    ],
    [
      'wipe-down',
      [
        [0.25, 0.2, red],
        [0.25, 0.8, purple],
      ],
    ],
    [
      'slide-left',
      [
        [0.2, 0.25, purple],
        [0.7, 0.25, red],
      ],
    ],
    [
      'slide-right',
      [
        [0.3, 0.25, lime],
        [0.8, 0.25, purple],
      ],
    ],
    [
      'slide-up',
      [
        [0.25, 0.2, purple],
        [0.25, 0.7, red],
      ],
    ],
    [
      'slide-down',
      [
        [0.25, 0.3, blue],
        [0.25, 0.8, purple],
      ],
    ],
    [
      'circle',
      [
        [0.45, 0.45, red],
        [0.02, 0.02, purple],
      ],
    ],
    ['radial', [[0.75, 0.25, purple]]],
    ['pixelize', []],
  ])('joins two clips by %s', async (type, colours) => {
    const made = await film(cut({ type, durationMs: 1_000 }))
    await look(made, [[0.1, 0.1, purple]], 29)
    if (type !== 'radial') await look(made, colours, 45)
    await look(made, [[0.25, 0.25, red]], 59)
  })

  test('an effect track changes what lies beneath, in its time and region only', async () => {
    const effect = clip(
      { kind: 'effect', primitiveId: 'invert', params: {} },
      { startTime: 0.5, duration: 0.5, region: { x: 0, y: 0, w: 0.5, h: 1 } },
    )
    const made = await film([
      track('image', quarters()),
      track('effect', effect),
      track(
        'overlay',
        overlay('rectangle', {
          width: 0.1,
          height: 0.1,
          color: '#ffffff',
          place: 'left',
          entrance: 'none',
          exit: 'none',
        }),
      ),
    ])
    await look(
      made,
      [
        [0.25, 0.25, red],
        [0.75, 0.25, lime],
      ],
      5,
    )
    const still = await frameOf(made, 20)
    expectColour(still.at(0.75, 0.25), lime, 'beside the region')
    expect(isNear(still.at(0.25, 0.25), red)).toBe(false)
    expectColour(still.at(0.04, 0.5), white, 'above the effect')
  })

  test('an effect can be partial, and come in softly', async () => {
    const effect = clip(
      { kind: 'effect', primitiveId: 'grayscale', params: {} },
      { opacity: 0.5, transitionIn: { type: 'fade', durationMs: 500 } },
    )
    const made = await film([track('image', quarters()), track('effect', effect)])
    await look(made, [[0.25, 0.25, red]], 0)
    const [r, g] = (await frameOf(made, 25)).at(0.25, 0.25)
    expect(r).toBeGreaterThan(140)
    expect(r).toBeLessThan(200)
    expect(g).toBeGreaterThan(15)
  })

  const effectSeconds = 0.2
  const framesOfEffect = 6
  /** Each effect for a moment, on a picture and on one with holes, and in the end a moment without any. */
  const filmOfEffects = once(() => {
    const uses = [...effects.map(({ id, example }) => [{ primitiveId: id, params: example }]), []]
    const half = (place: number, x: number, rest: object) => ({
      startTime: place * effectSeconds,
      duration: effectSeconds,
      region: { x, y: 0, w: 0.5, h: 1 },
      ...rest,
    })
    return studio.film([
      track(
        'video',
        media('silent.webm', { loop: true }, { duration: uses.length * effectSeconds }),
      ),
      track('image', ...uses.map((use, place) => quarters(half(place, 0, { effects: use })))),
      track(
        'image',
        ...uses.map((use, place) =>
          media('hole.png', {}, half(place, 0.5, { effects: use, fit: 'fill' })),
        ),
      ),
    ])
  })

  test.each(effects.map(({ id }, place) => ({ id, place })))(
    'the effect $id changes a picture and keeps its holes',
    async ({ id, place }) => {
      const made = await filmOfEffects()
      const changed = await frameOf(made, place * framesOfEffect + 2)
      const plain = await frameOf(made, effects.length * framesOfEffect + 2)
      const differs = Array.from({ length: 160 }, (_, x) => x / 320).some((x) =>
        [0.05, 0.25, 0.5, 0.75].some((y) => !isNear(changed.at(x, y), plain.at(x, y))),
      )
      // Sharpening and grain change less than compression may.
      expect(differs || ['sharpen', 'grain', 'blur', 'pixelate'].includes(id)).toBe(true)
      expectColour(changed.at(0.55, 0.5), purple, 'the hole')
    },
  )

  const isLight = ([r, g, b]: Rgb) => Math.min(r, g, b) > 180

  const texts = [
    ['a percent sign', '100 %{n} %%'],
    ['quotes and signs of filters', `"double" 'single' [a];,:\\`],
    ['markup', '<script>alert(1)</script>&amp;'],
    ['right-to-left script', 'שלום עולם مرحبا'],
    ['Chinese', '你好世界'],
    ['lines', 'one\ntwo\nthree'],
  ] as const
  const emoji = '🟥🟥🟥'
  const textSeconds = 0.2
  const framesOfText = 6
  const filmOfTexts = once(() => {
    const shown = [...texts.map(([, text]) => ({ text, size: 14 })), { text: emoji, size: 20 }]
    const clips = shown.map((params, place) =>
      overlay(
        'text',
        { ...params, entrance: 'none', exit: 'none' },
        { startTime: place * textSeconds, duration: textSeconds },
      ),
    )
    return studio.film([track('overlay', ...clips)])
  })

  test.each(texts.map(([kind], place) => ({ kind, place })))(
    'shows text with $kind',
    async ({ place }) => {
      const still = await frameOf(await filmOfTexts(), place * framesOfText + 2)
      expect(still.share(isLight)).toBeGreaterThan(0.005)
      expect(still.share(isLight)).toBeLessThan(0.5)
    },
  )

  test('shows emoji in their colours', async () => {
    const still = await frameOf(await filmOfTexts(), texts.length * framesOfText + 2)
    expect(still.share(([r, g, b]) => r > 150 && g < 100 && b < 120)).toBeGreaterThan(0.02)
  })

  const drawings = [
    ...components.map(({ id, example }) => ({
      what: `component ${id}`,
      draw: (rest: object) => component(id, example, rest),
      least: 0.005,
    })),
    ...overlays.map(({ id, example }) => ({
      what: `overlay ${id}`,
      draw: (rest: object) => overlay(id, example, rest),
      least: 0.001,
    })),
  ].map((each, place) => ({ ...each, place }))
  /** A second of each. */
  const filmOfDrawings = once(() => {
    const duration = drawings.length
    return studio.film([
      track('video', media('silent.webm', { loop: true }, { duration })),
      track('overlay', ...drawings.map(({ draw, place }) => draw({ startTime: place }))),
    ])
  })

  test.each(drawings)('shows the $what', async ({ place, least }) => {
    const still = await frameOf(await filmOfDrawings(), place * 30 + 20)
    expect(still.share((colour) => !isNear(colour, purple))).toBeGreaterThan(least)
  })

  test('a drawn clip comes and goes', async () => {
    const params = { width: 0.5, height: 0.5, entrance: 'slide-up', exit: 'fade', motionMs: 300 }
    const made = await film([track('overlay', overlay('rectangle', params))])
    await look(made, [[0.5, 0.5, black]], 0)
    const coming = await frameOf(made, 3)
    expect(coming.at(0.5, 0.26)).toEqual(black)
    expect(coming.at(0.5, 0.76)[0]).toBeGreaterThan(40)
    await look(
      made,
      [
        [0.5, 0.5, white],
        [0.5, 0.27, white],
        [0.5, 0.77, black],
      ],
      15,
    )
    expect((await frameOf(made, 29)).at(0.5, 0.5)[0]).toBeLessThan(60)
  })

  test('anchors, scales and turns a drawn clip', async () => {
    const params = { width: 0.4, height: 0.4, color: '#ff0000', entrance: 'none', exit: 'none' }
    const rest = { position: { x: 0.5, y: 0.5 }, duration: 0.2 }
    const at = (source: object, more: object = {}) =>
      film([track('overlay', overlay('rectangle', params, { ...rest, ...more }, source))])
    await look(await at({ anchor: 'top-left' }), [
      [0.6, 0.6, red],
      [0.4, 0.4, black],
    ])
    await look(await at({ anchor: 'bottom-right' }), [
      [0.6, 0.6, black],
      [0.4, 0.4, red],
    ])
    await look(await at({}, { scale: 2 }), [
      [0.15, 0.15, red],
      [0.05, 0.5, black],
    ])
    await look(await at({}, { rotation: 90 }), [
      [0.5, 0.2, red],
      [0.35, 0.5, black],
    ])
  })

  test('enlarges a drawing far beyond the frame, around its centre', async () => {
    const params = { width: 0.4, height: 0.4, color: '#ff0000', entrance: 'none', exit: 'none' }
    const at = (rest: object) =>
      film([track('overlay', overlay('rectangle', params, { duration: 0.2, ...rest }))])
    const region = { x: -0.5, y: -0.5, w: 2, h: 2 }
    const corners = [0.02, 0.98].flatMap((x) => [0.02, 0.98].map((y) => [x, y, red] as const))
    await look(await at({ scale: 10, region }), [...corners, [0.5, 0.5, red]])
    // As wide as the frame, with its centre at the right edge.
    await look(await at({ scale: 1.25, region, position: { x: 1, y: 0.5 } }), [
      [0.52, 0.5, red],
      [0.98, 0.5, red],
      [0.48, 0.5, black],
    ])
  })

  test('a progress bar fills, a counter counts, and typed text grows', async () => {
    const bar = await film([
      track(
        'overlay',
        component('progress-bar', { size: 20, color: '#ff0000', background: '#0000ff' }),
      ),
    ])
    await look(bar, [[0.02, 0.9, blue]], 0)
    await look(
      bar,
      [
        [0.4, 0.9, red],
        [0.6, 0.9, blue],
      ],
      15,
    )
    await look(bar, [[0.98, 0.9, red]], 29)
    const typed = await film([
      track(
        'overlay',
        overlay('typewriter', {
          text: 'mmmmmmmmmm',
          size: 12,
          lettersPerSecond: 10,
          shadow: false,
          entrance: 'none',
          exit: 'none',
        }),
      ),
    ])
    const shares = await Promise.all(
      [2, 14, 28].map(async (frame) => (await frameOf(typed, frame)).share(isLight)),
    )
    expect(shares[1]).toBeGreaterThan((shares[0] ?? 1) * 2)
    expect(shares[2]).toBeGreaterThan((shares[1] ?? 1) * 1.3)
  })

  test('an overlay with parallax follows the camera beneath', async () => {
    const params = { width: 0.1, height: 0.2, color: '#ffff00', entrance: 'none', exit: 'none' }
    const position = { x: 0.5, y: 0.5 }
    const made = await film([
      track('image', quarters({}, { kenBurns: 'right' })),
      track('overlay', overlay('rectangle', params, { position }, { parallax: 1 })),
    ])
    const shift = 0.075 / 0.85
    await look(made, [[0.5 + shift, 0.5, yellow]], 0)
    await look(made, [[0.5 - shift, 0.5, yellow]], 29)
  })

  test('a sound fades, and is silent outside its clip', async () => {
    const made = await film([
      track(
        'audio',
        media('tone.wav', { fadeInMs: 1_000, fadeOutMs: 1_000 }, { startTime: 1, duration: 4 }),
      ),
      track('image', quarters({ duration: 6 })),
    ])
    const full = await loudnessOf(made, 2.5, 3.5)
    expect(await loudnessOf(made, 0, 0.95)).toBeLessThan(-70)
    expect(await loudnessOf(made, 1, 1.2)).toBeLessThan(full - 12)
    expect(await loudnessOf(made, 1.4, 1.6)).toBeGreaterThan(full - 8)
    expect(await loudnessOf(made, 4.8, 5)).toBeLessThan(full - 12)
    expect(await loudnessOf(made, 5.1, 6)).toBeLessThan(-70)
  })

  test('volume and decibels change a sound, and muted clips are silent', async () => {
    const level = async (source: object) =>
      loudnessOf(await film([track('audio', media('tone.mp3', source))]), 0.2, 0.8)
    const plain = await level({})
    expect((await level({ volume: 0.5 })) - plain).toBeCloseTo(-6, 0)
    expect((await level({ volumeDb: -12 })) - plain).toBeCloseTo(-12, 0)
    expect(await level({ muted: true })).toBeLessThan(-70)
    expect(await level({ volume: 0 })).toBeLessThan(-70)
    // Louder than full scale is limited instead of clipped.
    expect(await level({ volume: 4 })).toBeLessThan(0)
  })

  test('the sounds of all clips are mixed', async () => {
    const made = await film([
      track('video', media('clock.mp4', {}, { duration: 2 })),
      track('audio', media('tone.wav', {}, { startTime: 1 })),
    ])
    expect(await loudnessOf(made, 1.2, 1.9)).toBeGreaterThan((await loudnessOf(made, 0.2, 0.9)) + 3)
  })

  test('ends although the first sound does, between two frames of the second', async () => {
    const first = { trim: { start: 0.2, end: 0.5 } }
    const made = await film(
      [
        track('video', media('clock.mp4', first, { startTime: 0.4, duration: 0.4 })),
        track('video', media('clock.mp4', {}, { startTime: 0.6, duration: 0.3 })),
      ],
      { format: { aspectRatio: '1:1', fps: 60, resolution: 'hd' } },
    )
    const [picture, sound] = await streamsOf(made)
    expect(picture).toMatchObject({ frames: 54 })
    expect(sound?.seconds).toBeCloseTo(0.9, 1)
  })

  test.each([
    ['from its start', { start: 0, end: 5 }],
    ['across the end of its pictures', { start: 1, end: 6 }],
    ['after the end of its pictures', { start: 3, end: 8 }],
  ])('holds the last picture of a medium whose sound goes on, cut %s', async (_cut, trim) => {
    const made = await film([
      track(
        'video',
        quarters(),
        media('short.mp4', { trim }, { startTime: 1, duration: 5 }),
        media('silent.webm', {}, { startTime: 6 }),
      ),
    ])
    const [picture, sound] = await streamsOf(made)
    expect(picture?.frames).toBe(210)
    expect(sound?.seconds).toBeCloseTo(7, 1)
    for (const frame of [31, 100, 179]) await look(made, [[0.5, 0.5, [255, 165, 0]]], frame)
    for (const frame of [180, 209]) await look(made, [[0.5, 0.5, purple]], frame)
    expect(await loudnessOf(made, 1.5, 5.5)).toBeGreaterThan(-40)
  })

  test('names the clip, its medium and its time when a medium cannot be read', async () => {
    const broken = path.join(studio.folder, 'broken.mp4')
    await writeFile(broken, 'no video at all')
    const probe = studio.media.get('clock.mp4')?.probe
    if (probe === undefined) throw new Error('The studio has no clock.')
    const contents = [
      quarters(),
      { ...media('broken.mp4', {}, { startTime: 1, duration: 2.5 }), id: 'the-broken-one' },
    ]
    const { composition } = keepValid({
      v: 1,
      format: { aspectRatio: '16:9', fps: 30 },
      tracks: [track('video', ...contents)],
    })
    if (composition === undefined) throw new Error('The composition is invalid.')
    const render = studio.renderer.render({
      composition,
      intent: 'preview',
      signal: new AbortController().signal,
      media: new Map([...studio.media, ['broken.mp4', { path: broken, probe }]]),
    })
    await expect(render).rejects.toThrow(
      'Look at the clip the-broken-one, which shows the medium broken.mp4 from 1 s to 3.5 s.',
    )
  })

  test('an import stores what is in a file, and not what its header claims', async () => {
    const told = studio.media.get('short.mp4')?.probe
    expect(told?.durationSeconds).toBeCloseTo(8, 1)
    expect(told?.pictures?.lastSeconds).toBeCloseTo(1.96, 2)
    const bytes = await readFile(path.join(studio.folder, 'flat.mp4'))
    for (const box of ['mvhd', 'mdhd', 'tkhd']) {
      const place = bytes.indexOf(box) + (box === 'tkhd' ? 24 : 20)
      bytes.writeUInt32BE(bytes.readUInt32BE(place) * 3_600, place)
    }
    const lying = path.join(studio.folder, 'an-hour.mp4')
    await writeFile(lying, bytes)
    const found = await studio.renderer.probe(lying, new AbortController().signal)
    expect(found.durationSeconds).toBeCloseTo(1, 1)
  })

  test('a preview is small and has the same frames', async () => {
    const made = await film([track('image', quarters())], {
      intent: 'preview',
      shortSide: undefined as never,
    })
    expect(made).toMatchObject({ width: 640, height: 360, frames: 30 })
  })

  test('reports its progress, from 0 to 100', async () => {
    const seen: number[] = []
    await film([track('overlay', component('progress-bar', {}, { duration: 4 }))], {
      report: (percent) => void seen.push(percent),
    })
    expect(seen.at(-1)).toBe(100)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(new Set(seen).size).toBeGreaterThan(5)
  })

  test('stops when it is cancelled, and leaves nothing', async () => {
    const stop = new AbortController()
    const long = studio.film(
      [track('video', media('silent.webm', { loop: true }, { duration: 600 }))],
      {
        signal: stop.signal,
        report: (percent) => percent > 10 && stop.abort(new Error('no longer wanted')),
      },
    )
    await expect(long).rejects.toThrow('no longer wanted')
    const made = await film([track('image', quarters())])
    await made.remove()
    await expect(access(made.path)).rejects.toThrow('ENOENT')
  })
})
