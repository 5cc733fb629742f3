// What a recording shows: the pictures that wait for their encoding, and the video that is made of them.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { readFrames } from '#features/machines/browser/recording/frames-file.ts'

const run = promisify(execFile)

type Colour = 'red' | 'blue' | 'other'

/** The colour in the middle of a picture or a film, after so many seconds. */
export async function colourIn(file: string, seconds = 0): Promise<Colour> {
  const from = seconds > 0 ? ['-ss', String(seconds)] : []
  return nameOf(await middleOf([...from, '-i', file, '-frames:v', '1']))
}

/** The colours that a film shows in its middle, one after the other. */
export async function coloursOf(film: string): Promise<Colour[]> {
  const pixels = await middleOf(['-i', film])
  const colours: Colour[] = []
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = nameOf(pixels.subarray(at))
    if (colour !== colours.at(-1)) colours.push(colour)
  }
  return colours
}

/** The pixel in the middle of each picture. */
async function middleOf(input: readonly string[]): Promise<Buffer> {
  const output = ['-vf', 'crop=2:2,scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']
  const args = ['-v', 'error', ...input, ...output]
  return (await run('ffmpeg', args, { encoding: 'buffer' })).stdout
}

function nameOf([red = 0, green = 0, blue = 0]: Uint8Array): Colour {
  if (red > 180 && green < 70 && blue < 70) return 'red'
  return blue > 180 && red < 70 && green < 70 ? 'blue' : 'other'
}

/** The pictures of a session that a gateway has written so far, the oldest first. */
export async function framesOf(dataDir: string, sessionId: string): Promise<Buffer[]> {
  const folder = path.join(dataDir, 'recordings', sessionId)
  const names = await readdir(folder).catch(() => [])
  const frames: Buffer[] = []
  for (const name of names.sort())
    for await (const { jpeg } of readFrames(path.join(folder, name)))
      if (jpeg.length > 0) frames.push(jpeg)
  return frames
}

/** Whether the last picture that was written has this colour in its middle. */
export async function hasRecorded(dataDir: string, sessionId: string, colour: Colour) {
  const last = (await framesOf(dataDir, sessionId)).at(-1)
  if (last === undefined) return false
  return (await colourIn(`data:image/jpeg;base64,${last.toString('base64')}`)) === colour
}
