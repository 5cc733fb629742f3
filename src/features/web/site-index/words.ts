// The words of texts and questions, as the index counts them. Names of programs are taken apart and kept whole:
// `max_connections` is found as one word and as two, and so is `createServer`. Scripts without spaces are divided by
// the dictionaries of ICU.

export interface Token {
  readonly word: string
  /**
   * Of the word in the text, from 1. The parts of a name follow each other, and the whole name has the place of its
   * first part.
   */
  readonly place: number
  /** Where its name begins in the text, in characters. */
  readonly at: number
}

/** A longer word is noise, such as a key or a hash. */
const wordCharactersMax = 60
/** Of a name that is also one word. */
const namePartsMax = 5

const nameShape = /[\p{L}\p{M}\p{N}]+(?:[._\-:/@'’][\p{L}\p{M}\p{N}]+)*/gu
const joints = /[._\-:/@'’]/u
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const capitals = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let place = 0
  for (const { 0: name, index: at } of text.matchAll(nameShape)) {
    const first = place + 1
    const parts = name.split(joints).flatMap(partsOf)
    for (const part of parts) {
      place += 1
      addToken(tokens, part, { place, at })
    }
    if (parts.length > 1 && parts.length <= namePartsMax && !unspaced.test(name))
      addToken(tokens, parts.join(''), { place: first, at })
  }
  return tokens
}

function addToken(tokens: Token[], written: string, where: Pick<Token, 'place' | 'at'>): void {
  const word = written.normalize('NFKC').toLowerCase()
  if (word.length <= wordCharactersMax) tokens.push({ word, ...where })
}

function partsOf(part: string): readonly string[] {
  if (!unspaced.test(part)) return part.split(capitals)
  return [...segmenter.segment(part)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
}
