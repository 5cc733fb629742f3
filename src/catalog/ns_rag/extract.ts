import { defineAction, pick, z } from '#core/action.ts'
import { webAddress } from '../lib/web-page.ts'

const urlsMax = 5

export const extract = defineAction('extract', {
  summary: 'Read the text of up to five pages in one call, as Markdown or plain text.',
  notes:
    'One price for up to five pages. A page that could not be read stands in failed_results with its reason; when none could, nothing is charged. It runs no scripts for long: for pages that need them use scraping/scrape, for fields instead of text ns_render_b/extract.',
  synonyms: ['read pages', 'page text', 'url to text', 'tavily extract', 'fetch articles'],
  questions: [
    'what do these five articles say?',
    'give me the text behind these links',
    'can you pull the body out of these blog posts?',
  ],
  errors: ['bad_url'],
  input: z.strictObject({
    urls: z.array(webAddress).min(1).max(urlsMax).describe('The pages, at most five.'),
    format: z.enum(['markdown', 'text']).default('markdown').describe('How to write the text.'),
  }),
  output: z.looseObject({
    results: z.array(z.looseObject({ url: z.string(), raw_content: z.string() })),
    failed_results: z.array(z.looseObject({ url: z.string(), error: z.string().nullish() })),
    request_id: z.string().nullish(),
  }),
  price: { cents: 1, used: (output) => (output.results.length > 0 ? 1 : 0) },
  example: {
    input: { urls: ['https://en.wikipedia.org/wiki/Artificial_intelligence'] },
    cents: 1,
  },
  async run({ input, http }) {
    const body = { ...pick(input, 'urls', 'format'), extract_depth: 'basic' }
    const reply = await http.post('/extract', body)
    return { ...reply, failed_results: reply.failed_results ?? [] }
  },
})
