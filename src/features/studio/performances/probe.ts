// What a media file is, by the word of ffprobe.
import { closedFormats, ffprobePath, readRatio, readReport } from '#platform/sandbox/ffprobe.ts'
import type { ClosedBox } from '#platform/sandbox/sandbox.ts'
import { probeLimits } from './limits.ts'
import type { Rate } from './material.ts'

export interface Probed {
  readonly isStill: boolean
  /** Of the first film or picture in it. Undefined without one. */
  readonly picture:
    | { readonly width: number; readonly height: number; readonly rate: Rate | undefined }
    | undefined
  readonly hasSound: boolean
  /** 0 for a still picture. */
  readonly seconds: number
  /** As ffmpeg names it, where the file says so and both ffmpeg's filters and encoders know it. */
  readonly colorMatrix: string | undefined
}

const colorMatrices: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  smpte170m: 'smpte170m',
  bt470bg: 'smpte170m',
}

/** `place`: where the box sees the file. Undefined for a file that is neither picture, film nor sound. */
export async function probe(
  box: Pick<ClosedBox, 'run'>,
  place: string,
  signal: AbortSignal,
): Promise<Probed | undefined> {
  const args = [...closedFormats, ...['-show_streams', '-show_format', '-of', 'json', place]]
  const asked = { program: ffprobePath, args, limits: probeLimits, signal }
  const { exitCode, output } = await box.run(asked)
  if (exitCode !== 0) return undefined
  const { format, streams, isStill } = readReport(output.toString())
  const picture = streams.find(({ codec_type }) => codec_type === 'video')
  return {
    isStill,
    picture:
      picture?.width === undefined || picture.height === undefined
        ? undefined
        : { width: picture.width, height: picture.height, rate: rateOf(picture.avg_frame_rate) },
    hasSound: streams.some(({ codec_type }) => codec_type === 'audio'),
    seconds: isStill ? 0 : Number(format.duration ?? 0),
    colorMatrix: colorMatrices[picture?.color_space ?? ''],
  }
}

function rateOf(text: string | undefined): Rate | undefined {
  const ratio = readRatio(text, '/')
  return ratio && { text: `${ratio.over}/${ratio.under}`, perSecond: ratio.value }
}
