/** The endpoints, with the vendor's name of each and the field of its answer. */
export const trendsEndpoints = {
  '/trend': {
    summary: 'How much people search for a keyword over time.',
    dataType: 'TIMESERIES',
    field: 'interest_over_time',
  },
  '/interest-by-region': {
    summary: 'Where people search for a keyword: by country, state or city.',
    dataType: 'GEO_MAP_0',
    field: 'interest_by_region',
  },
  '/related-queries': {
    summary: 'What else people search who search for a keyword, top and rising queries.',
    dataType: 'RELATED_QUERIES',
    field: 'related_queries',
  },
  '/related-topics': {
    summary: 'Which topics go with a keyword, top and rising.',
    dataType: 'RELATED_TOPICS',
    field: 'related_topics',
  },
} as const
