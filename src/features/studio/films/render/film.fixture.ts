// Films of the tests: small media whose every pixel is known, and what a rendered film shows and sounds like.
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { keepValid, validate } from '../composition/composition.ts'
import type { Film, FilmWish, MediaFile } from './film.ts'
import { createFilmRenderer } from './render.ts'

const run = promisify(execFile)
const never = new AbortController().signal

const ffmpeg = (args: readonly string[], cwd = tmpdir()) =>
  run('/usr/bin/ffmpeg', ['-v', 'error', '-y', ...args], {
    cwd,
    encoding: 'buffer',
    maxBuffer: 100_000_000,
  })

/** Quarters: red, green, blue, white. */
const quarters =
  'color=red:s=320x180,drawbox=x=160:y=0:w=160:h=90:c=lime:t=fill,drawbox=x=0:y=90:w=160:h=90:c=blue:t=fill,drawbox=x=160:y=90:w=160:h=90:c=white:t=fill'
/** Its green goes from 0 to 250 in 5 seconds: its colour tells the time. */
const clockFace = "nullsrc=s=320x180:r=25:d=5,format=rgb24,geq=r=128:g='50*T':b=0"
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-pix_fmt', 'yuv420p']

const recipes: Readonly<Record<string, readonly string[]>> = {
  'quarters.png': ['-f', 'lavfi', '-i', quarters, '-frames:v', '1'],
  'hole.png': [
    ...[
      '-f',
      'lavfi',
      '-i',
      'color=yellow:s=200x200,format=rgba,geq=r=255:g=255:b=0:a=255*gt(X\\,99)',
    ],
    ...['-frames:v', '1'],
  ],
  'flat.jpg': ['-f', 'lavfi', '-i', quarters, '-frames:v', '1', '-q:v', '2'],
  'tall.jpg': ['-f', 'lavfi', '-i', 'color=orange:s=100x400', '-frames:v', '1'],
  'clock.mp4': [
    ...['-f', 'lavfi', '-i', clockFace, '-f', 'lavfi', '-i', 'sine=440:d=5:r=48000'],
    ...[...h264, '-c:a', 'aac'],
  ],
  'flat.mp4': ['-f', 'lavfi', '-i', `${quarters},loop=-1:1`, '-t', '1', ...h264],
  // ffmpeg writes the turn only where it copies a stream.
  'turned.mp4': ['-i', 'flat.mp4', '-c', 'copy', '-metadata:s:v:0', 'rotate=90'],
  'silent.webm': [
    '-f',
    'lavfi',
    '-i',
    'color=purple:s=160x90:d=2',
    '-c:v',
    'libvpx',
    '-b:v',
    '200k',
  ],
  // Two seconds of pictures under eight seconds of sound.
  'short.mp4': [
    ...['-f', 'lavfi', '-i', 'color=orange:s=160x90:r=25:d=2', '-f', 'lavfi', '-i', 'sine=440:d=8'],
    ...[...h264, '-c:a', 'aac'],
  ],
  'tone.wav': ['-f', 'lavfi', '-i', 'sine=880:d=6:r=44100,volume=4'],
  'tone.mp3': ['-f', 'lavfi', '-i', 'sine=880:d=6,volume=4'],
}

/** As a camera writes it that was held upright: an EXIF segment says to turn the picture clockwise. */
function turnedPhoto(jpeg: Buffer): Buffer {
  const orientation = Buffer.from(
    '4d4d002a000000080001011200030000000100060000' + '00000000',
    'hex',
  )
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientation])
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)])
}

export interface FilmStudio {
  /** By file name. */
  readonly media: ReadonlyMap<string, MediaFile>
  readonly folder: string
  readonly renderer: ReturnType<typeof createFilmRenderer>
  /** Renders what must be valid. */
  film(
    tracks: readonly object[],
    rest?: Partial<FilmWish> & { format?: object; more?: object },
  ): Promise<Film>
  close(): Promise<void>
}

export const whyNotHere = await createFilmRenderer({ sandbox: createSandbox({ clock }) }).missing()

/** A dozen media are made and imported, which takes long on a busy machine. */
export const studioTimeoutMs = 300_000

let studios = 0

