// How ffprobe is asked about a file, and what it answers.
import { z } from 'zod'

export const ffprobePath = '/usr/bin/ffprobe'

/** Formats that hold their own media. A playlist would name other files. */
const formats = [
  'mov,mp4,m4a,3gp,3g2,mj2',
  'matroska,webm',
  ...['mp3', 'wav', 'aac', 'ogg', 'flac', 'png_pipe', 'jpeg_pipe', 'webp_pipe'],
].join(',')

/** The arguments of ffprobe that every file of a caller or vendor is opened with. */
export const closedFormats: readonly string[] = [
  ...['-v', 'error', '-format_whitelist', formats, '-protocol_whitelist', 'file'],
]

const sideData = z.array(z.looseObject({ rotation: z.number().optional() })).optional()
const report = z.looseObject({
  format: z.looseObject({
    format_name: z.string(),
    duration: z.string().optional(),
    start_time: z.string().optional(),
  }),
  streams: z.array(
    z.looseObject({
      index: z.number().optional(),
      codec_type: z.string().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      pix_fmt: z.string().optional(),
      color_space: z.string().optional(),
      sample_aspect_ratio: z.string().optional(),
      avg_frame_rate: z.string().optional(),
      duration: z.string().optional(),
      sample_rate: z.string().optional(),
      nb_read_packets: z.string().optional(),
      side_data_list: sideData,
    }),
  ),
  frames: z.array(z.looseObject({ side_data_list: sideData })).optional(),
})

export interface MediaReport extends z.output<typeof report> {
  /** A picture, and not a video or a sound. */
  readonly isStill: boolean
}

/** Reads the JSON that ffprobe writes. */
export function readReport(json: string): MediaReport {
  const read = report.parse(JSON.parse(json))
  return { ...read, isStill: read.format.format_name.endsWith('_pipe') }
}

/** Reads `30000/1001` or `16:9`. Undefined for what is not a ratio above 0. */
export function readRatio(text: string | undefined, sign: '/' | ':') {
  const [over = 0, under = 1] = (text ?? '').split(sign).map(Number)
  return over > 0 && under > 0 ? { over, under, value: over / under } : undefined
}
