// Films with a broken medium between two whole ones. BROKEN_FILMS=200 makes as many as are asked for.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepValid, validate } from '../composition/composition.ts'
import type { MediaState } from '../composition/media.ts'
import { breakers, breakMedium, createDice, type Dice } from './broken-media.fixture.ts'
import {
  type FilmStudio,
  frameOf,
  openStudio,
  type Rgb,
  streamsOf,
  studioTimeoutMs,
  whyNotHere,
} from './film.fixture.ts'
import { FilmFailure, type MediaFile } from './film.ts'

const films = Number(process.env.BROKEN_FILMS ?? 13)
const hours = 3_600_000
const fps = 24
const never = new AbortController().signal
const wholeSeconds = 1

type Ending = 'sold' | 'refused on import' | 'refused on validation' | 'failed'

describe.skipIf(whyNotHere !== undefined)(`a film with a broken medium ${whyNotHere ?? ''}`, () => {
  let studio: FilmStudio
  let folder: string
  beforeAll(async () => {
    studio = await openStudio()
    folder = path.join(studio.folder, 'broken')
    await mkdir(folder, { recursive: true })
  }, studioTimeoutMs)
  afterAll(() => studio.close())

  test('is as planned, or is not sold', { timeout: 3 * hours }, async () => {
    const kinds = Object.keys(breakers)
    const endings = new Map<Ending, number>()
    const differing: object[] = []
    const unsold: object[] = []
    for (let number = 0; number < films; number++) {
      // The dozen of every run takes other kinds than the first ones of the list.
      const kind = kinds[(number * (films < kinds.length ? 2 : 1)) % kinds.length] ?? ''
      const made = await makeFilm(studio, folder, kind, createDice(number))
      endings.set(made.ending, (endings.get(made.ending) ?? 0) + 1)
      if (made.ending !== 'sold') unsold.push({ number, kind, ...made })
      if (made.difference !== undefined) differing.push({ number, kind, ...made })
    }
    const told = process.env.BROKEN_FILMS_REPORT
    if (told !== undefined)
      await writeFile(
        told,
        JSON.stringify({ endings: [...endings], differing, unsold }, undefined, 2),
      )
    expect(differing).toEqual([])
    expect(endings.get('sold') ?? 0).toBeGreaterThan(films / 2)
  })
})

const source = (mediaId: string, more: object = {}) => ({ kind: 'media', mediaId, ...more })

/** The broken medium is cut and placed at random, and the clips beside it are whole. */
function filmOf(dice: Dice, { probe }: MediaFile) {
  const length = probe.durationSeconds ?? 4
  const start = dice() < 0.5 ? 0 : Math.floor(dice() * length * 10) / 10
  const left = Math.max(0.1, Math.floor((length - start) * 10) / 10)
  const isLooped = dice() < 0.2
  const duration = isLooped
    ? left + 1
    : Math.max(0.1, Math.round(left * (0.3 + dice() * 0.7) * 10) / 10)
  const trim = start > 0 ? { trim: { start, end: start + left } } : {}
  const middle = { ...source('broken', { ...trim, ...(isLooped && { loop: true }) }) }
  const kind = probe.kind === 'audio' ? 'audio' : 'video'
  const clips = [
    { id: 'first', startTime: 0, duration: wholeSeconds, source: source('quarters.png') },
    { id: 'third', startTime: wholeSeconds + duration, duration: 1, source: source('silent.webm') },
  ]
  const second = { id: 'second', startTime: wholeSeconds, duration, source: middle }
  return {
    frames: Math.round((2 * wholeSeconds + duration) * fps),
    value: {
      v: 1,
      format: { aspectRatio: '16:9', fps },
      tracks: [
        { id: 'whole', kind: 'video', contents: clips },
        { id: 'broken', kind, contents: [second] },
      ],
    },
  }
}

async function makeFilm(studio: FilmStudio, folder: string, kind: string, dice: Dice) {
  const file = await breakMedium(kind, folder, dice)
  const probe = await studio.renderer.probe(file, never).catch(failureOf)
  if (probe instanceof FilmFailure)
    return { ending: 'refused on import' as const, reason: probe.message }
  const media = new Map([...studio.media, ['broken', { path: file, probe }]])
  const { value, frames } = filmOf(dice, { path: file, probe })
  const states = new Map<string, MediaState>(
    [...media].map(([id, each]) => [id, { status: 'ready', probe: each.probe }]),
  )
  const { composition } = keepValid(value, states)
  if (composition === undefined || validate(value, states).errors.length > 0)
    return { ending: 'refused on validation' as const, probe }
  const wish = { composition, media, intent: 'final', signal: never, shortSide: 90 } as const
  const film = await studio.renderer.render(wish).catch(failureOf)
  if (film instanceof FilmFailure) return { ending: 'failed' as const, reason: film.message, value }
  try {
    const streams = await streamsOf(film)
    const [picture, sound] = streams
    const isPlanned =
      streams.length === 2 &&
      picture?.codec === 'h264' &&
      Math.abs(picture.frames - frames) <= 1 &&
      Math.abs(picture.seconds - frames / fps) <= 1.5 / fps &&
      Math.abs((sound?.seconds ?? 0) - frames / fps) <= 0.09
    // The third clip is where the composition puts it.
    const [first, last] = [await frameOf(film, 2), await frameOf(film, frames - 3)]
    const isWhole =
      isNear(first.at(0.25, 0.25), [255, 0, 0]) && isNear(last.at(0.5, 0.5), [128, 0, 128])
    if (isPlanned && isWhole) return { ending: 'sold' as const }
    return { ending: 'sold' as const, difference: { frames, streams, isWhole, value, probe } }
  } finally {
    await film.remove()
  }
}

const isNear = (colour: Rgb, wanted: Rgb) =>
  colour.every((channel, index) => Math.abs(channel - (wanted[index] ?? 0)) <= 30)

/** A refusal is an answer; anything else is a bug. */
function failureOf(thrown: unknown): FilmFailure {
  if (thrown instanceof FilmFailure) return thrown
  throw thrown
}
