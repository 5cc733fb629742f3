// What ffmpeg needs in its box before it can render: the media, and the pictures of texts and shapes.
import { findChromium } from '#platform/chromium/chromium.ts'
import type { ClosedBox } from '#platform/sandbox/sandbox.ts'
import type { Canvas } from '../compile/canvas.ts'
import type { FilmFiles } from '../compile/compile.ts'
import type { DrawnInput, MediaInput } from '../compile/picture.ts'
import type { Composition } from '../composition/schema.ts'
import { installedFonts } from '../fonts/installed.ts'
import { type DrawnClip, drawClips } from './draw.ts'
import { drawingJobs } from './drawings.ts'
import { FilmFailure, type FilmWish } from './film.ts'

export interface ChromiumTerms {
  /** Chromium's place; by default it is searched for. */
  readonly chromiumPath?: string | undefined
  /** Default true. False is the operator's word that Chromium may run unsandboxed. */
  readonly chromiumSandbox?: boolean
  /** The longest that drawing may take. */
  readonly drawingMs?: number
}

/** Media have this name and their number in the box. */
export const mediaName = 'media-'
/** For all texts and shapes of a film. */
const drawingMsMax = 600_000

export async function prepareFiles(
  box: ClosedBox,
  composition: Composition,
  media: FilmWish['media'],
  canvas: Canvas,
  terms: ChromiumTerms & {
    readonly signal: AbortSignal
    /** Called with the fraction that is drawn. */
    readonly drawn?: (part: number) => void
    /** Draws only what this frame shows. */
    readonly onlyFrame?: number
  },
): Promise<FilmFiles> {
  const { chromiumPath, chromiumSandbox = true, drawingMs = drawingMsMax, signal } = terms
  const { drawn: report = () => {}, onlyFrame } = terms
  const executablePath = (await findChromium(chromiumPath)) ?? ''
  const slow = giveUpAfter(
    drawingMs,
    'Drawing the texts and shapes took too long. Use fewer moving ones, or a lower resolution, and render again.',
  )
  const jobs = drawingJobs(composition, canvas, { fonts: await installedFonts(), onlyFrame })
  const drawn = await drawClips(jobs, canvas, {
    executablePath,
    chromiumSandbox,
    signal: AbortSignal.any([signal, slow.signal]),
    report,
  }).finally(slow.end)
  return {
    media: await addMedia(box, media),
    drawn: new Map(
      await Promise.all(drawn.map((clip, index) => addDrawn(box, clip, index, canvas))),
    ),
  }
}

/** A signal that ends the work with a failure, unless the time is begun again before it has passed. */
export function giveUpAfter(timeMs: number, message: string) {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new FilmFailure(message)), timeMs)
  return {
    signal: late.signal,
    again: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}

async function addMedia(
  box: ClosedBox,
  media: FilmWish['media'],
): Promise<Map<string, MediaInput>> {
  const inputs = await Promise.all(
    [...media].map(async ([id, { path: file, probe }], index) => {
      const name = await box.add(file, `${mediaName}${index}`)
      return [id, { file: name, probe }] as const
    }),
  )
  return new Map(inputs)
}

async function addDrawn(
  box: ClosedBox,
  { clipId, pictures, ...place }: DrawnClip,
  index: number,
  { fps }: Canvas,
): Promise<[string, DrawnInput]> {
  const names = new Map<Uint8Array, string>()
  for (const { bytes } of pictures)
    if (!names.has(bytes))
      names.set(bytes, await box.write(`drawn-${index}-${names.size}.png`, bytes))
  const [only = ''] = names.values()
  if (pictures.length === 1) return [clipId, { ...place, file: only, isList: false }]
  const list = pictures.map(
    ({ bytes, frames }) => `file '${names.get(bytes)}'\nduration ${(frames / fps).toFixed(6)}\n`,
  )
  // The duration of the last picture counts only if another one follows.
  const last = `file '${names.get(pictures.at(-1)?.bytes ?? new Uint8Array())}'\n`
  const text = `ffconcat version 1.0\n${list.join('')}${last}`
  return [clipId, { ...place, file: await box.write(`drawn-${index}.txt`, text), isList: true }]
}
