import { defineAction, z } from '#core/action.ts'
import { webAddress } from '../lib/web-page.ts'

const urlsMax = 20

export const extract = defineAction('extract', {
  summary: 'Read pages and get the excerpts that serve an objective, or all their text.',
  notes:
    'Priced by the page delivered: one that fails stands in errors and costs nothing. With objective only what serves it comes back, which saves tokens. For up to five pages at one price use ns_rag/extract, for a single page with its scripts run scraping/scrape.',
  synonyms: ['read pages', 'relevant excerpts', 'parallel extract', 'page content', 'url to text'],
  questions: [
    'what do these pages say about refunds?',
    'pull only the parts about safety out of this manual',
    'read these twelve links for me',
  ],
  errors: ['bad_url'],
  input: z.strictObject({
    urls: z.array(webAddress).min(1).max(urlsMax).describe('The pages, at most twenty.'),
    objective: z
      .string()
      .trim()
      .min(1)
      .max(5_000)
      .optional()
      .describe('What you want to learn from them.'),
  }),
  output: z.looseObject({
    extract_id: z.string(),
    results: z.array(
      z.looseObject({
        url: z.string(),
        title: z.string().nullish(),
        excerpts: z.array(z.string()).nullish(),
        full_content: z.string().nullish(),
      }),
    ),
    errors: z.array(z.looseObject({ url: z.string(), error_type: z.string().nullish() })),
  }),
  price: {
    cents: 1,
    per: (input) => input.urls.length,
    unit: 'URL',
    atMost: urlsMax,
    used: (output) => output.results.length,
  },
  example: {
    input: { urls: ['https://www.example.com/'], objective: 'What is this domain for?' },
    cents: 1,
  },
  run: ({ input, http }) => http.post('/v1/extract', input),
})
