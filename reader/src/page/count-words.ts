import {
  characterKindAt,
  characterLengthAt,
  letterBit,
  markBit,
  unspacedBit,
} from './characters.ts'

/** Words of spaced scripts; two characters of Chinese, Japanese or Thai count as one, which is about right. */
export function countWords(text: string): number {
  let words = 0
  let index = 0
  while (index < text.length) {
    if ((characterKindAt(text, index) & letterBit) === 0) {
      index += characterLengthAt(text, index)
      continue
    }
    let unspaced = 0
    while (index < text.length) {
      const kind = characterKindAt(text, index)
      if ((kind & (letterBit | markBit)) === 0 && !joiners.has(text.charCodeAt(index))) break
      if ((kind & unspacedBit) !== 0) unspaced += 1
      index += characterLengthAt(text, index)
    }
    words += unspaced > 1 ? Math.ceil(unspaced / 2) : 1
  }
  return words
}

const joiners: ReadonlySet<number> = new Set([..."'’-"].map((mark) => mark.charCodeAt(0)))
