// The operator's film material as ffmpeg makes it: a blue base clip, masks of its halves, and a tone.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { AtEnd } from '../database.ts'

const filmSize = { width: 320, height: 180, framesPerSecond: 25 } as const
const size = `${filmSize.width}x${filmSize.height}`
const run = promisify(execFile)

/** Runs ffmpeg with a source that it makes itself. */
export async function makeMedia(place: string, source: string, ...options: string[]) {
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, ...options, '-y', place]
  await run('ffmpeg', args)
}

/** A clip in one colour, as a video model would make it: of another size and rate. */
export const makeClip = (place: string, color: string, seconds: number) =>
  makeMedia(place, `color=${color}:s=640x480:r=16:d=${seconds}`, '-pix_fmt', 'yuv420p')

const half = (from: number) => [
  '-vf',
  `drawbox=x=${from}:y=0:w=${filmSize.width / 2}:h=${filmSize.height}:color=white:t=fill`,
  ...['-frames:v', '1'],
]

export function manifestOf(overrides: object = {}) {
  const film = (seconds: readonly number[], masks: object) => ({
    base: 'base.mp4',
    soundtrack: 'sound.m4a',
    masks,
    shots: seconds.map((each) => ({
      seconds: each,
      keyframe: 'keyframe.png',
      parameters: { num_frames: each * 16 + 1 },
    })),
  })
  const both = (masks: object) => ({ standard: film([7], masks), extended: film([15, 14], masks) })
  return {
    references: {
      model: 'bytedance/seedream/v4/edit',
      prompt: 'The person in the look of the last picture.',
      parameters: { prompt: '$prompt', image_urls: ['$photos', '$keyframe'] },
    },
    video: {
      model: 'wan-22-vace-fun-a14b/inpainting',
      prompt: 'The performers dance in the lobby.',
      parameters: {
        prompt: '$prompt',
        video_url: '$clip',
        mask_image_url: '$mask',
        ref_image_urls: '$references',
        resolution: '720p',
      },
    },
    performance: both({ left: 'left.png', right: 'right.png' }),
    lead: both({ lead: 'lead.png' }),
    ...overrides,
  }
}

/** A folder for PERFORMANCES_DIR, which is removed at the end. */
export async function makeMaterial(atEnd: AtEnd, manifest: object = manifestOf()): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-film-material-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const at = (name: string) => path.join(folder, name)
  const black = `color=black:s=${size}`
  await Promise.all([
    makeMedia(at('base.mp4'), `color=blue:s=${size}:r=25:d=29.5`, '-pix_fmt', 'yuv420p'),
    makeMedia(at('left.png'), black, ...half(0)),
    makeMedia(at('right.png'), black, ...half(filmSize.width / 2)),
    makeMedia(at('lead.png'), black, ...half(filmSize.width / 4)),
    makeMedia(at('keyframe.png'), `color=blue:s=${size}`, '-frames:v', '1'),
    makeMedia(at('small.png'), 'color=white:s=64x64', '-frames:v', '1'),
    makeMedia(at('sound.m4a'), 'sine=frequency=440:duration=30'),
    writeFile(at('manifest.json'), JSON.stringify(manifest)),
  ])
  return folder
}

/** The colour of one pixel of a film, at a time. */
export async function colorAt(film: string, seconds: number, x: number, y: number) {
  const args = ['-v', 'error', '-ss', String(seconds), '-i', film, '-frames:v', '1']
  const crop = ['-vf', `crop=2:2:${x}:${y},scale=1:1`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const { stdout } = await run('ffmpeg', [...args, ...crop], { encoding: 'buffer' })
  const [red = 0, green = 0, blue = 0] = stdout
  const strongest = Math.max(red, green, blue)
  const names = { red, green, blue }
  return Object.entries(names).find(([, value]) => value === strongest)?.[0]
}

/** What ffprobe says of a film. */
export async function describeFilm(film: string) {
  const args = [
    '-v',
    'error',
    '-show_streams',
    '-show_format',
    '-count_frames',
    '-of',
    'json',
    film,
  ]
  const { streams, format } = JSON.parse((await run('ffprobe', args)).stdout)
  const stream = (type: string) =>
    streams.find(({ codec_type }: { codec_type: string }) => codec_type === type)
  const { width, height, r_frame_rate, nb_read_frames, codec_name } = stream('video')
  return {
    width,
    height,
    codec: codec_name,
    rate: r_frame_rate,
    frames: Number(nb_read_frames),
    sound: stream('audio')?.codec_name,
    seconds: Number(format.duration),
  }
}

/** The loudness of a part of a film, in decibels of the highest possible. */
export async function loudness(film: string, from: number, seconds: number): Promise<number> {
  const part = ['-ss', String(from), '-t', String(seconds), '-i', film]
  const { stderr } = await run('ffmpeg', [...part, '-af', 'volumedetect', '-f', 'null', '-'])
  return Number(/mean_volume: (-?[\d.]+|-inf)/.exec(stderr)?.[1] ?? Number.NaN)
}

/** The names of the boxes of an MP4, in order. */
export function boxesOf(bytes: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    names.push(bytes.toString('latin1', at + 4, at + 8))
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : Math.max(size, 8)
  }
  return names
}
