import { z } from '#core/action.ts'
import { lang } from './query.ts'

const limitMax = 500
/** Wikipedia shows no search results beyond these. */
export const resultsMax = 10_000

export const searchInput = z
  .strictObject({
    q: z.string().trim().min(1).max(300).describe('Words to look for.'),
    lang,
    limit: z
      .int()
      .min(1)
      .max(limitMax)
      .default(10)
      .describe(`Articles to return, at most ${limitMax}.`),
    offset: z.int().min(0).max(resultsMax).default(0).describe('Articles to skip.'),
    sort: z
      .enum([
        'relevance',
        'last_edit_desc',
        'last_edit_asc',
        'create_timestamp_desc',
        'create_timestamp_asc',
      ])
      .default('relevance')
      .describe('Order of the articles.'),
  })
  .refine(({ limit, offset }) => limit + offset <= resultsMax, {
    path: ['offset'],
    message: `must leave offset + limit at or below ${resultsMax}`,
  })
