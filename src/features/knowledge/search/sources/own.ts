// The pages that the caller has indexed.
import { type SearchSource, shorten } from './source.ts'

const hitsPerSource = 10

interface Hit {
  /** Of the section of the page. */
  readonly passage_url: string
  readonly title: string
  readonly headings: readonly string[]
  readonly snippet: string
  readonly text: string
}

/** Free: the pages were paid for when they were indexed. */
export const ownPages = (ownNamespace: string): SearchSource => {
  const id = `${ownNamespace}/search-index`
  return {
    id,
    async search({ text }, call) {
      const { hits } = await call<{ hits: Hit[] }>(id, {
        query: shorten(text, 1_000),
        limit: hitsPerSource,
      })
      return hits.map(({ passage_url: url, title, headings, snippet, text: content }) => ({
        url,
        snippet,
        content,
        title: [...new Set([title, ...headings])].join(' · '),
      }))
    },
  }
}
