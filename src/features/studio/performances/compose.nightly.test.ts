// Films as ffmpeg puts them together, looked at pixel by pixel.
import { createReadStream } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import {
  boxesOf,
  colorAt,
  describeFilm,
  loudness,
  makeClip,
  makeMaterial,
  makeMedia,
  manifestOf,
} from '#test/performances/film-material.ts'
import { createStudio } from './compose.ts'
import type { Slot, Variant } from './manifest.ts'
import { openRecipes } from './recipes.ts'

const sandbox = createSandbox({ clock })
const isInstalled = (await sandbox.missing()) === undefined
const { signal } = new AbortController()
const checkGeneration = () => undefined

describe.skipIf(!isInstalled)('a film', () => {
  let folder = ''
  const endings: (() => Promise<void>)[] = []
  beforeAll(async () => {
    folder = await makeMaterial((end) => endings.push(end))
    await makeClip(path.join(folder, 'red.mp4'), 'red', 7.1)
    await makeClip(path.join(folder, 'red-15.mp4'), 'red', 14.8)
    await makeClip(path.join(folder, 'green-14.mp4'), 'lime', 14.5)
  })
  afterAll(async () => {
    for (const end of endings) await end()
  })

  async function studioOf(variant: Variant, from = folder) {
    const recipe = (await openRecipes({ folder: from, sandbox, checkGeneration })).performance
    if ('reason' in recipe) throw new Error(recipe.reason)
    const film = recipe.films.get(variant)
    if (film === undefined) throw new Error('There is no such film.')
    const openClip = async (name: string) => createReadStream(path.join(folder, name))
    return { film, studio: createStudio({ sandbox, openClip }, film, signal) }
  }

  async function keep(name: string) {
    const kept = await mkdtemp(path.join(tmpdir(), 'tollway-film-'))
    onTestFinished(() => rm(kept, { recursive: true, force: true }))
    const place = path.join(kept, name)
    return { place, use: (made: string) => copyFile(made, place) }
  }

  const compose = async (variant: Variant, clips: string[], slots: Slot[], from?: string) => {
    const { place, use } = await keep('film.mp4')
    const { studio } = await studioOf(variant, from)
    await studio.composeFilm(clips, slots, use)
    return place
  }

  test('has the clip in the masked half, the base clip in the other, and the soundtrack', async () => {
    const film = await compose('standard', ['red.mp4'], ['left'])
    for (const seconds of [0, 3.5, 6.9]) {
      expect(await colorAt(film, seconds, 40, 90), `left at ${seconds}`).toBe('red')
      expect(await colorAt(film, seconds, 280, 90), `right at ${seconds}`).toBe('blue')
    }
    expect(await describeFilm(film)).toEqual({
      width: 320,
      height: 180,
      codec: 'h264',
      rate: '25/1',
      frames: 175,
      sound: 'aac',
      seconds: expect.closeTo(7, 1),
    })
    expect(Math.abs((await describeFilm(film)).seconds - 7)).toBeLessThanOrEqual(1 / 25)
    expect(await loudness(film, 0.5, 6)).toBeGreaterThan(-30)
    const boxes = boxesOf(await readFile(film))
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'))
  })

  test('replaces both performers by one clip, and shows the shots one after the other', async () => {
    const clips = ['red-15.mp4', 'green-14.mp4']
    const film = await compose('extended', clips, ['left', 'right'])
    const seen = []
    for (const seconds of [0, 14.9, 15.04, 28.9])
      seen.push(await colorAt(film, seconds, 40, 90), await colorAt(film, seconds, 280, 90))
    expect(seen).toEqual(['red', 'red', 'red', 'red', 'green', 'green', 'green', 'green'])
    expect(await describeFilm(film)).toMatchObject({ frames: 725, rate: '25/1' })
  })

  test('a mask may move, and a base clip may have a broken frame rate', async () => {
    const moving = await makeMaterial(onTestFinished)
    const place = (name: string) => path.join(moving, name)
    const ntsc = ['-r', '30000/1001', '-pix_fmt', 'yuv420p']
    await makeMedia(place('base.mp4'), 'color=blue:s=320x180:r=30000/1001:d=29.5', ...ntsc)
    const wipe = "geq=lum='255*lt(X,W*T/7)':cb=128:cr=128"
    const source = `color=black:s=320x180:r=30000/1001:d=29.5,${wipe}`
    await makeMedia(place('wipe.mp4'), source, '-t', '29.5', ...ntsc)
    const { performance, ...rest } = manifestOf()
    const masks = { left: 'wipe.mp4', right: 'right.png' }
    const manifest = { ...rest, performance: { standard: { ...performance.standard, masks } } }
    await import('node:fs/promises').then(({ writeFile }) =>
      writeFile(place('manifest.json'), JSON.stringify(manifest)),
    )
    const film = await compose('standard', ['red.mp4'], ['left'], moving)
    expect(await colorAt(film, 1, 160, 90)).toBe('blue')
    expect(await colorAt(film, 6, 160, 90)).toBe('red')
    expect(await describeFilm(film)).toMatchObject({ frames: 210, rate: '30000/1001' })
  })

  test('the video model gets the shot of the base clip and the union of the masks', async () => {
    const { film, studio } = await studioOf('extended')
    const second = film.shots[1]
    if (second === undefined) throw new Error('There is one shot.')
    const shot = await keep('shot.mp4')
    await studio.cutShot(second, shot.use)
    expect(await describeFilm(shot.place)).toMatchObject({ frames: 350, sound: undefined })
    const mask = await keep('mask.png')
    await studio.drawMask(second, ['left', 'right'], mask.use)
    expect(await describeFilm(mask.place)).toMatchObject({ codec: 'png', width: 320, height: 180 })
  })

  test.each([
    ['too short a clip', 'red.mp4', 'extended' as const],
    ['a clip that is a picture', 'keyframe.png', 'standard' as const],
    ['a clip that is text', 'manifest.json', 'standard' as const],
  ])('%s is refused in plain words', async (_what, clip, variant) => {
    const { studio } = await studioOf(variant)
    const composed = studio.composeFilm([clip, clip], ['left'], async () => {})
    await expect(composed).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('Nothing was charged'),
    })
  })
})
