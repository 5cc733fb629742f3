// The programs of ffmpeg, as the box runs them.
import { availableParallelism } from 'node:os'
import type { Canvas } from '../compile/canvas.ts'
import type { FilmGraph } from '../compile/compile.ts'

export const ffmpegPath = '/usr/bin/ffmpeg'

export const probeLimits = {
  memoryBytes: 2_000_000_000,
  cpuSeconds: 60,
  fileBytes: 1_000,
  processes: 64,
  wallMs: 60_000,
}

/** A film in 4K holds about 40 pictures of 12 MB while it is encoded, and each input a few more. */
const renderMemoryBytes = 6_000_000_000
const renderWallMs = 30 * 60_000
const filmBytesMax = 2_000_000_000

export const renderLimits = {
  memoryBytes: renderMemoryBytes,
  cpuSeconds: (renderWallMs / 1_000) * availableParallelism(),
  fileBytes: filmBytesMax,
  processes: 512,
  wallMs: renderWallMs,
}

const encodings = {
  preview: ['-preset', 'ultrafast', '-crf', '30'],
  final: ['-preset', 'veryfast', '-crf', '20'],
} as const

export function renderArguments(
  { inputs, pictures, sound }: FilmGraph,
  files: { readonly script: string; readonly output: string },
  { fps }: Canvas,
  intent: keyof typeof encodings,
): string[] {
  const threads = String(availableParallelism())
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-progress', 'pipe:1'],
    ...['-stats_period', '0.5', '-filter_complex_threads', threads],
    ...inputs,
    ...['-filter_complex_script', files.script, '-map', `[${pictures}]`, '-map', `[${sound}]`],
    ...['-c:v', 'libx264', ...encodings[intent]],
    ...['-threads', threads, '-g', String(fps * 2), '-pix_fmt', 'yuv420p'],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
    ...['-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-map_metadata', '-1'],
    ...['-movflags', '+faststart', '-y', files.output],
  ]
}

/** Reads the frames that are done from ffmpeg's reports of progress. */
export function createProgressReader(onFrames: (frames: number) => void) {
  let rest = ''
  return (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [name, value] = line.split('=')
      if (name === 'frame') onFrames(Number(value))
    }
  }
}
