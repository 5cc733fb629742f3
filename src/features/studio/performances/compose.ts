// Makes pictures and films with ffmpeg, in a box without network.
import path from 'node:path'
import { fail } from '#core/errors.ts'
import { checkFilm } from '#platform/sandbox/film-check.ts'
import type { ClosedBox, Sandbox } from '#platform/sandbox/sandbox.ts'
import { filmArguments, maskArguments, shotArguments } from './ffmpeg.ts'
import { encodeLimits, missingSecondsMax } from './limits.ts'
import type { Slot } from './manifest.ts'
import type { GeneratedClip, Mask, Material, Shot } from './material.ts'
import { probe } from './probe.ts'

const ffmpeg = '/usr/bin/ffmpeg'

export type OpenClip = (address: string, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>

/** The work of ffmpeg for one film. Each call has a box of its own. */
export interface Studio {
  /** The shot of the base clip, for the video model. `use` gets the place of a file that is removed afterwards. */
  cutShot<Result>(shot: Shot, use: (place: string) => Promise<Result>): Promise<Result>
  /** The region of the performers in a shot. */
  drawMask<Result>(
    shot: Shot,
    slots: readonly Slot[],
    use: (place: string) => Promise<Result>,
  ): Promise<Result>
  /** The finished film. `clips` are the addresses of what was generated, in the order of the shots. */
  composeFilm<Result>(
    clips: readonly string[],
    slots: readonly Slot[],
    use: (place: string) => Promise<Result>,
  ): Promise<Result>
}

export function createStudio(
  { sandbox, openClip }: { readonly sandbox: Sandbox; readonly openClip: OpenClip },
  film: Material,
  signal: AbortSignal,
): Studio {
  async function withBox<Result>(
    files: readonly string[],
    output: string,
    work: (box: ClosedBox) => Promise<string[]>,
    use: (place: string, box: ClosedBox) => Promise<Result>,
  ): Promise<Result> {
    const box = await sandbox.openBox()
    try {
      for (const file of new Set(files)) await box.add(path.join(film.folder, file), file)
      await encode(box, await work(box), signal)
      return await use(path.join(box.outputFolder, output), box)
    } finally {
      await box.close()
    }
  }
  const masksOf = (slots: readonly Slot[]) => slots.map((slot) => film.masks.get(slot) as Mask)
  const seenInBox = (file: string) => `/in/${file}`
  const namesOf = (masks: readonly Mask[]) => masks.map(({ file }) => file)

  return {
    cutShot: (shot, use) =>
      withBox(
        [film.base.file],
        'shot.mp4',
        async () => shotArguments(film, shot, seenInBox, '/out/shot.mp4'),
        use,
      ),
    drawMask(shot, slots, use) {
      const masks = masksOf(slots)
      const output = masks.every(({ isStill }) => isStill) ? 'mask.png' : 'mask.mp4'
      const parts = { film, masks, path: seenInBox, output: `/out/${output}` }
      return withBox(namesOf(masks), output, async () => maskArguments(parts, shot), use)
    },
    composeFilm(addresses, slots, use) {
      const masks = masksOf(slots)
      const work = async (box: ClosedBox) => {
        const clips = []
        for (const [at, address] of addresses.entries())
          clips.push(await fetchClip({ box, film, openClip, signal }, address, at))
        return filmArguments({ film, masks, clips, path: seenInBox, output: '/out/film.mp4' })
      }
      const files = [film.base.file, film.soundtrack, ...namesOf(masks)]
      return withBox(files, 'film.mp4', work, async (place, box) => {
        await requirePlanned(box, film, signal)
        return await use(place)
      })
    },
  }
}

async function encode(box: ClosedBox, args: string[], signal: AbortSignal) {
  const ended = await box.run({ program: ffmpeg, args, limits: encodeLimits, signal })
  if (ended.exitCode === 0) return
  throw fail('upstream_error', {
    message: 'The film could not be put together. Nothing was charged; try again.',
    cause: new Error(`ffmpeg: ${ended.isLate ? 'too slow' : ended.errors.trim().slice(-2_000)}`),
  })
}

/** A film is sold only with all its pictures and its sound. */
async function requirePlanned(box: ClosedBox, { frames, rate }: Material, signal: AbortSignal) {
  const plan = { frames, fps: rate.perSecond }
  const difference = await checkFilm(box, '/out/film.mp4', plan, signal)
  if (difference === undefined) return
  throw fail('upstream_error', {
    message: 'The film did not come out as planned. Nothing was charged; try again.',
    cause: new Error(`The film differs from its plan: ${difference.what}.`),
  })
}

async function fetchClip(
  studio: {
    readonly box: ClosedBox
    readonly film: Material
    readonly openClip: OpenClip
    readonly signal: AbortSignal
  },
  address: string,
  at: number,
): Promise<GeneratedClip> {
  const { box, film, openClip, signal } = studio
  const place = await box.write(`clip-${at}`, await openClip(address, signal))
  const probed = await probe(box, place, signal)
  const { seconds = 0 } = film.shots[at] ?? {}
  if (
    probed?.picture === undefined ||
    probed.isStill ||
    probed.seconds < seconds - missingSecondsMax
  )
    throw fail('upstream_error', {
      message:
        'The video model made no clip of the length that was asked for. Nothing was charged; try again.',
      cause: new Error(`Clip ${at}: ${JSON.stringify(probed)}`),
    })
  return { place, colorMatrix: probed.colorMatrix }
}
