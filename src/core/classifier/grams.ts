// What a linear model reads of a text: words, pairs of words, pieces of words, and signs that the caller has found.

/** Longer texts are read to here, which keeps the time of a text below a millisecond. */
export const charactersReadMax = 600
const pieceLengths = { least: 3, most: 5 } as const
/** A sign of these scripts is a syllable or a word. */
const syllables = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/
const syllableLengths = { least: 1, most: 3 } as const
/** How much one of a kind counts, before the text is scaled to length 1. */
const weights = { sign: 1.5, word: 1, pair: 1, piece: 0.3 } as const

/**
 * The grams of a text with their strengths, as a vector of length 1. The first letter of a gram tells its kind.
 * `signs`: names of what words do not show.
 */
export function gramsOfText(
  whole: string,
  signs: readonly string[] = [],
): ReadonlyMap<string, number> {
  const grams = new Map<string, number>()
  for (const sign of signs) grams.set(`=${sign}`, weights.sign)
  const words = wordsOf(whole.slice(0, charactersReadMax))
  for (const [at, word] of words.entries()) {
    grams.set(`w${word}`, weights.word)
    const next = words[at + 1]
    if (next !== undefined) grams.set(`b${word} ${next}`, weights.pair)
    for (const piece of piecesOf(word)) grams.set(`c${piece}`, weights.piece)
  }
  const length = Math.hypot(...grams.values()) || 1
  return new Map([...grams].map(([gram, strength]) => [gram, strength / length]))
}

/** Lower case, without accents. Digits are alike, because their number tells more than their values. */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFKC')
    .replaceAll(/\d/g, '0')
  return plain.match(/[\p{L}\d]+(?:['’.+#&-][\p{L}\d]+)*[+#]*/gu) ?? []
}

function piecesOf(word: string): string[] {
  const { least, most } = syllables.test(word) ? syllableLengths : pieceLengths
  const marked = ` ${word} `
  const pieces: string[] = []
  for (let length = least; length <= most; length += 1) {
    for (let from = 0; from + length <= marked.length; from += 1) {
      const piece = marked.slice(from, from + length)
      if (piece.trim() !== '') pieces.push(piece)
    }
  }
  return pieces
}
