// What a media file is, by the word of ffprobe.
import { closedFormats, readRatio, readReport } from '#platform/sandbox/ffprobe.ts'
import type { ProbedMedia } from '../composition/media.ts'
import { FilmFailure } from './film.ts'

export const probeArguments = (file: string): string[] => [
  ...closedFormats,
  ...['-show_streams', '-show_format', '-show_frames', '-read_intervals', '%+#1'],
  ...['-select_streams', 'V', '-of', 'json', file],
]

export const soundArguments = (file: string): string[] => [
  ...closedFormats,
  ...['-show_streams', '-show_format', '-select_streams', 'a:0', '-of', 'json', file],
]

/** A larger picture would take more memory than a render may have. */
const pixelsMax = 60_000_000
const transparent = /^(rgba|bgra|argb|abgr|ya|gbrap|yuva|pal8)/

/** Throws FilmFailure. */
export function readProbe(pictures: string, sounds: string): ProbedMedia {
  const seen = readReport(pictures)
  const heard = readReport(sounds)
  const [stream] = seen.streams
  const isImage = seen.isStill
  const hasSound = heard.streams.length > 0
  const duration = Number(seen.format.duration ?? stream?.duration ?? heard.streams[0]?.duration)
  const durationSeconds = isImage ? null : duration
  if (durationSeconds !== null && !(durationSeconds > 0))
    throw new FilmFailure(
      'The file does not say how long it is. Convert it to MP4, and upload it again.',
    )
  if (stream === undefined) return soundOnly(hasSound, durationSeconds)
  const { width = 0, height = 0 } = stream
  if (width * height > pixelsMax || width * height === 0)
    throw new FilmFailure(
      `The picture has ${width} × ${height} pixels. Send at most ${pixelsMax / 1e6} million.`,
    )
  const size = shownSize({ width, height }, stream.sample_aspect_ratio, [
    ...(stream.side_data_list ?? []),
    ...(seen.frames?.[0]?.side_data_list ?? []),
  ])
  return {
    kind: isImage ? 'image' : 'video',
    durationSeconds,
    ...size,
    frameRate: isImage ? null : (readRatio(stream.avg_frame_rate, '/')?.value ?? null),
    hasSound,
    hasTransparency: transparent.test(stream.pix_fmt ?? ''),
    hasColorMatrix: stream.color_space !== undefined && stream.color_space !== 'unknown',
  }
}

function soundOnly(hasSound: boolean, durationSeconds: number | null): ProbedMedia {
  if (!hasSound || durationSeconds === null)
    throw new FilmFailure(
      'The file holds neither a picture nor sound. Upload a video, a sound or an image.',
    )
  const none = { width: null, height: null, frameRate: null }
  return {
    kind: 'audio',
    durationSeconds,
    ...none,
    hasSound,
    hasTransparency: false,
    hasColorMatrix: false,
  }
}

/** With square pixels, and turned as the file says. */
function shownSize(
  { width, height }: { readonly width: number; readonly height: number },
  aspect: string | undefined,
  sides: readonly { readonly rotation?: number | undefined }[],
) {
  const wide = width * (readRatio(aspect, ':')?.value ?? 1)
  const turn = sides.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0
  return Math.abs(turn % 180) === 90 ? { width: height, height: wide } : { width: wide, height }
}
