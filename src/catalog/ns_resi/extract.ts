import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { render, renderingFields } from './lib/rendering.ts'

export const extract = defineAction('extract', {
  summary: 'Extract fields described in plain English from a page, as JSON.',
  notes:
    'Name the fields, and add hints in brackets: product title, price(number), reviews(list: title, text). Names come back in camelCase. A language model reads the text of the page, not its styles or scripts. Renders are serialized: send one page per call, and after a 409 retry serially. Cheaper, by a schema: ns_render_b/extract.',
  synonyms: ['structured data', 'json from page', 'scrapingant', 'ai scraper', 'scrape fields'],
  questions: [
    'what are name, price and rating on this product page?',
    'read these fields out, I have no schema',
    'pull the reviews from the page in plain words',
  ],
  timeoutMs: 80_000,
  errors: ['bad_url', 'upstream_busy', 'all_blocked'],
  input: z.strictObject({
    ...renderingFields,
    extract_properties: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .describe('The fields in plain English: product title, price(number).'),
  }),
  output: z.looseObject({
    data: z.union([z.looseObject({}), z.array(z.unknown())]).describe('The fields, in camelCase.'),
  }),
  price: { cents: 20 },
  example: {
    input: {
      url: 'https://example.com/product',
      extract_properties: 'product title, price(number), full description',
    },
    cents: 20,
  },
  async run({ input, http }) {
    const { body } = await http.send(render('/extract', input, 'datacenter'))
    if (Object.keys(body ?? {}).length === 0) {
      throw fail('upstream_error', {
        message:
          'The provider has found none of these fields. Nothing was charged; name them otherwise, or look at the page with ns_resi/markdown.',
      })
    }
    return { data: body }
  },
})
