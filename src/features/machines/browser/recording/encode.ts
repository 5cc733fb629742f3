// Makes a video of recorded pictures, with ffmpeg in a box.
import { createReadStream, type ReadStream } from 'node:fs'
import path from 'node:path'
import type { ClosedBox, Sandbox } from '#platform/sandbox/sandbox.ts'
import { NoVideo } from './failures.ts'
import { readFrames, type TimedFrame } from './frames-file.ts'
import {
  bitsPerSecondMax,
  encodingLimits,
  framesPerSecond,
  recordedMinutesMax,
  secondsPerFrameMax,
  videoBytesMax,
} from './limits.ts'
import { type FilmRate, makeSteady } from './steady.ts'

const ffmpegPath = '/usr/bin/ffmpeg'
const videoName = 'recording.mp4'
const size = { width: 1_280, height: 800 }
/** What the video's container needs beside the pictures, at most. */
const containerShare = 0.05
const rate: FilmRate = {
  intervalMs: 1_000 / framesPerSecond,
  intervalsPerPicture: secondsPerFrameMax * framesPerSecond,
  intervalsMax: recordedMinutesMax * 60 * framesPerSecond,
}

/** `use` gets the video, which is removed afterwards. Throws NoVideo. */
export async function encode<Result>(
  places: readonly string[],
  { sandbox, signal }: { readonly sandbox: Sandbox; readonly signal: AbortSignal },
  use: (video: ReadStream) => Promise<Result>,
): Promise<Result> {
  const box = await sandbox.openBox()
  try {
    const film = await addPictures(box, places)
    const command = { program: ffmpegPath, args: argumentsFor(film), limits: encodingLimits }
    const { exitCode, errors } = await box.run({ ...command, signal })
    if (exitCode !== 0)
      throw new NoVideo('not_encoded', `ffmpeg made no video (${errors.trim().slice(-500)}).`)
    return await use(createReadStream(path.join(box.outputFolder, videoName)))
  } finally {
    await box.close()
  }
}

interface Film {
  /** The list of its pictures with their durations, as the box sees it. */
  readonly list: string
  readonly seconds: number
}

/** Puts each picture into the box once. Throws NoVideo when there is none. */
async function addPictures(box: ClosedBox, places: readonly string[]): Promise<Film> {
  const lines = ['ffconcat version 1.0']
  let added: { readonly jpeg: Buffer; readonly name: string } | undefined
  let intervalsSum = 0
  for await (const { jpeg, intervals } of makeSteady(readAll(places), rate)) {
    if (added?.jpeg !== jpeg) {
      added = { jpeg, name: `${lines.length}.jpg` }
      await box.write(added.name, jpeg)
    }
    lines.push(`file ${added.name}`, `duration ${intervals / framesPerSecond}`)
    intervalsSum += intervals
  }
  if (added === undefined) throw new NoVideo('no_pictures', 'The browser sent no picture.')
  // ffmpeg ends the film when its last picture begins.
  lines.push(`file ${added.name}`)
  const list = await box.write('pictures.txt', lines.join('\n'))
  return { list, seconds: intervalsSum / framesPerSecond }
}

async function* readAll(places: readonly string[]): AsyncGenerator<TimedFrame, void> {
  for (const place of places) yield* readFrames(place)
}

function argumentsFor({ list, seconds }: Film): string[] {
  const fitting = Math.floor((videoBytesMax * 8 * (1 - containerShare)) / seconds)
  const bitsPerSecond = Math.min(bitsPerSecondMax, fitting)
  const { width, height } = size
  const filters = [
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:out_range=tv`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=white`,
    'setsar=1,format=yuv420p',
  ].join(',')
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-protocol_whitelist', 'file'],
    ...['-f', 'concat', '-i', list, '-vf', filters, '-fps_mode', 'vfr'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28', '-g', String(framesPerSecond * 10)],
    ...['-maxrate', String(bitsPerSecond), '-bufsize', String(bitsPerSecond * 2)],
    ...['-map_metadata', '-1', '-movflags', '+faststart', '-fs', String(videoBytesMax)],
    ...['-y', `/out/${videoName}`],
  ]
}
