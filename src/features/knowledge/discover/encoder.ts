// Turns sentences into vectors of meaning, by a table with a vector for each token: a sentence is their sum. `npm run
// train:sentences` distils the table from a sentence model.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createTokenizer, type Tokenizer } from './tokens.ts'

export interface Encoder {
  /** Changes whenever a vector may. */
  readonly version: string
  /** A vector of length 1; undefined for a text without any known token. */
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

export function loadEncoder(): Encoder {
  const tokens = readFileSync(tokensFile, 'utf8')
  return readEncoder(tokens, readFileSync(tokenVectorsFile))
}

export function readEncoder(tokens: string, vectors: Uint8Array): Encoder {
  const tokenize = readTokenizer(tokens)
  const table = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length)
  return {
    version: createHash('sha256').update(tokens).update(vectors).digest('base64url').slice(0, 12),
    embed(text) {
      const sums = new Float64Array(vectorSize)
      for (const place of tokenize(text.slice(0, textLengthMax))) {
        const start = place * vectorSize
        for (let at = 0; at < vectorSize; at += 1)
          sums[at] = (sums[at] ?? 0) + (table[start + at] ?? 0)
      }
      const length = Math.hypot(...sums)
      return length === 0 ? undefined : sums.map((value) => value / length)
    },
  }
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
