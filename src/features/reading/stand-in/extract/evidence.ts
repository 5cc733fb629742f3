// Whether the pages say what a model says that they say. A value that they do not bear out becomes null.

export interface PageQuote {
  readonly field: string
  readonly quote: string
}

/** How a field came out, in the words of the vendor that this machine stands in for. */
export interface FieldBasis {
  readonly field: string
  readonly value: unknown
  readonly status: 'supported' | 'unverified' | 'unsupported' | 'notFound'
  readonly citations: readonly { readonly url: string; readonly excerpt: string }[]
}

export interface SourcePage {
  readonly url: string
  readonly text: string
}

const quoteCharactersMin = 3
const number = /\d[\d.,  ]*/g

/** Letters and digits only, so that neither typography nor markup tells apart what reads the same. */
const plain = (text: string) =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Every number of a text, whichever of its marks separates thousands. */
function numbersIn(text: string): ReadonlySet<number> {
  const written = (text.match(number) ?? []).map((match) => match.replaceAll(/[  ]/g, ''))
  const readings = written.flatMap((digits) => [
    Number(digits.replaceAll(',', '').replace(/\.$/, '')),
    Number(digits.replaceAll('.', '').replace(/,$/, '').replace(',', '.')),
  ])
  return new Set(readings.filter(Number.isFinite))
}

/** `quotes` by the path of the field, as in `items.0.price`. */
export function verify(data: unknown, quotes: readonly PageQuote[], pages: readonly SourcePage[]) {
  const sources = pages.map(({ url, text }) => ({
    url,
    text: plain(text),
    numbers: numbersIn(text),
  }))
  const basis: FieldBasis[] = []

  const judge = (field: string, value: unknown): unknown => {
    if (value === null || value === undefined || value === '') {
      basis.push({ field, value: null, status: 'notFound', citations: [] })
      return null
    }
    const cited = quotes.find((quote) => quote.field === field)?.quote ?? ''
    const quoted =
      cited.trim().length < quoteCharactersMin
        ? undefined
        : sources.find(({ text }) => text.includes(plain(cited)))
    const stated = sources.find(({ text, numbers }) =>
      typeof value === 'number'
        ? numbers.has(Math.abs(value))
        : typeof value === 'string' && plain(value).trim() !== '' && text.includes(plain(value)),
    )
    const source = quoted ?? stated
    if (source === undefined) {
      basis.push({ field, value: null, status: 'unsupported', citations: [] })
      return null
    }
    const excerpt = quoted === undefined ? String(value) : cited
    const status = stated === undefined ? 'unverified' : 'supported'
    basis.push({ field, value, status, citations: [{ url: source.url, excerpt }] })
    return value
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
