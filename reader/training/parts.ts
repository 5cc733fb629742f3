// Which pages are trained on, and which are measured: sites fall into parts by their names, so that no site is in two.
import { hashText } from '../src/extraction/words.ts'

/** Each of these is measured by a model that was trained on the other four. */
export const folds: readonly number[] = [0, 1, 2, 3, 4]
/** Measured once, after the last choice was made. */
export const heldBack = 5
const parts = 6

export function partOf(site: string, count = parts): number {
  return (hashText(`${count} ${site}`) >>> 5) % count
}
