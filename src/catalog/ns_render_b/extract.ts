import { defineAction, z } from '#core/action.ts'
import { requireUnfailed } from '../lib/failed-work.ts'
import { issue } from '../lib/issued-id.ts'
import { jsonSchema, webAddress } from '../lib/web-page.ts'
import { jobId } from './lib/job-id.ts'

const urlsMax = 10

export const extract = defineAction('extract', {
  summary: 'Launch an extraction of structured data from up to 10 pages, each by itself.',
  notes:
    'Answers with an id at once and is billed then. Poll ns_render_b/extract_status with the id until its status is completed, and read results[].data. With basis each field comes with the passage that supports it; that needs a schema. For one answer over all pages in one call use ns_render_a/extract.',
  synonyms: [
    'structured data',
    'json from page',
    'scrape fields',
    'fastcrw',
    'evidence',
    'citations',
  ],
  questions: [
    'get price and stock from each of these ten shops, with proof',
    'where on the page does it say that?',
    'one record per page, by my schema',
  ],
  errors: ['bad_url'],
  input: z
    .strictObject({
      urls: z.array(webAddress).min(1).max(urlsMax).describe('The pages.'),
      prompt: z.string().trim().min(1).max(10_000).optional().describe('What to extract.'),
      schema: jsonSchema,
      basis: z.boolean().optional().describe('Add the source evidence of each field.'),
    })
    .refine(({ prompt, schema }) => prompt !== undefined || schema !== undefined, {
      message: 'Send prompt, schema or both',
    })
    .refine(({ basis, schema }) => basis !== true || schema !== undefined, {
      message: 'basis is evidence for the fields of a schema: send schema too',
    }),
  output: z.looseObject({
    id: z.string().describe('For ns_render_b/extract_status.'),
    status: z.string().nullish(),
    urls: z.int().nullish().describe('Pages that will be read.'),
  }),
  price: { cents: 5 },
  example: {
    input: {
      urls: ['https://example.com/'],
      schema: { type: 'object', properties: { title: { type: 'string' } } },
      basis: true,
    },
    cents: 5,
  },
  issues: ({ id }) => issue('extraction', jobId, id),
  async run({ input, http }) {
    const headers = { prefer: 'respond-async' }
    const { id, status, urls } = await http.post('/v1/extract', input, { headers })
    requireUnfailed(status)
    return { id, status, urls }
  },
})
