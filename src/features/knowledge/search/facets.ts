// The facets of a search. A facet is a kind of source that is asked in its own way.

/** Those that `route` may choose. The others of onesearch are only asked when the caller names them. */
export const selectableFacets = [
  'web',
  'docs',
  'news',
  'academic',
  'code',
  'public-filings',
  'funding',
  'financials',
  'legal',
  'nonprofits',
  'regulatory',
  'compliance',
] as const
export type SelectableFacet = (typeof selectableFacets)[number]

/** They read addresses that the caller names, and search nothing. */
export const readingFacets = ['scrape', 'scrape-hard'] as const
export type ReadingFacet = (typeof readingFacets)[number]

/** They are searched where the caller names them. `own` are the caller's own indexes. */
export const namedFacets = ['social', 'own'] as const

export const facets = [...selectableFacets, ...readingFacets, ...namedFacets] as const
export type Facet = (typeof facets)[number]
/** A search asks sources for these facets. */
export type SearchedFacet = Exclude<Facet, ReadingFacet>

export const isReadingFacet = (facet: Facet): facet is ReadingFacet =>
  readingFacets.some((reading) => reading === facet)

export const platforms = ['tiktok', 'instagram', 'youtube', 'twitter', 'weibo', 'reddit'] as const
export type Platform = (typeof platforms)[number]
