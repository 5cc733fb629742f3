// Random films. FILMS=300 renders as many as are asked for.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepValid, validate } from '../composition/composition.ts'
import {
  type FilmStudio,
  openStudio,
  streamsOf,
  studioTimeoutMs,
  whyNotHere,
} from './film.fixture.ts'
import { brokenFilm, validFilm } from './random-films.fixture.ts'

const films = Number(process.env.FILMS ?? 12)
const hours = 3_600_000

describe.skipIf(whyNotHere !== undefined)(`random films ${whyNotHere ?? ''}`, () => {
  let studio: FilmStudio
  beforeAll(async () => {
    studio = await openStudio()
  }, studioTimeoutMs)
  afterAll(() => studio.close())

  test('valid ones are rendered, with every frame', { timeout: 2 * hours }, async () => {
    const property = fc.asyncProperty(validFilm, async ({ format, tracks }) => {
      const film = await studio.film(tracks, { format, shortSide: 72 })
      try {
        const [picture, sound] = await streamsOf(film)
        const ends = tracks.flatMap(({ contents }) =>
          contents.map(({ startTime, duration }) =>
            Math.round((startTime + duration) * format.fps),
          ),
        )
        expect(picture).toMatchObject({ codec: 'h264', frames: Math.max(...ends) })
        expect(Math.abs((sound?.seconds ?? 0) - Math.max(...ends) / format.fps)).toBeLessThan(0.05)
      } finally {
        await film.remove()
      }
    })
    await fc.assert(property, { numRuns: films, endOnFailure: true })
  })

  test('invalid ones are refused with a fix, and what is kept of them is rendered', {
    timeout: hours,
  }, async () => {
    const states = new Map(
      [...studio.media].map(([id, { probe }]) => [id, { status: 'ready', probe } as const]),
    )
    let refused = 0
    let kept = 0
    const property = fc.asyncProperty(brokenFilm, async (film) => {
      const { valid, errors } = validate(film, states)
      if (valid) return
      refused += 1
      for (const { message, fix } of errors) {
        expect(message).toMatch(/\S.*\.$/s)
        expect(fix).toMatch(/^(Set|Add|Remove|Move|Give|Use|Upload|Ask|End|Shorten|Write) .+\.$/s)
      }
      const { composition } = keepValid(film, states)
      if (composition === undefined || validate(composition, states).errors.length > 0) return
      kept += 1
      // The first and then a tenth of them, since the other test renders too.
      if (kept % 10 !== 1) return
      const made = await studio.renderer.render({
        composition,
        media: studio.media,
        intent: 'final',
        shortSide: 72,
        signal: new AbortController().signal,
      })
      await made.remove()
    })
    await fc.assert(property, { numRuns: films * 3, endOnFailure: true })
    expect(refused).toBeGreaterThan(films)
    expect(kept).toBeGreaterThan(0)
  })
})
