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
