// Short media of every type that films take, made by ffmpeg. The tests look at films with ffprobe.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=2']
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2']
const still = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:d=1', '-frames:v', '1']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime']

/** By the types of the spec, "Video assembler actions": the file's ending, and how ffmpeg makes it. */
export const mediaSamples = {
  'video/mp4': ['mp4', [...picture, ...sound, ...h264, '-c:a', 'aac']],
  'video/quicktime': ['mov', [...picture, ...h264]],
  'video/x-matroska': ['mkv', [...picture, ...h264]],
  'video/webm': ['webm', [...picture, ...vp8]],
  'audio/mpeg': ['mp3', sound],
  'audio/wav': ['wav', sound],
  'audio/x-wav': ['wav', sound],
  'audio/mp4': ['m4a', [...sound, '-c:a', 'aac']],
  'audio/aac': ['aac', [...sound, '-c:a', 'aac']],
  'image/png': ['png', still],
  'image/jpeg': ['jpg', still],
  'image/webp': ['webp', still],
} as const satisfies Record<string, readonly [string, readonly string[]]>

export type MediaSample = keyof typeof mediaSamples

const made = new Map<MediaSample, Promise<Buffer>>()

/** The bytes of a sample: two seconds of 320 x 180 at 25 frames per second, or of a tone. */
export function mediaSample(type: MediaSample): Promise<Buffer> {
  const known = made.get(type) ?? make(type)
  made.set(type, known)
  return known
}

async function make(type: MediaSample): Promise<Buffer> {
  const [ending, how] = mediaSamples[type]
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-sample-'))
  try {
    const file = path.join(folder, `sample.${ending}`)
    await run('ffmpeg', ['-v', 'error', '-nostdin', ...how, file])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface ProbedFilm {
  readonly seconds: number
  readonly width: number
  readonly height: number
  /** Frames per second. */
  readonly rate: number
  readonly streams: readonly string[]
}

/** What ffprobe says of a film at an address. */
export async function probeFilm(url: string): Promise<ProbedFilm> {
  const { stdout } = await run('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-show_format', '-show_streams'],
    url,
  ])
  const { format, streams } = JSON.parse(stdout)
  const [video] = streams.filter((stream: { codec_type: string }) => stream.codec_type === 'video')
  const [frames, per] = video.r_frame_rate.split('/').map(Number)
  return {
    seconds: Number(format.duration),
    width: video.width,
    height: video.height,
    rate: frames / per,
    streams: streams.map((stream: { codec_name: string }) => stream.codec_name),
  }
}