/** `names`: the media that are made. Default: all. */
export async function openStudio(names = Object.keys(recipes)): Promise<FilmStudio> {
  const folder = path.join(tmpdir(), `tollway-studio-${process.pid}-${studios++}`)
  await mkdir(folder, { recursive: true })
  const renderer = createFilmRenderer({ sandbox: createSandbox({ clock }) })
  const media = new Map<string, MediaFile>()
  for (const name of names) {
    const file = path.join(folder, name)
    await ffmpeg([...(recipes[name] ?? []), file], folder)
    media.set(name, { path: file, probe: await renderer.probe(file, never) })
  }
  if (names.includes('flat.jpg')) {
    const turned = path.join(folder, 'turned.jpg')
    await writeFile(turned, turnedPhoto(await readFile(path.join(folder, 'flat.jpg'))))
    media.set('turned.jpg', { path: turned, probe: await renderer.probe(turned, never) })
  }
  return {
    media,
    folder,
    renderer,
    async film(tracks, { format = {}, more = {}, ...wish } = {}) {
      const value = { v: 1, format: { aspectRatio: '16:9', fps: 30, ...format }, tracks, ...more }
      const states = new Map(
        [...media].map(([id, { probe }]) => [id, { status: 'ready', probe } as const]),
      )
      const { errors } = validate(value, states)
      const { composition } = keepValid(value, states)
      if (composition === undefined || errors.length > 0)
        throw new Error(`The test's film is invalid: ${JSON.stringify(errors)}`)
      return renderer.render({
        composition,
        media,
        intent: 'final',
        signal: never,
        shortSide: 180,
        ...wish,
      })
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export type Rgb = readonly [red: number, green: number, blue: number]

export interface Still {
  /** At fractions of the frame. */
  at(x: number, y: number): Rgb
  /** The fraction of pixels that `matches`. */
  share(matches: (colour: Rgb) => boolean): number
}

const bytesOf = ({ width, height }: Film) => width * height * 3

/** The frames that a filter selects, as pixels of three bytes. */
async function decode({ path: file }: Film, filters: readonly string[]): Promise<Buffer> {
  const all = [...filters, 'scale=in_color_matrix=bt709', 'format=rgb24'].join()
  const args = ['-i', file, '-vf', all, '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1']
  return (await ffmpeg(args)).stdout
}

/** Short films are decoded once, however many of their frames are looked at. */
const decoded = new WeakMap<Film, Promise<Buffer>>()
const decodedBytesMax = 90_000_000

async function pixelsOf(film: Film, frame: number): Promise<Buffer> {
  const bytes = bytesOf(film)
  if (film.frames * bytes > decodedBytesMax) return await decode(film, [`select=eq(n\\,${frame})`])
  const whole = decoded.get(film) ?? decode(film, [])
  decoded.set(film, whole)
  return (await whole).subarray(frame * bytes, (frame + 1) * bytes)
}

/** The picture of one frame. */
export async function frameOf(film: Film, frame: number): Promise<Still> {
  const { width, height } = film
  const picture = await pixelsOf(film, frame)
  if (picture.length !== bytesOf(film)) throw new Error(`The film has no frame ${frame}.`)
  const colourAt = (index: number): Rgb => [
    picture[index * 3] ?? 0,
    picture[index * 3 + 1] ?? 0,
    picture[index * 3 + 2] ?? 0,
  ]
  return {
    at: (x, y) => colourAt(Math.floor(y * height) * width + Math.floor(x * width)),
    share(matches) {
      const count = width * height
      let found = 0
      for (let index = 0; index < count; index++) if (matches(colourAt(index))) found += 1
      return found / count
    },
  }
}

/** The mean level of a stretch of the sound, in decibels of full scale. */
export async function loudnessOf({ path: file }: Film, from: number, to: number): Promise<number> {
  const { stderr } = await run('/usr/bin/ffmpeg', [
    ...[
      '-nostats',
      '-i',
      file,
      '-af',
      `atrim=${from}:${to},volumedetect`,
      '-vn',
      '-f',
      'null',
      '-',
    ],
  ])
  const level = Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1])
  return Number.isNaN(level) ? Number.NEGATIVE_INFINITY : level
}

export interface Streams {
  readonly codec: string
  readonly width?: number
  readonly height?: number
  readonly rate?: string
  readonly frames: number
  readonly seconds: number
}

export async function streamsOf({ path: file }: Film): Promise<Streams[]> {
  const { stdout } = await run('/usr/bin/ffprobe', [
    ...['-v', 'error', '-count_frames', '-show_streams', '-of', 'json', file],
  ])
  const { streams } = JSON.parse(stdout) as { streams: Record<string, string>[] }
  return streams.map((stream) => ({
    codec: stream.codec_name ?? '',
    ...(stream.width === undefined
      ? {}
      : {
          width: Number(stream.width),
          height: Number(stream.height),
          rate: stream.avg_frame_rate ?? '',
        }),
    frames: Number(stream.nb_read_frames),
    seconds: Number(stream.duration),
  }))
}
