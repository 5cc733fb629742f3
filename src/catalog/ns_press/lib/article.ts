// An article in the lists of GDELT.
import { z } from '#core/action.ts'

export interface Article {
  readonly url: string
  readonly title?: string
  readonly seendate?: string
  readonly domain?: string
  readonly language?: string
  readonly sourcecountry?: string
  readonly socialimage?: string
}

/** `20240615T170000Z` as ISO 8601. */
const isoMoment = (text = '') =>
  text.replace(/^(\d{4})(\d\d)(\d\d)T?(\d\d)(\d\d)(\d\d)Z?$/, '$1-$2-$3T$4:$5:$6Z') || null

export const articleObject = z.looseObject({
  url: z.string(),
  title: z.string().nullable(),
  seen_at: z.string().nullable().describe('When GDELT first saw it, UTC.'),
  domain: z.string().nullable(),
  language: z.string().nullable(),
  country: z.string().nullable(),
  image: z.string().nullable(),
})

export const describeArticle = (article: Article) => ({
  url: article.url,
  title: article.title?.trim() || null,
  seen_at: isoMoment(article.seendate),
  domain: article.domain ?? null,
  language: article.language ?? null,
  country: article.sourcecountry || null,
  image: article.socialimage || null,
})
