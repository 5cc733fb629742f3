// One frame of a film as a picture. Only what lies near its time is rendered.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClosedBox } from '#platform/sandbox/sandbox.ts'
import { canvasOf } from '../compile/canvas.ts'
import { withCaptions } from '../compile/captions.ts'
import { compileStill, framesOfFilm } from '../compile/compile.ts'
import type { Clip, Composition } from '../composition/schema.ts'
import { ffmpegPath, renderLimits } from './ffmpeg.ts'
import { FilmFailure, type FilmStill, type StillWish } from './film.ts'
import { type ChromiumTerms, prepareFiles } from './prepare.ts'

/** A call waits for it. */
const stillMsMax = 120_000
const name = 'still.png'
/** A transition shows the clip before it for so long after its end. */
const heldSeconds = 10

export async function renderStill(
  box: ClosedBox,
  chromium: ChromiumTerms,
  { composition: wished, media, atSeconds, signal, shortSide }: StillWish,
): Promise<FilmStill> {
  const whole = withCaptions(wished)
  const canvas = canvasOf(whole.format, 'final', shortSide)
  const last = framesOfFilm(whole) - 1
  if (last < 0)
    throw new FilmFailure('The film has no scenes. Put a composition with at least one valid clip.')
  const frame = Math.min(last, Math.max(0, Math.round(atSeconds * canvas.fps)))
  const { composition, startSeconds } = near(whole, frame / canvas.fps)
  const onlyFrame = frame - Math.round(startSeconds * canvas.fps)
  const named = new Set(
    clipsIn(composition).flatMap(({ source }) => (source.kind === 'media' ? [source.mediaId] : [])),
  )
  const seen = new Map([...media].filter(([id]) => named.has(id)))
  const terms = { ...chromium, signal, onlyFrame }
  const files = await prepareFiles(box, composition, seen, canvas, terms)
  const graph = compileStill(composition, files, canvas, onlyFrame)
  const script = await box.write('graph.txt', graph.script)
  const { exitCode, isLate, errors } = await box.run({
    program: ffmpegPath,
    args: [
      ...['-nostdin', '-hide_banner', '-loglevel', 'error', ...graph.inputs],
      ...['-filter_complex_script', script, '-map', `[${graph.pictures}]`],
      ...['-frames:v', '1', '-c:v', 'png', '-y', `/out/${name}`],
    ],
    limits: { ...renderLimits, wallMs: stillMsMax },
    signal,
  })
  const bytes = await readFile(path.join(box.outputFolder, name)).catch(() => undefined)
  if (exitCode !== 0 || bytes === undefined)
    throw new FilmFailure(
      isLate
        ? 'The still took too long, because it lies far into a long clip. Render a preview instead.'
        : 'The still could not be rendered. Validate the composition, and simplify it.',
      { cause: new Error(`ffmpeg: ${errors.trim().slice(-2_000)}`) },
    )
  const { width, height, fps } = canvas
  return { bytes, width, height, atSeconds: frame / fps }
}

const clipsIn = ({ tracks }: Composition) => tracks.flatMap(({ contents }) => contents)

/** The clips around a time, moved so that the first of them starts at 0. */
function near(composition: Composition, atSeconds: number) {
  const isNear = ({ startTime, duration }: Clip) =>
    startTime <= atSeconds && atSeconds < startTime + duration + heldSeconds
  const tracks = composition.tracks
    .filter(({ kind, enabled }) => kind !== 'audio' && enabled !== false)
    .map((track) => ({ ...track, contents: track.contents.filter(isNear) }))
  const starts = tracks.flatMap(({ contents }) => contents.map(({ startTime }) => startTime))
  // A whole number of frames, so that clips stay on their frames.
  const { fps } = composition.format
  const startSeconds = Math.floor(Math.min(atSeconds, ...starts) * fps + 1e-6) / fps
  const moved = tracks.map((track) => ({
    ...track,
    contents: track.contents.map((clip) => ({ ...clip, startTime: clip.startTime - startSeconds })),
  }))
  return { composition: { ...composition, tracks: moved }, startSeconds }
}
