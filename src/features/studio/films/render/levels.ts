// Measures the sound of a film, where music is lowered under speech or the whole film has a loudness. Only the sound is
// made for it, which takes a small part of the time of the render.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClosedBox } from '#platform/sandbox/sandbox.ts'
import type { Canvas } from '../compile/canvas.ts'
import { compileSound, type FilmFiles, type SoundGraph } from '../compile/compile.ts'
import type { SoundLevels } from '../compile/sound.ts'
import type { Composition } from '../composition/schema.ts'
import { duckingOf } from '../sound/ducking.ts'
import { type BlockLoudness, loudnessOf, readBlocks } from '../sound/loudness.ts'
import { ffmpegPath, renderLimits } from './ffmpeg.ts'
import { FilmFailure } from './film.ts'

/** The target is met within half a unit; encoding changes less than the rest. */
const toleranceLu = 0.2
/** The limiter takes from a gain, so the first gain may be too small. */
const triesMax = 5
const gainDbMax = 60

export async function measureLevels(
  box: ClosedBox,
  composition: Composition,
  files: FilmFiles,
  canvas: Canvas,
  signal: AbortSignal,
): Promise<SoundLevels | undefined> {
  const ducked = composition.tracks.filter(({ duck }) => duck !== undefined)
  const target = composition.loudness?.targetLufs
  if (ducked.length === 0 && target === undefined) return undefined
  const measure = createMeasure(box, signal)
  const ids = new Set(ducked.flatMap(({ id, duck }) => [id, ...(duck?.under ?? [])]))
  const stems = compileSound(composition, files, canvas, { tracks: ids })
  const ducking = duckingOf(composition, { tracks: await measure(stems) })
  if (target === undefined) return { ducking, gainDb: undefined }
  let gainDb = 0
  for (let tries = 0; tries < triesMax; tries++) {
    const mix = compileSound(composition, files, canvas, { levels: { ducking, gainDb } })
    const lufs = loudnessOf((await measure(mix)).get('mix') ?? [])
    // A silent film has no loudness.
    if (!Number.isFinite(lufs)) return { ducking, gainDb: undefined }
    if (Math.abs(target - lufs) <= toleranceLu) return { ducking, gainDb }
    gainDb += target - lufs
    if (Math.abs(gainDb) > gainDbMax) break
  }
  throw new FilmFailure(
    `The sound of the film cannot be brought to ${target} LUFS, because its peaks are far above the rest. Set loudness.targetLufs lower, or remove it.`,
  )
}

function createMeasure(box: ClosedBox, signal: AbortSignal) {
  let runs = 0
  return async ({ inputs, script, streams }: SoundGraph) => {
    const run = runs++
    const named = [...streams].map(([id, stream], index) => ({
      id,
      stream,
      measured: `measured${index}`,
      file: `loudness-${run}-${index}.txt`,
    }))
    if (named.length === 0) return new Map<string, BlockLoudness>()
    const meters = named.map(
      ({ stream, measured, file }) =>
        `[${stream}]ebur128=metadata=1,ametadata=mode=print:key=lavfi.r128.M:file=/out/${file}[${measured}]`,
    )
    const text = [script.trimEnd(), ...meters].join(';\n')
    const place = await box.write(`sound-${run}.txt`, `${text}\n`)
    const { exitCode, errors } = await box.run({
      program: ffmpegPath,
      args: [
        ...['-nostdin', '-hide_banner', '-loglevel', 'error', ...inputs],
        ...['-filter_complex_script', place],
        ...named.flatMap(({ measured }) => ['-map', `[${measured}]`, '-f', 'null', '-']),
      ],
      limits: renderLimits,
      signal,
    })
    if (exitCode !== 0)
      throw new FilmFailure(
        'The sound of the film could not be measured. Convert the media with sound to MP4 or WAV, and upload them again.',
        { cause: new Error(`ffmpeg: ${errors.trim().slice(-2_000)}`) },
      )
    const blocks = named.map(
      async ({ id, file }): Promise<[string, BlockLoudness]> => [
        id,
        readBlocks(await readFile(path.join(box.outputFolder, file), 'utf8')),
      ],
    )
    return new Map(await Promise.all(blocks))
  }
}
