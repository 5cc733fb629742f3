// News, and scholarly works.
import type { SourceResult } from '../evidence.ts'
import { firstDay, identifierOf, type SearchSource, shorten, textOf } from './source.ts'
import { periodOf, readIndexed } from './web.ts'

const articlesPerSource = 20
const worksPerSource = 15
/** GDELT's own index of articles goes back three months. */
const pressDaysDefault = 30
const pressDaysMax = 90

export const newsIndex: SearchSource = {
  id: 'ns_indep/news',
  isDated: true,
  async search(question, call) {
    const { results } = await call('ns_indep/news', {
      q: shorten(question.text, 400),
      count: articlesPerSource,
      ...periodOf(question),
    })
    return results.map(readIndexed)
  },
}

interface Article {
  readonly url: string
  readonly title: string | null
  readonly seen_at: string | null
  readonly domain: string | null
  readonly country: string | null
}

/** The press of all countries, in its own languages. */
export const worldPress: SearchSource = {
  id: 'ns_press/news',
  isDated: true,
  async search(question, call) {
    const days = Math.min(pressDaysMax, Math.ceil(question.recencyDays ?? pressDaysDefault))
    const { articles } = await call<{ articles: Article[] }>('ns_press/news', {
      query: pressQuery(question.slots.entities, question.text),
      timespan: `${Math.max(1, days)}d`,
      maxrecords: articlesPerSource,
    })
    return articles.map(({ url, title, seen_at, domain, country }) => ({
      url,
      title: title ?? url,
      ...textOf(null, title, domain, country),
      ...(seen_at && { published_at: seen_at }),
    }))
  },
}

/** GDELT joins words by AND and refuses words of one or two letters, so names are better than a sentence. */
function pressQuery(entities: readonly string[], text: string): string {
  const named = entities.filter((name) => name.length > 2).map((name) => `"${name}"`)
  if (named.length > 0) return shorten(named.slice(0, 2).join(' '), 1_000)
  const words = text.match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return shorten(words.slice(0, 5).join(' ') || text, 1_000)
}

interface Work {
  readonly id: string
  readonly doi?: string | null
  readonly title?: string | null
  readonly publication_date?: string | null
  readonly abstract: string | null
}

export const scholarlyWorks: SearchSource = {
  id: 'ns_scholar/works',
  isDated: true,
  async search(question, call) {
    const doi = identifierOf(question, 'DOI')
    const start = firstDay(question)
    const filter = [doi && `doi:${doi}`, start && `from_publication_date:${start}`]
      .filter(Boolean)
      .join(',')
    const { results } = await call<{ results: Work[] }>('ns_scholar/works', {
      ...(doi === undefined && { search: shorten(question.text, 1_000, 60) }),
      ...(filter !== '' && { filter }),
      per_page: worksPerSource,
    })
    return results.map(readWork)
  },
}

function readWork({ id, doi, title, publication_date, abstract }: Work): SourceResult {
  return {
    url: doi ?? id,
    title: title ?? id,
    ...(doi && { doi }),
    ...textOf(abstract, title, publication_date),
    ...(publication_date && { published_at: publication_date }),
  }
}
