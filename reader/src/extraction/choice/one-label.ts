// A structure is taken or left as one: the trees judge each cell and item by itself, and half a table says something
// else than the whole.
import type { PageMeasures } from '../page-measures.ts'
import type { Structure } from './structures.ts'

/** The probabilities, with that of each structure the same for all of its blocks: the mean of its words. */
export function poolStructures(
  { tree: { blocks } }: PageMeasures,
  structures: readonly Structure[],
  probabilities: Float32Array,
): Float32Array {
  const pooled = probabilities.slice()
  for (const { first, last } of structures) {
    let expected = 0
    let words = 0
    for (let block = first; block <= last; block += 1) {
      const own = blocks[block]?.words ?? 0
      expected += own * (probabilities[block] as number)
      words += own
    }
    if (words > 0) pooled.fill(expected / words, first, last + 1)
  }
  return pooled
}

/** Takes the whole of each structure of which most words are taken, and nothing of the others. */
export function evenStructures(
  { tree: { blocks } }: PageMeasures,
  structures: readonly Structure[],
  chosen: Uint8Array,
): void {
  for (const { first, last } of structures) {
    let taken = 0
    let words = 0
    for (let block = first; block <= last; block += 1) {
      const own = blocks[block]?.words ?? 0
      taken += own * (chosen[block] as number)
      words += own
    }
    // Pictures are judged by what is around them.
    if (words > 0) chosen.fill(taken * 2 >= words ? 1 : 0, first, last + 1)
  }
}
