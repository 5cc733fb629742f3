// Makes a video of recorded pictures, with ffmpeg in a box.
import { createReadStream, type ReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createProcessFolder, sweepProcessFolders } from '#platform/process-folder.ts'
import type { Sandbox } from '#platform/sandbox/sandbox.ts'
import { readFrames, type TimedFrame } from './frames-file.ts'
import {
  bitsPerSecondMax,
  encodingLimits,
  framesPerSecond,
  recordedMinutesMax,
  videoBytesMax,
} from './limits.ts'
import { makeSteady } from './steady.ts'

const ffmpegPath = '/usr/bin/ffmpeg'

/** No video can be made of these pictures. */
export class NoVideo extends Error {}

const purpose = 'recording'
const videoName = 'recording.mp4'
const size = { width: 1_280, height: 800 }
/** What the video's container needs beside the pictures, at most. */
const containerShare = 0.05
const steadiness = {
  intervalMs: 1_000 / framesPerSecond,
  framesMax: recordedMinutesMax * 60 * framesPerSecond,
}

/** Removes what killed gateways left. */
export const sweepEncodings = () => sweepProcessFolders(purpose).catch(() => {})

/** `use` gets the video, which is removed afterwards. Throws NoVideo. */
export async function encode<Result>(
  places: readonly string[],
  { sandbox, signal }: { readonly sandbox: Sandbox; readonly signal: AbortSignal },
  use: (video: ReadStream) => Promise<Result>,
): Promise<Result> {
  const seconds = await lengthOf(places)
  const folder = await createProcessFolder(purpose)
  try {
    const place = path.join(folder.path, 'out')
    await sandbox.makeFolder(place)
    const running = await sandbox.start({
      ...{ program: ffmpegPath, args: argumentsFor(seconds), limits: encodingLimits, signal },
      ...{ folder: place, mayWrite: true, environment: {} },
    })
    running.output.resume()
    const fed = pipeline(makeSteady(readAll(places), steadiness), running.input)
    // ffmpeg closes its input early when it fails, and its exit code says so.
    const [{ exitCode, errors }] = await Promise.all([running.ended, fed.catch(() => {})])
    if (exitCode !== 0) throw new NoVideo(`ffmpeg made no video (${errors.trim().slice(-500)}).`)
    return await use(createReadStream(path.join(place, videoName)))
  } finally {
    await folder.remove()
  }
}

async function* readAll(places: readonly string[]): AsyncGenerator<TimedFrame, void> {
  for (const place of places) yield* readFrames(place)
}

/** In seconds. Throws NoVideo when there is no picture. */
async function lengthOf(places: readonly string[]): Promise<number> {
  let firstMs: number | undefined
  let lastMs = 0
  for await (const { atMs, jpeg } of readAll(places)) {
    if (jpeg.length > 0) firstMs ??= atMs
    lastMs = atMs
  }
  if (firstMs === undefined) throw new NoVideo('The browser sent no picture.')
  return Math.min((lastMs - firstMs) / 1_000, recordedMinutesMax * 60) + 1 / framesPerSecond
}

function argumentsFor(seconds: number): string[] {
  const fitting = Math.floor((videoBytesMax * 8 * (1 - containerShare)) / seconds)
  const bitsPerSecond = Math.min(bitsPerSecondMax, fitting)
  const { width, height } = size
  const filters = [
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:out_range=tv`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=white`,
    'setsar=1,format=yuv420p',
  ].join(',')
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-protocol_whitelist', 'pipe,file'],
    ...['-f', 'mjpeg', '-framerate', String(framesPerSecond), '-i', 'pipe:0', '-vf', filters],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28', '-g', String(framesPerSecond * 10)],
    ...['-maxrate', String(bitsPerSecond), '-bufsize', String(bitsPerSecond * 2)],
    ...['-map_metadata', '-1', '-movflags', '+faststart', '-fs', String(videoBytesMax)],
    ...['-y', `/work/${videoName}`],
  ]
}
