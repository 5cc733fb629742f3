// What is kept of a source's results: addresses of web pages, on the sites and in the period that are asked for.
import type { SourceResult } from '../evidence.ts'
import type { SearchQuestion, SearchSource } from '../sources/source.ts'
import { shorten } from '../sources/source.ts'

/** Sources are asked for fewer. */
const resultsReadMax = 200
const findingsMax = 30
const titleCharactersMax = 300
const snippetCharactersMax = 1_000
/** Longer texts are cut, so that the evidence of a search can be stored. */
export const contentCharactersMax = 50_000
const dayMs = 24 * 60 * 60 * 1_000

export function keepFindings(
  results: readonly SourceResult[],
  question: SearchQuestion,
  source: SearchSource,
): readonly SourceResult[] {
  return results
    .slice(0, resultsReadMax)
    .flatMap((result) => tidy(result))
    .filter(({ url }) => isOnSites(new URL(url).hostname, question))
    .filter(({ published_at }) => isInPeriod(published_at, question, source))
    .slice(0, findingsMax)
}

function tidy(result: SourceResult): SourceResult[] {
  const { url, title, snippet, content, published_at, ...rest } = result
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) return []
  const date = Date.parse(published_at ?? '')
  return [
    {
      ...rest,
      url: address.href,
      title: shorten(title, titleCharactersMax) || address.href,
      ...(snippet && { snippet: snippet.slice(0, snippetCharactersMax) }),
      ...(content && { content: content.slice(0, contentCharactersMax) }),
      ...(!Number.isNaN(date) && published_at && { published_at }),
    },
  ]
}

/** A site stands for its subdomains too. */
const isOn = (host: string, site: string) => host === site || host.endsWith(`.${site}`)

function isOnSites(host: string, { domains, excludeDomains }: SearchQuestion): boolean {
  if (excludeDomains.some((site) => isOn(host, site))) return false
  return domains.length === 0 || domains.some((site) => isOn(host, site))
}

function isInPeriod(
  publishedAt: string | undefined,
  { now, recencyDays }: SearchQuestion,
  { isDated }: SearchSource,
): boolean {
  if (recencyDays === undefined) return true
  if (publishedAt === undefined) return isDated === true
  // A date without a time means the whole day.
  return Date.parse(publishedAt) >= now - (recencyDays + 1) * dayMs
}
