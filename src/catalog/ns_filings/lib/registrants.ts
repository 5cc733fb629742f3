import type { Registrant } from './company-search.ts'
import { padCik } from './identifiers.ts'

/** An entry of the list of traded companies. A company has one entry per class of shares. */
export interface Listed {
  readonly cik_str: number
  readonly ticker: string
  readonly title: string
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Whether every word of the question begins a word of the name, in the same order: "gold sachs" finds Goldman Sachs.
 */
function isNamed(asked: readonly string[], name: string): boolean {
  let rest = words(name)
  return asked.every((word) => {
    const place = rest.findIndex((candidate) => candidate.startsWith(word))
    rest = rest.slice(place + 1)
    return place !== -1
  })
}

/**
 * First the companies with that ticker, then traded companies of that name, then the other search results, each once.
 */
export function mergeRegistrants(
  q: string,
  listed: readonly Listed[],
  registrants: readonly Registrant[],
): (Registrant & { readonly tickers: readonly string[] })[] {
  const asked = words(q)
  const holders = listed.filter(({ ticker }) => ticker.toLowerCase() === q.toLowerCase())
  const namesakes = listed.filter(({ title }) => asked.length > 0 && isNamed(asked, title))
  const chosen = new Set([...holders, ...namesakes].map(({ cik_str }) => cik_str))
  const traded = [...chosen].flatMap((cik) =>
    listed
      .filter(({ cik_str }) => cik_str === cik)
      .map(({ title, ticker }) => ({
        cik: padCik(cik),
        name: title,
        state: null,
        sic: null,
        tickers: [ticker],
      })),
  )
  const merged = new Map<string, Registrant & { readonly tickers: readonly string[] }>()
  for (const entity of [...traded, ...registrants.map((found) => ({ ...found, tickers: [] }))]) {
    const known = merged.get(entity.cik)
    merged.set(entity.cik, {
      cik: entity.cik,
      name: known?.name ?? entity.name,
      state: known?.state ?? entity.state,
      sic: known?.sic ?? entity.sic,
      tickers: [...(known?.tickers ?? []), ...entity.tickers],
    })
  }
  return [...merged.values()]
}
