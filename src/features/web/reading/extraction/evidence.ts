// Whether the pages say what a model says that they say. A value whose quote is on no page becomes null.
import { type PageWords, readPageWords } from './page-words.ts'

export interface PageQuote {
  readonly field: string
  readonly quote: string
}

export interface FieldBasis {
  /** The path of the value, as in `items.0.price`. */
  readonly field: string
  /** Null unless it is supported or unverified. */
  readonly value: unknown
  /**
   * `supported`: a passage of a page holds the value. `unverified`: the model's quote is on a page, but does not hold
   * the value as such. `unsupported`: the quote is on no page. `notFound`: the model found no value.
   */
  readonly status: 'supported' | 'unverified' | 'unsupported' | 'notFound'
  /** The passage, as the page has it. */
  readonly citations: readonly { readonly url: string; readonly excerpt: string }[]
}

export interface SourcePage {
  readonly url: string
  /** Markdown. */
  readonly text: string
}

interface Source {
  readonly url: string
  readonly words: PageWords
}

const quoteCharactersMin = 3

export function verify(data: unknown, quotes: readonly PageQuote[], pages: readonly SourcePage[]) {
  const sources = pages.map(({ url, text }) => ({ url, words: readPageWords(text) }))
  const quoteOf = new Map(quotes.map(({ field, quote }) => [field, quote.trim()]))
  const basis: FieldBasis[] = []

  const judge = (field: string, value: unknown): unknown => {
    const found = judgeValue(value, quoteOf.get(field) ?? '', sources)
    basis.push({ field, ...found })
    return found.value
  }

  const walk = (value: unknown, field: string): unknown => {
    const below = (name: string | number) => (field === '' ? String(name) : `${field}.${name}`)
    if (Array.isArray(value)) return value.map((item, place) => walk(item, below(place)))
    if (typeof value !== 'object' || value === null) return judge(field, value)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, walk(item, below(name))]),
    )
  }
  return { data: walk(data, ''), basis }
}

function judgeValue(
  value: unknown,
  quote: string,
  sources: readonly Source[],
): Omit<FieldBasis, 'field'> {
  if (value === null || value === undefined || value === '')
    return { value: null, status: 'notFound', citations: [] }
  // Too short a quote says as little as none.
  const isQuoted = quote.length >= quoteCharactersMin
  const citation = isQuoted
    ? cite(sources, (words) => words.passage(quote))
    : cite(sources, (words) => stating(words, value))
  if (citation === undefined) return { value: null, status: 'unsupported', citations: [] }
  const isStated = stating(readPageWords(citation.excerpt), value) !== undefined
  return { value, status: isStated ? 'supported' : 'unverified', citations: [citation] }
}

function cite(sources: readonly Source[], find: (words: PageWords) => string | undefined) {
  for (const { url, words } of sources) {
    const excerpt = find(words)
    if (excerpt !== undefined) return { url, excerpt }
  }
  return undefined
}

function stating(words: PageWords, value: unknown): string | undefined {
  if (typeof value === 'number') return words.number(value)
  return typeof value === 'string' ? words.passage(value) : undefined
}
