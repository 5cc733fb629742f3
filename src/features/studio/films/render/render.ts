// Renders films: draws what is drawn, and has ffmpeg join everything in a box.
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { findChromium } from '#platform/chromium/chromium.ts'
import { ffprobePath } from '#platform/sandbox/ffprobe.ts'
import { checkFilm, type FilmDifference } from '#platform/sandbox/film-check.ts'
import { type ClosedBox, findProgram, type Sandbox } from '#platform/sandbox/sandbox.ts'
import { type Canvas, canvasOf } from '../compile/canvas.ts'
import { withCaptions } from '../compile/captions.ts'
import { compileFilm, framesOfFilm } from '../compile/compile.ts'
import { clipsOf } from '../composition/composition.ts'
import type { Composition } from '../composition/schema.ts'
import { clipAt, clipOfMedia } from './blame.ts'
import {
  createProgressReader,
  ffmpegPath,
  probeLimits,
  renderArguments,
  renderLimits,
} from './ffmpeg.ts'
import { type Film, FilmFailure, type FilmRenderer, type FilmWish } from './film.ts'
import { checkGif, convertToGif } from './gif.ts'
import { measureLevels } from './levels.ts'
import { type ChromiumTerms, giveUpAfter, mediaName, prepareFiles } from './prepare.ts'
import { type AskProbe, probeMedia } from './probe.ts'
import { renderStill } from './still.ts'

export interface FilmRendererDependencies extends ChromiumTerms {
  readonly sandbox: Sandbox
}

/** Drawing is counted as this much of a render. */
const drawingPercent = 10
const outputName = 'film.mp4'
/** Exit codes above it say which signal ended a program. */
const killedFrom = 128
/** A graph that makes no frame for so long never will. */
const stallMs = 180_000

export function createFilmRenderer(dependencies: FilmRendererDependencies): FilmRenderer {
  const { sandbox, chromiumPath } = dependencies
  return {
    async missing() {
      for (const name of ['ffmpeg', 'ffprobe'])
        if ((await findProgram(name)) === undefined)
          return `${name} is not installed: install the package ffmpeg.`
      if ((await findChromium(chromiumPath)) === undefined)
        return 'Chromium, which draws text, is not installed: install the package chromium-headless-shell.'
      return sandbox.missing()
    },
    async render(wish) {
      const box = await sandbox.openBox()
      try {
        return await renderIn(box, dependencies, wish)
      } catch (thrown) {
        await box.close()
        throw thrown
      }
    },
    async still(wish) {
      const box = await sandbox.openBox()
      try {
        return await renderStill(box, dependencies, wish)
      } finally {
        await box.close()
      }
    },
    async probe(file, signal) {
      const box = await sandbox.openBox()
      try {
        return await probeIn(box, file, signal)
      } finally {
        await box.close()
      }
    },
  }
}

async function renderIn(
  box: ClosedBox,
  chromium: ChromiumTerms,
  {
    composition: wished,
    media,
    intent,
    form = 'mp4',
    signal,
    report = () => {},
    shortSide,
  }: FilmWish,
): Promise<Film> {
  const composition = withCaptions(wished)
  if (clipsOf(composition).length === 0)
    throw new FilmFailure('The film has no scenes. Put a composition with at least one valid clip.')
  const canvas = canvasOf(composition.format, intent, shortSide)
  if (form === 'gif') checkGif(framesOfFilm(composition) / canvas.fps)
  const drawn = (part: number) => report(Math.floor(part * drawingPercent))
  const files = await prepareFiles(box, composition, media, canvas, { ...chromium, signal, drawn })
  const levels = await measureLevels(box, composition, files, canvas, signal)
  const graph = compileFilm(composition, files, canvas, levels)
  const script = await box.write('graph.txt', graph.script)
  const args = renderArguments(graph, { script, output: `/out/${outputName}` }, canvas, intent)
  const share = (100 - drawingPercent) / graph.frames
  const stall = watchStall()
  const { exitCode, isLate, errors } = await box
    .run({
      program: ffmpegPath,
      args,
      limits: renderLimits,
      signal: AbortSignal.any([signal, stall.signal]),
      onOutput: createProgressReader((frames) => {
        stall.reached(frames)
        report(Math.min(99, Math.floor(drawingPercent + frames * share)))
      }),
    })
    .finally(stall.end)
  if (exitCode !== 0) {
    const mediaId = [...media.keys()][mediaNumberIn(errors, graph.inputs) ?? -1]
    throw failureOf({ isLate, errors }, composition, mediaId)
  }
  const plan = { frames: graph.frames, fps: canvas.fps }
  const difference = await checkFilm(box, `/out/${outputName}`, plan, signal)
  if (difference !== undefined) throw unlikePlan(difference, composition)
  const film = await filmOf(box, graph.frames, canvas)
  const made = form === 'gif' ? await convertToGif(box, film, signal) : film
  report(100)
  return made
}

