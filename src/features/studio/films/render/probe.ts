// What a media file is: its kind by the word of ffprobe, its length by what is really in it.
import { closedFormats, readRatio, readReport } from '#platform/sandbox/ffprobe.ts'
import type { PictureSpan, ProbedMedia } from '../composition/media.ts'
import { FilmFailure } from './film.ts'
import {
  createPacketReader,
  createTailReader,
  type PacketSpan,
  packetArguments,
  type Tail,
  tailArguments,
} from './packets.ts'

/** Runs ffprobe on the file. Throws FilmFailure when it fails. */
export type AskProbe = (
  args: readonly string[],
  onOutput?: (chunk: Buffer) => void,
) => Promise<string>

const pictureArguments = (file: string): string[] => [
  ...closedFormats,
  ...['-show_streams', '-show_format', '-show_frames', '-read_intervals', '%+#1'],
  ...['-select_streams', 'V', '-of', 'json', file],
]

const soundArguments = (file: string): string[] => [
  ...closedFormats,
  ...['-show_streams', '-show_format', '-select_streams', 'a:0', '-of', 'json', file],
]

/** A larger picture would take more memory than a render may have. */
const pixelsMax = 60_000_000
/** A longer one is a wrong time in the file. */
const pictureSecondsMax = 3_600
/** Telephones have 8,000 samples a second. */
const sampleRateMin = 1_000
const transparent = /^(rgba|bgra|argb|abgr|ya|gbrap|yuva|pal8)/

const nothingInIt =
  'The file holds neither a picture nor sound that can be read. Upload a video, a sound or an image.'
const damaged = (what: string, form = 'MP4') =>
  `${what} The file is damaged, or was not uploaded whole. Convert it to ${form}, and upload it again.`

/** Throws FilmFailure. */
export async function probeMedia(ask: AskProbe, file: string): Promise<ProbedMedia> {
  const seen = readReport(await ask(pictureArguments(file)))
  const [stream] = seen.streams
  if (seen.isStill) {
    if (stream === undefined || seen.frames?.[0] === undefined)
      throw new FilmFailure(damaged('The picture cannot be decoded.', 'PNG or JPEG'))
    return { kind: 'image', durationSeconds: null, frameRate: null, ...lookOf(seen) }
  }
  const heard = readReport(await ask(soundArguments(file)))
  const [soundStream] = heard.streams
  const sampleRate = Number(soundStream?.sample_rate ?? 0)
  if (sampleRate > 0 && sampleRate < sampleRateMin)
    throw new FilmFailure(damaged(`The sound has fewer than ${sampleRateMin} samples a second.`))
  const packets = createPacketReader()
  await ask(packetArguments(closedFormats, file), packets.add)
  const sound = packets.span(soundStream?.index)
  const pictures = packets.span(stream?.index)
  const start = Number(seen.format.start_time ?? 0) || 0
  const soundSeconds = sound === undefined ? 0 : sound.end - start
  if (pictures === undefined) return soundOnly(soundSeconds)
  if (seen.frames?.[0] === undefined)
    throw new FilmFailure(damaged('The first picture cannot be decoded.'))
  const frameRate = readRatio(stream?.avg_frame_rate, '/')?.value ?? null
  const tail = await decodeTail(ask, pictures, file)
  const pictureEnd = Math.max(tail.end, tail.last + (frameRate === null ? 0 : 1 / frameRate))
  if (Math.max(pictures.gapMax, pictureEnd - tail.last) > pictureSecondsMax)
    throw new FilmFailure(damaged('A picture of the video stays for more than an hour.'))
  return {
    kind: 'video',
    durationSeconds: Math.max(soundSeconds, pictureEnd - start),
    pictures: spanOf(pictures, tail, start),
    ...lookOf(seen),
    frameRate,
    hasSound: soundSeconds > 0,
  }
}

/** From the last key picture on; from an earlier one if the last pictures are not there. */
async function decodeTail(ask: AskProbe, { keys }: PacketSpan, file: string): Promise<Tail> {
  for (const from of keys) {
    const reader = createTailReader()
    await ask(tailArguments(closedFormats, from, file), reader.add)
    const tail = reader.tail()
    if (tail !== undefined) return tail
  }
  throw new FilmFailure(damaged('The last pictures cannot be decoded.'))
}

function spanOf({ first, gapMax }: PacketSpan, { last }: Tail, start: number): PictureSpan {
  return {
    firstSeconds: Math.max(0, first - start),
    lastSeconds: Math.max(0, last - start),
    gapSecondsMax: gapMax,
  }
}

function soundOnly(durationSeconds: number): ProbedMedia {
  if (durationSeconds <= 0) throw new FilmFailure(nothingInIt)
  const none = { width: null, height: null, frameRate: null }
  return {
    kind: 'audio',
    durationSeconds,
    ...none,
    hasSound: true,
    hasTransparency: false,
    hasColorMatrix: false,
  }
}

/** What the first picture of the file looks like. Throws FilmFailure for one that is too large. */
function lookOf({ streams, frames }: ReturnType<typeof readReport>) {
  const [stream] = streams
  const { width = 0, height = 0 } = stream ?? {}
  if (width * height > pixelsMax || width * height === 0)
    throw new FilmFailure(
      `The picture has ${width} × ${height} pixels. Send at most ${pixelsMax / 1e6} million.`,
    )
  const size = shownSize({ width, height }, stream?.sample_aspect_ratio, [
    ...(stream?.side_data_list ?? []),
    ...(frames?.[0]?.side_data_list ?? []),
  ])
  return {
    ...size,
    hasSound: false,
    hasTransparency: transparent.test(stream?.pix_fmt ?? ''),
    hasColorMatrix: stream?.color_space !== undefined && stream.color_space !== 'unknown',
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
