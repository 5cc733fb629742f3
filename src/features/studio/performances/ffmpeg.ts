// The command lines of ffmpeg. A film is counted in whole frames of its base clip.
import { availableParallelism } from 'node:os'
import { filmBitsPerSecondMax } from './limits.ts'
import type { GeneratedClip, Mask, Material, Shot } from './material.ts'

const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error']

/** A still picture is repeated; a film is read once. */
const inputOf = ({ file, isStill }: Mask, { rate }: Material, path: (file: string) => string) => [
  ...(isStill ? ['-loop', '1', '-framerate', rate.text] : []),
  ...['-i', path(file)],
]

const steady = ({ rate }: Material, { firstFrame, frames }: Pick<Shot, 'firstFrame' | 'frames'>) =>
  `fps=${rate.text},trim=start_frame=${firstFrame}:end_frame=${firstFrame + frames},setpts=PTS-STARTPTS`

/** Joins the masks that are inputs from `first` on, as one grey picture. */
function unionOf(
  masks: readonly Mask[],
  film: Material,
  part: Parameters<typeof steady>[1],
  first: number,
) {
  const greys = masks.map(
    (_mask, at) => `[${first + at}:v]${steady(film, part)},format=gray[m${at}]`,
  )
  const union = masks.length === 1 ? '[m0]null[mask]' : '[m0][m1]blend=all_mode=lighten[mask]'
  return [...greys, union].join(';')
}

interface FilmInputs {
  readonly film: Material
  readonly masks: readonly Mask[]
  readonly clips: readonly GeneratedClip[]
  /** Where the box sees a file of the operator. */
  readonly path: (file: string) => string
  readonly output: string
}

/** The film: the clips in the masked region, the base clip around it, and the soundtrack. */
export function filmArguments({ film, masks, clips, path, output }: FilmInputs): string[] {
  const { base, frames, rate, shots } = film
  const whole = { firstFrame: 0, frames }
  const seconds = frames / rate.perSecond
  const soundAt = 1 + clips.length + masks.length
  const graph = [
    `[0:v]${steady(film, whole)},format=yuv420p[base]`,
    ...clips.map((clip, at) => `[${at + 1}:v]${conform(film, clip, shots[at] as Shot)}[c${at}]`),
    `${clips.map((_clip, at) => `[c${at}]`).join('')}concat=n=${clips.length}:v=1:a=0,format=yuva420p[new]`,
    unionOf(masks, film, whole, 1 + clips.length),
    '[new][mask]alphamerge[cut]',
    '[base][cut]overlay=format=yuv420:eof_action=repeat[pictures]',
    `[${soundAt}:a:0]aresample=48000,apad=whole_dur=${seconds},atrim=end=${seconds}[sound]`,
  ].join(';')
  const bitsPerSecond = String(filmBitsPerSecondMax)
  return [
    ...quiet,
    ...['-i', path(base.file)],
    ...clips.flatMap(({ place }) => ['-i', place]),
    ...masks.flatMap((mask) => inputOf(mask, film, path)),
    ...['-i', path(film.soundtrack)],
    ...['-filter_complex', graph, '-map', '[pictures]', '-map', '[sound]'],
    ...['-frames:v', String(frames), '-c:v', 'libx264', '-preset', 'medium', '-crf', '18'],
    ...['-maxrate', bitsPerSecond, '-bufsize', bitsPerSecond],
    ...['-pix_fmt', 'yuv420p', '-r', rate.text, '-threads', String(availableParallelism())],
    ...(base.colorMatrix === undefined ? [] : ['-colorspace', base.colorMatrix]),
    ...['-c:a', 'aac', '-b:a', '192k', '-map_metadata', '-1', '-movflags', '+faststart'],
    ...['-y', output],
  ]
}

/** A generated clip in the size, rate, colours and length of its shot. The last frame stays if it is a little short. */
function conform(film: Material, { colorMatrix }: GeneratedClip, { frames }: Shot): string {
  const { width, height, colorMatrix: own } = film.base
  const colors =
    own === undefined ? '' : `:in_color_matrix=${colorMatrix ?? own}:out_color_matrix=${own}`
  return [
    `fps=${film.rate.text}`,
    `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos${colors}`,
    `crop=${width}:${height},setsar=1,format=yuv420p`,
    `tpad=stop=${frames}:stop_mode=clone,trim=end_frame=${frames},setpts=PTS-STARTPTS`,
  ].join(',')
}

/** One shot of the base clip, for the video model. */
export function shotArguments(
  film: Material,
  shot: Shot,
  path: FilmInputs['path'],
  output: string,
) {
  return [
    ...[...quiet, '-i', path(film.base.file), '-vf', steady(film, shot), '-an'],
    ...['-c:v', 'libx264', '-crf', '16', '-pix_fmt', 'yuv420p', '-r', film.rate.text],
    ...['-movflags', '+faststart', '-y', output],
  ]
}

/** The region of one shot, for the video model: a picture, or a film if a mask moves. */
export function maskArguments(
  { film, masks, path, output }: Omit<FilmInputs, 'clips'>,
  shot: Shot,
): string[] {
  const isStill = masks.every((mask) => mask.isStill)
  const part = isStill ? { firstFrame: 0, frames: 1 } : shot
  return [
    ...[...quiet, ...masks.flatMap((mask) => inputOf(mask, film, path))],
    ...['-filter_complex', unionOf(masks, film, part, 0), '-map', '[mask]'],
    ...['-frames:v', String(part.frames)],
    ...(isStill ? [] : ['-c:v', 'libx264', '-crf', '10', '-pix_fmt', 'yuv420p']),
    ...['-y', output],
  ]
}