function unlikePlan({ what, endsAtSeconds }: FilmDifference, composition: Composition) {
  const cause = new Error(`The film differs from its plan: ${what}.`)
  if (endsAtSeconds === undefined)
    return new FilmFailure('The film did not come out as planned. Simplify it, and render again.', {
      cause,
    })
  return new FilmFailure(
    `The film ends too early, at ${endsAtSeconds.toFixed(2)} s. ${clipAt(composition, endsAtSeconds)} Convert that medium to MP4, upload it again, and use it instead.`,
    { cause },
  )
}

async function filmOf(box: ClosedBox, frames: number, canvas: Canvas): Promise<Film> {
  const file = path.join(box.outputFolder, outputName)
  const { size: bytes } = await stat(file)
  const durationSeconds = frames / canvas.fps
  return { path: file, bytes, ...canvas, frames, durationSeconds, remove: box.close }
}

/** Gives up on a render that makes no progress. */
function watchStall() {
  const message = 'The render stood still. Simplify the composition, and render again.'
  const { signal, again, end } = giveUpAfter(stallMs, message)
  let most = -1
  return {
    signal,
    reached(frames: number) {
      if (frames > most) again()
      most = Math.max(most, frames)
    },
    end,
  }
}

function failureOf(
  { isLate, errors }: { readonly isLate: boolean; readonly errors: string },
  composition: Composition,
  mediaId: string | undefined,
): FilmFailure {
  if (isLate)
    return new FilmFailure(
      `The render took longer than ${renderLimits.wallMs / 60_000} minutes. Shorten the film, or use fewer clips or a lower resolution.`,
    )
  const cause = new Error(`ffmpeg: ${errors.trim().slice(-2_000)}`)
  const blamed = mediaId === undefined ? undefined : clipOfMedia(composition, mediaId)
  if (blamed === undefined)
    return new FilmFailure(
      'The film could not be rendered. Validate the composition, and simplify it.',
      { cause },
    )
  return new FilmFailure(
    `The film could not be rendered. ${blamed} It cannot be read: convert it to MP4, upload it again, and use it instead.`,
    { cause },
  )
}

/** The medium that ffmpeg complains about, by the name of its file or the number of its input. */
function mediaNumberIn(errors: string, inputs: readonly string[]): number | undefined {
  const files = inputs.filter((_argument, at) => inputs[at - 1] === '-i')
  const input = /stream #(\d+):/.exec(errors)?.[1]
  const number = new RegExp(`/in/${mediaName}(\\d+)`).exec(`${errors}\n${files[Number(input)]}`)
  return number === null ? undefined : Number(number[1])
}

async function probeIn(box: ClosedBox, file: string, signal: AbortSignal) {
  const input = await box.add(file, 'media')
  const ask: AskProbe = async (args, onOutput) => {
    const command = { program: ffprobePath, args, limits: probeLimits, signal }
    const ended = await box.run(onOutput === undefined ? command : { ...command, onOutput })
    const { exitCode, output, errors } = ended
    const cause = new Error(`ffprobe: ${errors.trim().slice(-2_000)}`)
    if (exitCode === null || exitCode > killedFrom)
      throw new FilmFailure(
        'Reading the file took too long. Convert it to MP4 with a key frame every two seconds, and upload it again.',
        { cause },
      )
    // What could be read of a damaged file is what it holds.
    if (exitCode === 0 || onOutput !== undefined) return output.toString()
    throw new FilmFailure(
      'The file cannot be read as a video, a sound or an image. Upload MP4, QuickTime, Matroska, WebM, MP3, WAV, AAC, PNG, JPEG or WebP.',
      { cause },
    )
  }
  return await probeMedia(ask, input)
}
