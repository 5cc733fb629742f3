// Splits text into tokens: of all ways to join known tokens to it, the likeliest. Tokens are lower case, and one that
// begins a word begins with a bar.

/** The place of each token in the table, and the logarithm of its likelihood. */
export type TokenTable = ReadonlyMap<string, { readonly place: number; readonly score: number }>
/** The places of the tokens of a text, in order, without characters that no token has. */
export type Tokenizer = (text: string) => number[]

const wordStart = '\u2581'
/** Less likely than any token. */
const unknownScore = -30

export function createTokenizer(vocabulary: TokenTable): Tokenizer {
  const longest = Math.max(0, ...Array.from(vocabulary.keys(), (token) => token.length))
  return (text) => {
    const words = text.normalize('NFKC').toLowerCase().trim()
    if (words === '') return []
    const marked = wordStart + words.replaceAll(/\s+/g, wordStart)
    const best = new Float64Array(marked.length + 1).fill(-Infinity)
    const begins = new Int32Array(marked.length + 1)
    const places = new Int32Array(marked.length + 1)
    best[0] = 0
    const offer = (begin: number, end: number, place: number, score: number) => {
      const total = (best[begin] ?? 0) + score
      if (total <= (best[end] ?? 0)) return
      best[end] = total
      begins[end] = begin
      places[end] = place
    }
    for (let begin = 0; begin < marked.length; begin += 1) {
      offer(begin, begin + 1, -1, unknownScore)
      for (let end = begin + 1; end <= Math.min(begin + longest, marked.length); end += 1) {
        const token = vocabulary.get(marked.slice(begin, end))
        if (token !== undefined) offer(begin, end, token.place, token.score)
      }
    }
    const found: number[] = []
    for (let end = marked.length; end > 0; end = begins[end] ?? 0) {
      const place = places[end] ?? -1
      if (place >= 0) found.push(place)
    }
    return found.reverse()
  }
}
