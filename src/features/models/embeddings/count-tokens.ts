// How many tokens a text has at least, so that only what is certainly too long for a model is refused.
import { setImmediate as pause } from 'node:timers/promises'

/** The models whose tokenizer is cl100k. Of other models no tokenizer is at hand. */
const cl100kModels = /^openai\/text-embedding-/
/** No token of any model has more bytes on average. */
const bytesPerTokenMax = 16
/** Tokenizers are slow on long runs without a break, so each such run counts as its fewest tokens. */
const unbroken = /[\p{L}\p{M}]{49,}|[^\s\p{L}\p{N}]{49,}|\s{49,}/gu
const pieceCharacters = 50_000

let tokenizer: Promise<typeof import('gpt-tokenizer/encoding/cl100k_base')> | undefined

/** Counting stops once there are more than `enough`. */
export async function countAtLeast(text: string, slug: string, enough: number): Promise<number> {
  const fewest = Math.floor(Buffer.byteLength(text) / bytesPerTokenMax)
  if (fewest > enough || !cl100kModels.test(slug)) return fewest
  tokenizer ??= import('gpt-tokenizer/encoding/cl100k_base')
  const { countTokens } = await tokenizer
  let tokens = 0
  const counted = text.replace(unbroken, (run) => {
    tokens += Math.floor(Buffer.byteLength(run) / bytesPerTokenMax)
    return ' '
  })
  for (let start = 0; start < counted.length && tokens <= enough; ) {
    const end = breakAfter(counted, start + pieceCharacters)
    tokens += countTokens(counted.slice(start, end))
    start = end
    // Other calls get their turn.
    await pause()
  }
  return tokens
}

/** The next space from here on: no token reaches over it, except at its start. */
function breakAfter(text: string, from: number): number {
  const space = text.indexOf(' ', from)
  return space === -1 ? text.length : space
}
