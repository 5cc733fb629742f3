import { defineAction, z } from '#core/action.ts'
import { fields, fieldsOf, targetsOf } from './lib/requested.ts'
import { costDollars, resultObject } from './lib/result-object.ts'

const targetsMax = 100
const targets = z.array(z.string().trim().min(1).max(2_048)).max(targetsMax).optional()
export const contents = defineAction('contents', {
  summary: 'Read the text, highlights or summary of pages that the search index holds.',
  notes:
    'Pages are served from the index: no JavaScript is rendered and nothing is fetched anew. Each requested field multiplies the cost. A page that is not in the index is reported in statuses; when none is, nothing is charged. For live or script-heavy pages use scraping/scrape, for up to five pages read anew ns_rag/extract.',
  synonyms: [
    'read page',
    'page text',
    'text of search results',
    'extract',
    'summarize url',
    'get contents',
    'exa',
  ],
  questions: [
    'what does this article say, without opening a browser?',
    'summarize these ten links cheaply',
    'give me the key passages of the papers that I found',
  ],
  input: z
    .strictObject({
      urls: targets.describe('Addresses of pages.'),
      ids: targets.describe('Ids of earlier search results.'),
      text: z.boolean().optional().describe('Return the text.'),
      highlights: z.boolean().optional().describe('Return the passages that matter most.'),
      summary: z.boolean().optional().describe('Return a summary.'),
    })
    .refine((input) => targetsOf(input).length > 0, { message: 'Send urls, ids or both' })
    .refine((input) => targetsOf(input).length <= targetsMax, {
      message: `Send at most ${targetsMax} urls and ids together`,
    })
    .refine((input) => fieldsOf(input).length > 0, {
      message: 'Ask for text, highlights or summary',
    }),
  output: z.looseObject({
    requestId: z.string().optional(),
    results: z.array(resultObject),
    statuses: z
      .array(
        z.looseObject({ id: z.string(), status: z.string(), error: z.looseObject({}).nullish() }),
      )
      .optional()
      .describe('One per page: success, or error with its reason.'),
    costDollars,
  }),
  price: {
    cents: 0.1,
    per: (input) => targetsOf(input).length * fieldsOf(input).length,
    unit: 'URL or id and field',
    atMost: targetsMax * fields.length,
    wholeCents: true,
    used: ({ results, statuses = [] }) =>
      results.length === 0 && statuses.length > 0 ? 0 : targetsMax * fields.length,
  },
  example: { input: { urls: ['https://arxiv.org/abs/2307.06435'], text: true }, cents: 1 },
  costUsd: (output) => output.costDollars?.total,
  run: ({ input, http }) =>
    http.post('/contents', {
      // The vendor requires urls, accepts ids in them, and documents its own ids field as deprecated.
      urls: targetsOf(input),
      text: input.text,
      highlights: input.highlights,
      summary: input.summary === true ? {} : undefined,
      livecrawl: 'never',
    }),
})
