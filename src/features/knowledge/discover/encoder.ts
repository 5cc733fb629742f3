// Turns sentences into vectors of meaning, by a table with a vector for each token: a sentence is their sum. `npm run
// train:sentences` distils the table from a sentence model.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import type { SentenceEncoder } from '#core/models/surfaces.ts'
import { createTokenizer, type Tokenizer } from './tokens.ts'

export interface Encoder extends SentenceEncoder {
  /** Changes whenever a vector may. */
  readonly version: string
  /** A vector of length 1 for the beginning of the text; undefined for a text without any known token. */
  embed(text: string): Float64Array | undefined
}

const folder = new URL('../../../../models/sentences/', import.meta.url)
/** A line for each token: the token, and the logarithm of its likelihood. */
export const tokensFile = new URL('tokens.tsv', folder)
/** A byte for each number of each token's vector, in the order of the tokens. */
export const tokenVectorsFile = new URL('vectors.bin', folder)
export const vectorSize = 256
/** Of one text. */
const textLengthMax = 400
/** A longer text is read in pieces, which end between words. */
const pieceLengthMax = 2_000

export function loadEncoder(): Encoder {
  const tokens = readFileSync(tokensFile, 'utf8')
  return readEncoder(tokens, readFileSync(tokenVectorsFile))
}

export function readEncoder(tokens: string, vectors: Uint8Array): Encoder {
  const tokenize = readTokenizer(tokens)
  const table = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length)

  /** Adds the vectors of the tokens of a text. Returns how many it has. */
  function add(text: string, sums: Float64Array): number {
    const places = tokenize(text)
    for (const place of places) {
      const start = place * vectorSize
      for (let at = 0; at < vectorSize; at += 1)
        sums[at] = (sums[at] ?? 0) + (table[start + at] ?? 0)
    }
    return places.length
  }

  return {
    version: createHash('sha256').update(tokens).update(vectors).digest('base64url').slice(0, 12),
    dimensions: vectorSize,
    embed(text) {
      const sums = new Float64Array(vectorSize)
      add(text.slice(0, textLengthMax), sums)
      return atLengthOne(sums)
    },
    async encode(text, signal) {
      const sums = new Float64Array(vectorSize)
      let count = 0
      for (let start = 0; start < text.length; ) {
        const end = endOfPiece(text, start)
        count += add(text.slice(start, end), sums)
        start = end
        await pause()
        signal.throwIfAborted()
      }
      const vector = atLengthOne(sums)
      return { vector: vector && Array.from(vector), tokens: count }
    },
  }
}

function atLengthOne(sums: Float64Array): Float64Array | undefined {
  const length = Math.hypot(...sums)
  return length === 0 ? undefined : sums.map((value) => value / length)
}

/** The last white space that the piece has room for, or its room in a word that is longer. */
function endOfPiece(text: string, start: number): number {
  const room = start + pieceLengthMax
  if (room >= text.length) return text.length
  for (let end = room; end > start; end -= 1) if (/\s/.test(text.charAt(end))) return end
  return room
}

export function readTokenizer(tokens: string): Tokenizer {
  const rows = tokens.trimEnd().split('\n')
  return createTokenizer(
    new Map(
      rows.map((row, place) => {
        const [token = '', score] = row.split('\t')
        return [token, { place, score: Number(score) }]
      }),
    ),
  )
}
