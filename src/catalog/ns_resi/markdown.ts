import { defineAction, z } from '#core/action.ts'
import { render, renderingFields, servedBy } from './lib/rendering.ts'

export const markdown = defineAction('markdown', {
  summary: 'Get a page as Markdown for a language model, through datacenter proxies.',
  notes:
    'The page is rendered in a browser unless browser is false, then turned into Markdown. Renders are serialized: send one page per call, and after a 409 retry serially. For HTML use ns_resi/scrape, for fields ns_resi/extract.',
  synonyms: ['url to markdown', 'llm ready', 'scrapingant', 'read page', 'page text'],
  questions: [
    'give my model this blocked page as clean text',
    'proxy this address and hand me Markdown',
    'strip a shop page down to what can be read',
  ],
  timeoutMs: 80_000,
  errors: ['bad_url', 'upstream_busy', 'all_blocked'],
  input: z.strictObject(renderingFields),
  output: z.looseObject({ url: z.string(), markdown: z.string(), ...servedBy }),
  price: { cents: 1 },
  page: ({ markdown, url }) => ({ body: markdown, url }),
  example: { input: { url: 'https://example.com/' }, cents: 1 },
  run: async ({ input, http }) => (await http.send(render('/markdown', input, 'datacenter'))).body,
})
