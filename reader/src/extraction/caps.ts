// How far the trees look. Beyond it one distance is like another: the trees have seen few long pages, and would take
// the end of an article for its footer because it is far from the title.

/** Blocks from a landmark of the page, and elements of one kind. */
export const distanceMax = 40
/** Blocks and words from an end of the page. */
const blocksFromEndMax = 100
const wordsFromEndMax = 3_000
/** What is counted on the whole page. */
export const pageBlocksMax = 400
export const pageWordsMax = 6_000
export const pageElementsMax = 100

export const capped = (value: number, max = distanceMax) => Math.max(-max, Math.min(max, value))

export const blocksFromEnd = (count: number) => Math.min(blocksFromEndMax, count)

/** From 0 at the start of the page to 1 at its end; half far from both. */
export function placeInBlocks(before: number, after: number): number {
  return shareOf(blocksFromEnd(before), blocksFromEnd(after))
}

export function placeInWords(before: number, after: number): number {
  return shareOf(Math.min(wordsFromEndMax, before), Math.min(wordsFromEndMax, after))
}

const shareOf = (before: number, after: number) => before / Math.max(1, before + after)
