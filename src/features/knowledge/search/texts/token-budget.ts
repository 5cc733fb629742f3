// Evidence within a number of tokens of a language model.

interface Texts {
  readonly snippet: string | null
  readonly content: string | null
}

/** Tokenizers of current models need fewer: about four letters of English, and one of Chinese, are a token. */
const bytesPerToken = 3
/** A shorter part of a text is not worth its item. */
const textTokensMin = 30

const tokensOf = (value: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(value)) / bytesPerToken)

/** The first items whose texts fit, each with an equal share of what is left. At least one stays. */
export function fitTokens<Item extends Texts>(items: readonly Item[], tokensMax: number): Item[] {
  const fitting: Item[] = []
  let left = tokensMax
  for (const [at, item] of items.entries()) {
    const bare = tokensOf({ ...item, snippet: '', content: '' })
    const share = Math.floor(left / (items.length - at)) - bare
    const cut = cutTexts(item, Math.max(share, textTokensMin))
    const tokens = tokensOf(cut)
    if (tokens > left && fitting.length > 0) break
    fitting.push(cut)
    left -= tokens
  }
  return fitting
}

/** The passage comes before the whole text. */
function cutTexts<Item extends Texts>(item: Item, tokens: number): Item {
  const snippet = item.snippet === null ? null : cutTo(item.snippet, tokens)
  const rest = tokens - (snippet === null ? 0 : tokensOf(snippet))
  const content = item.content === null || rest < textTokensMin ? null : cutTo(item.content, rest)
  return { ...item, snippet, content: content === '' ? null : content }
}

function cutTo(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (tokensOf(text.slice(0, middle)) <= tokens) least = middle
    else most = middle - 1
  }
  return text.slice(0, least).replace(/\s+\S*$/, '')
}
