// Whether a film that ffmpeg has written is the one that was planned. ffmpeg ends well, too, when its inputs end early.
import { closedFormats, ffprobePath, type MediaReport, readReport } from './ffprobe.ts'
import type { ClosedBox } from './sandbox.ts'

export interface PlannedFilm {
  readonly frames: number
  readonly fps: number
}

export interface FilmDifference {
  /** For the log. */
  readonly what: string
  /** Where the shorter one of the film's streams ends; undefined if their length is right. */
  readonly endsAtSeconds: number | undefined
}

const framesTolerated = 1
/** Sound is written in packets of 1,024 samples, and begins with one that is not heard. */
const soundPacketsSeconds = (2 * 1_024) / 48_000

const checkLimits = {
  memoryBytes: 2_000_000_000,
  cpuSeconds: 60,
  fileBytes: 1_000,
  processes: 64,
  wallMs: 120_000,
}

/** Counts what is in the film at this place of the box. Undefined: it is as planned. */
export async function checkFilm(
  box: Pick<ClosedBox, 'run'>,
  place: string,
  plan: PlannedFilm,
  signal: AbortSignal,
): Promise<FilmDifference | undefined> {
  const args = [
    ...[...closedFormats, '-count_packets', '-show_streams', '-show_format', '-of', 'json'],
    place,
  ]
  const asked = { program: ffprobePath, args, limits: checkLimits, signal }
  const { exitCode, output, errors } = await box.run(asked)
  if (exitCode !== 0)
    return { what: `ffprobe: ${errors.trim().slice(-500)}`, endsAtSeconds: undefined }
  return compareFilm(readReport(output.toString()), plan)
}

export function compareFilm(
  { streams, format }: Pick<MediaReport, 'streams' | 'format'>,
  { frames, fps }: PlannedFilm,
): FilmDifference | undefined {
  const pictures = streams.filter(({ codec_type }) => codec_type === 'video')
  const sounds = streams.filter(({ codec_type }) => codec_type === 'audio')
  if (pictures.length !== 1 || sounds.length !== 1)
    return {
      what: `${pictures.length} streams of pictures and ${sounds.length} of sound`,
      endsAtSeconds: pictures.length === 0 || sounds.length === 0 ? 0 : undefined,
    }
  const counted = Number(pictures[0]?.nb_read_packets ?? 0)
  const planned = frames / fps
  const tolerance = framesTolerated / fps + soundPacketsSeconds
  const soundSeconds = Number(sounds[0]?.duration ?? 0)
  const length = Number(format.duration ?? 0)
  const isAsPlanned =
    Math.abs(counted - frames) <= framesTolerated &&
    Math.abs(soundSeconds - planned) <= tolerance &&
    Math.abs(length - planned) <= tolerance
  if (isAsPlanned) return undefined
  const what = `${counted} of ${frames} frames, ${soundSeconds} s of sound and ${length} s in all instead of ${planned} s`
  const end = Math.min(counted / fps, soundSeconds)
  return { what, endsAtSeconds: end < planned ? end : undefined }
}
