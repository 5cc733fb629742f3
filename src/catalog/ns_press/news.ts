import { defineAction, pick, z } from '#core/action.ts'
import { mapRows } from '#core/rows.ts'
import { askGdelt } from './lib/answer.ts'
import { type Article, articleObject, describeArticle } from './lib/article.ts'
import { isOnePeriod, newsQuery, onePeriod } from './lib/period.ts'

export const news = defineAction('news', {
  summary: 'Search the news of the whole world, in every language, as it is monitored by GDELT.',
  notes:
    'Lists articles with title, outlet, language and country; read one with a scraping action such as scraping/scrape. Operators go into query: sourcecountry:, sourcelang:, domain:, "exact phrase", (a OR b). Covers about the last three months at its best. The provider takes one question in five seconds. For English news by relevance use ns_indep/news, for how coverage rose and fell ns_press/timeline.',
  synonyms: [
    'news search',
    'global news',
    'press coverage',
    'media monitoring',
    'headlines',
    'foreign news',
    'newspapers',
  ],
  questions: [
    'what do German newspapers write about the election?',
    'is there news on the strike in Chile this week?',
    'which outlets covered our launch?',
  ],
  cacheSeconds: 900,
  input: z
    .strictObject({
      ...newsQuery,
      maxrecords: z.int().min(1).max(250).default(75).describe('Articles to return, at most 250.'),
    })
    .refine(isOnePeriod, onePeriod),
  output: z.looseObject({
    provider: z.string(),
    count: z.int(),
    articles: z.array(articleObject),
  }),
  price: { cents: 1 },
  example: {
    input: { query: 'renewable energy sourcelang:english', timespan: '1d', maxrecords: 5 },
    cents: 1,
  },
  async run({ input, http }) {
    const period = pick(input, 'timespan', 'startdatetime', 'enddatetime')
    const { query, maxrecords } = input
    const asked = { query, mode: 'artlist', maxrecords, ...period }
    const { articles = [] } = await askGdelt<{ articles: Article[] }>(http, asked)
    return {
      provider: 'GDELT',
      count: articles.length,
      articles: mapRows(articles, describeArticle),
    }
  },
})
