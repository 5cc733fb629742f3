// An animated GIF of a film that has been checked. It has 256 colours for each film, no sound, and many bytes, so it is
// small and short.
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { ffprobePath } from '#platform/sandbox/ffprobe.ts'
import type { ClosedBox } from '#platform/sandbox/sandbox.ts'
import { even } from '../compile/canvas.ts'
import { ffmpegPath, probeLimits, renderLimits } from './ffmpeg.ts'
import { type Film, FilmFailure } from './film.ts'

const gifLimits = { seconds: 60, shortSide: 480, fps: 15 } as const

const name = 'film.gif'

/** Throws FilmFailure for a film that is too long. */
export function checkGif(filmSeconds: number): void {
  if (filmSeconds > gifLimits.seconds)
    throw new FilmFailure(
      `A GIF lasts at most ${gifLimits.seconds} s, and this film lasts ${filmSeconds} s. Shorten it, or render it as mp4.`,
    )
}

export async function convertToGif(box: ClosedBox, film: Film, signal: AbortSignal): Promise<Film> {
  const shrink = Math.min(1, gifLimits.shortSide / Math.min(film.width, film.height))
  const [width, height] = [even(film.width * shrink), even(film.height * shrink)]
  const fps = Math.min(film.fps, gifLimits.fps)
  const filter = `fps=${fps},scale=w=${width}:h=${height}:flags=lanczos:in_color_matrix=bt709,split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a`
  const input = `/out/${path.basename(film.path)}`
  const made = await box.run({
    program: ffmpegPath,
    args: [
      ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-i', input],
      ...['-filter_complex', filter, '-loop', '0', '-y', `/out/${name}`],
    ],
    limits: renderLimits,
    signal,
  })
  const frames = made.exitCode === 0 ? await countFrames(box, signal) : 0
  if (Math.abs(frames - film.durationSeconds * fps) > 1)
    throw new FilmFailure('The GIF did not come out as planned. Render the film as mp4.', {
      cause: new Error(`${frames} frames. ffmpeg: ${made.errors.trim().slice(-2_000)}`),
    })
  const file = path.join(box.outputFolder, name)
  return { ...film, path: file, bytes: (await stat(file)).size, width, height, fps, frames }
}

async function countFrames(box: ClosedBox, signal: AbortSignal): Promise<number> {
  const shown = ['-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0']
  const args = ['-v', 'error', ...shown, `/out/${name}`]
  const { output } = await box.run({ program: ffprobePath, args, limits: probeLimits, signal })
  return Number(output.toString().trim())
}
