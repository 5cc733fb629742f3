// How many tokens a prompt can have at the most. Its bytes are a bound that costs nothing: no tokenizer makes two tokens of
// one byte. Where that refuses a call, its text is counted instead, which takes some milliseconds.
//
// Models that use the encoding o200k are counted by it, with a margin for what stands between the messages. For the others
// it is a measure of words alone: a word of Latin letters counts twice what o200k makes of it, which leaves room for the
// tokenizers of Claude (up to 1.75 times as many), Gemini, Llama, Qwen, DeepSeek and Mistral; digits, punctuation, further
// white space and all other letters, where tokenizers differ more, count as their bytes. A text made to defeat this costs
// the operator what it has above the hold, and no caller more than was held.

const o200kModels = /^openai\/(gpt-4o|gpt-4\.1|gpt-5|gpt-oss|o[134])/
const margin = 1.05
const wordFactor = 2
/** Tokenizers are slow on what has no break; so much of it is no word, and counts as its bytes. */
const unbroken = /[\p{L}\p{M}]{49,}|[^\s\p{L}\p{N}]{49,}|\s{49,}/gu
/** Beyond this the bytes count, so that a call that is refused costs little. */
const charactersCountedMax = 200_000
const pictures = /data:image\/[^"]*/g
const words = / ?[A-Za-z]+/g

let tokenizer: Promise<typeof import('gpt-tokenizer/encoding/o200k_base')> | undefined

/** Resolves to a bound of the tokens of a request's JSON, pictures left out. */
export async function boundTokens(json: string): Promise<(slug: string) => number> {
  // Its tables take 80 MB, and a gateway whose callers can pay never needs them.
  tokenizer ??= import('gpt-tokenizer/encoding/o200k_base')
  const { countTokens } = await tokenizer
  const text = json.replace(pictures, '')
  let bytes = Buffer.byteLength(text.slice(charactersCountedMax))
  const counted = text.slice(0, charactersCountedMax).replace(unbroken, (run) => {
    bytes += Buffer.byteLength(run)
    return ' '
  })
  const ownTokens = once(() => bytes + Math.ceil(margin * countTokens(counted)))
  const otherTokens = once(() => {
    const letters = (counted.match(words) ?? []).join('')
    const rest = Buffer.byteLength(counted.replace(words, ''))
    return bytes + rest + wordFactor * countTokens(letters)
  })
  return (slug) => (o200kModels.test(slug) ? ownTokens() : otherTokens())
}

function once(count: () => number): () => number {
  let known: number | undefined
  return () => {
    known ??= count()
    return known
  }
}
