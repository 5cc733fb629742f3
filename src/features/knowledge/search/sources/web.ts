// Indexes of the whole web, and the sources that this machine can ask without a vendor's key.
import type { SourceResult } from '../evidence.ts'
import {
  firstDay,
  isoDay,
  type SearchQuestion,
  type SearchSource,
  shorten,
  subjectOf,
  textOf,
} from './source.ts'

interface SemanticPage {
  readonly url: string
  readonly title?: string | null
  readonly publishedDate?: string | null
  readonly text?: string
  readonly highlights?: readonly string[]
  readonly summary?: string
}

const resultsPerSource = 10
const ragCharactersMax = 400
const indepCharactersMax = 400

const domainsOf = ({ domains, excludeDomains }: SearchQuestion) => ({
  ...(domains.length > 0 && { include_domains: domains }),
  ...(excludeDomains.length > 0 && { exclude_domains: excludeDomains }),
})

function semanticBy(options: { category?: 'github' | 'research' }): SearchSource {
  return {
    id: 'ns_semantic/search',
    isDated: true,
    async search(question, call) {
      const { category } = options
      const start = firstDay(question)
      const { results } = await call('ns_semantic/search', {
        query: question.text,
        numResults: resultsPerSource,
        ...domainsOf(question),
        contents: { text: true },
        ...(category && { category }),
        ...(start && { start_published_date: start }),
      })
      return results.map(readSemantic)
    },
  }
}

const readSemantic = ({ url, title, publishedDate, text, highlights, summary }: SemanticPage) => {
  const snippet = summary ?? highlights?.[0]
  return {
    url,
    title: title ?? url,
    ...(snippet && { snippet }),
    ...(text && { content: text }),
    ...(publishedDate && { published_at: publishedDate }),
  }
}

/** Finds pages by their meaning. */
export const semantic = semanticBy({})
export const semanticPapers = semanticBy({ category: 'research' })
export const semanticRepositories = semanticBy({ category: 'github' })

/** The operators that restrict a keyword query to sites. */
function withSites(question: SearchQuestion, sites = question.domains): string {
  const only = sites.map((site) => `site:${site}`).join(' OR ')
  const without = question.excludeDomains.map((site) => `-site:${site}`).join(' ')
  const operators = [sites.length > 1 ? `(${only})` : only, without].filter(Boolean).join(' ')
  // The results are filtered by site in any case, so operators that do not fit may be left out.
  if (operators.length > indepCharactersMax / 2) return shorten(question.text, indepCharactersMax)
  return `${shorten(question.text, indepCharactersMax - operators.length - 1, 35)} ${operators}`.trim()
}

export const periodOf = (question: SearchQuestion) => {
  const start = firstDay(question)
  return start === undefined ? {} : { freshness: `${start}to${isoDay(question.now)}` }
}

interface IndexedPage {
  readonly url: string
  readonly title: string
  readonly description?: string | null
  readonly page_age?: string | null
}

export const readIndexed = ({ url, title, description, page_age }: IndexedPage): SourceResult => ({
  url,
  title,
  ...(description && { snippet: description }),
  ...(page_age && { published_at: page_age }),
})

function independentBy(sites?: readonly string[]): SearchSource {
  return {
    id: 'ns_indep/search',
    isDated: true,
    async search(question, call) {
      const wanted = question.domains.length > 0 ? question.domains : sites
      const { web } = await call('ns_indep/search', {
        q: withSites(question, wanted),
        count: resultsPerSource,
        ...periodOf(question),
      })
      return (web?.results ?? []).map(readIndexed)
    },
  }
}

/** An index of its own, by keyword. */
export const independent = independentBy()
export const independentRepositories = independentBy(['github.com', 'gitlab.com', 'codeberg.org'])

interface RagPage {
  readonly url: string
  readonly title: string
  readonly content: string
  readonly raw_content?: string | null
  readonly published_date?: string | null
}

/** The longest of the periods that the index knows within the one that is asked for. */
function timeRange({ recencyDays }: SearchQuestion) {
  if (recencyDays === undefined) return {}
  if (recencyDays >= 365) return { time_range: 'year' }
  if (recencyDays >= 31) return { time_range: 'month' }
  return { time_range: recencyDays >= 7 ? 'week' : 'day' }
}

function passagesBy(options: { topic?: 'news'; withContent?: true }): SearchSource {
  return {
    id: 'ns_rag/search',
    isDated: true,
    async search(question, call) {
      const { withContent = question.withContent, topic } = options
      const { results } = await call<{ results: RagPage[] }>('ns_rag/search', {
        query: shorten(question.text, ragCharactersMax),
        max_results: resultsPerSource,
        ...domainsOf({ ...question, domains: question.domains.slice(0, 150) }),
        ...timeRange(question),
        ...(topic && { topic }),
        ...(withContent && { include_raw_content: 'markdown' }),
      })
      return results.map(({ url, title, content, raw_content, published_date }) => {
        const date = Date.parse(published_date ?? '')
        return {
          url,
          title,
          snippet: content,
          ...(raw_content && { content: raw_content }),
          ...(!Number.isNaN(date) && { published_at: new Date(date).toISOString() }),
        }
      })
    },
  }
}

/** Finds the passages of pages that answer a question. */
export const passages = passagesBy({})
export const passagePages = passagesBy({ withContent: true })
export const passagesOfNews = passagesBy({ topic: 'news' })

interface ExcerptedPage {
  readonly url: string
  readonly title?: string | null
  readonly publish_date?: string | null
  readonly excerpts?: readonly string[] | null
}

export const excerpts: SearchSource = {
  id: 'ns_par/search',
  async search({ text }, call) {
    const { results } = await call<{ results: ExcerptedPage[] }>('ns_par/search', {
      query: shorten(text, 2_000, 300),
    })
    return results.map(({ url, title, publish_date, excerpts: found }) => ({
      url,
      title: title ?? url,
      ...(found?.[0] && { snippet: found[0] }),
      ...(publish_date && { published_at: publish_date }),
    }))
  },
}

export const encyclopedia: SearchSource = {
  id: 'ns_encyclopedia/search',
  async search({ text }, call) {
    const { results } = await call<{ results: { url: string; title: string; snippet: string }[] }>(
      'ns_encyclopedia/search',
      {
        q: shorten(text, 300),
        limit: resultsPerSource,
      },
    )
    return results.map(({ url, title, snippet }) => ({ url, title, snippet }))
  },
}

interface Entity {
  readonly id: string
  readonly label: string | null
  readonly description: string | null
  readonly url: string
}

/** The things that a name may mean. */
export const knowledgeGraph: SearchSource = {
  id: 'ns_knowledge/search',
  async search(question, call) {
    const { results } = await call<{ results: Entity[] }>('ns_knowledge/search', {
      q: subjectOf(question, 250),
      limit: 5,
    })
    return results.map(({ id, label, description, url }) => ({
      url,
      title: label ?? id,
      wikidata: id,
      ...textOf(description, label ?? id),
    }))
  },
}
