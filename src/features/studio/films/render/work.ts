// What a render is expected to take, by the seconds and the pixels of its film.
import { canvasOf } from '../compile/canvas.ts'
import { framesOfFilm } from '../compile/compile.ts'
import type { Composition } from '../composition/schema.ts'
import type { FilmWish } from './film.ts'

export interface FilmWork {
  readonly workSeconds: number
}

/** Of two ordinary cores: about 30 frames of 1080p in a second. Only the order of films follows from it. */
const pixelsPerSecond = 60_000_000

export function workOf(composition: Composition, intent: FilmWish['intent']): FilmWork {
  const { width, height } = canvasOf(composition.format, intent)
  return { workSeconds: (framesOfFilm(composition) * width * height) / pixelsPerSecond }
}
