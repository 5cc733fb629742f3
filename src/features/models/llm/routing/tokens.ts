// An upper bound on the tokens of a prompt. Its bytes are a free bound, because no tokenizer makes two tokens of one
// byte. If that bound refuses a call, the text is tokenized instead, which takes some milliseconds.
//
// Models with the o200k encoding are counted by it, with a margin for what separates messages. For other models it
// measures words only: a word of Latin letters counts double, which leaves room for the tokenizers of Claude (up to
// 1.75 times as many tokens), Gemini, Llama, Qwen, DeepSeek and Mistral. Digits, punctuation, other white space and
// other letters, where tokenizers differ more, count as their bytes. If a crafted text exceeds the bound, the operator
// pays the difference; no caller pays more than the hold.
import { once } from '#platform/once.ts'

const o200kModels = /^openai\/(gpt-4o|gpt-4\.1|gpt-5|gpt-oss|o[134])/
const margin = 1.05
const wordFactor = 2
/** Tokenizers are slow on long runs without a break, so such runs count as their bytes. */
const unbroken = /[\p{L}\p{M}]{49,}|[^\s\p{L}\p{N}]{49,}|\s{49,}/gu
/** Text beyond this counts as its bytes, so that a refused call stays cheap. */
const charactersCountedMax = 200_000
const inlineData = /data:(?:image|application|text|audio)\/[^"]*/g
const words = / ?[A-Za-z]+/g

let tokenizer: Promise<typeof import('gpt-tokenizer/encoding/o200k_base')> | undefined

/** Resolves to a bound on the tokens of a request's JSON without its pictures and files. */
export async function boundTokens(json: string): Promise<(slug: string) => number> {
  // Loaded when needed: its tables take 80 MB, and calls that are not refused do without them.
  tokenizer ??= import('gpt-tokenizer/encoding/o200k_base')
  const { countTokens } = await tokenizer
  const text = json.replace(inlineData, '')
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
