// The part of a Markdown text that fits a number of tokens. It ends where a block ends, so that no paragraph, list,
// table or listing is torn, unless one block alone is too long.
import { createFenceWatch } from './fences.ts'
import { estimateTokens } from './tokens.ts'

export interface Portion {
  readonly text: string
  /** Where the next portion begins. Null when this one reaches the end. */
  readonly nextOffset: number | null
}

export interface PortionWish {
  readonly tokensMax: number
  /** Where the portion begins, in characters. */
  readonly offset: number
  /** Shapes the text that is returned, whose tokens count. Default: as it is. */
  readonly shape?: (text: string) => string
}

export function takePortion(text: string, wish: PortionWish): Portion {
  const { tokensMax, offset, shape: shaped = (part: string) => part } = wish
  const ends = blockEnds(text, offset)
  const fits = (end: number) => estimateTokens(shaped(text.slice(offset, end))) <= tokensMax
  const end = lastThat(ends, fits) ?? cutBlock(text, wish, ends[0] ?? text.length, fits)
  const rest = text.slice(end).search(/\S/)
  return {
    text: shaped(text.slice(offset, end).trim()),
    nextOffset: rest === -1 ? null : end + rest,
  }
}

/** The last of the ordered numbers that passes, if those that pass come first. */
function lastThat(numbers: readonly number[], passes: (value: number) => boolean) {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (passes(numbers[middle] as number)) low = middle + 1
    else high = middle
  }
  return numbers[low - 1]
}

/** Where blocks end after the offset: at blank lines outside of listings, and at the end of the text. */
function blockEnds(text: string, offset: number): readonly number[] {
  const ends: number[] = []
  const isCode = createFenceWatch()
  let from = offset
  while (from < text.length) {
    const lineEnd = text.indexOf('\n', from)
    const to = lineEnd === -1 ? text.length : lineEnd
    const line = text.slice(from, to)
    if (!isCode(line) && line.trim() === '' && from > offset) ends.push(from)
    from = to + 1
  }
  return [...ends, text.length]
}

/** A portion is not looked for beyond so many characters for each token. */
const charactersPerTokenMax = 20

/** The end of what fits of a block that is too long alone: after a line, else after a word, else after a character. */
function cutBlock(
  text: string,
  { tokensMax, offset }: PortionWish,
  blockEnd: number,
  fits: (end: number) => boolean,
): number {
  const block = text.slice(offset, Math.min(blockEnd, offset + tokensMax * charactersPerTokenMax))
  for (const border of [/\n/g, /\s/g, /./gsu]) {
    const ends = [...block.matchAll(border)].map(({ index, 0: end }) => offset + index + end.length)
    const end = lastThat(ends, fits)
    if (end !== undefined) return end
  }
  const [first = ''] = block
  return offset + first.length
}
