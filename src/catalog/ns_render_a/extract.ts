import { defineAction, pick, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { jsonSchema, webAddress } from '../lib/web-page.ts'
import { awaitJob, launchJob } from './lib/job.ts'

const urlsMax = 10
const timeoutMs = 100_000

export const extract = defineAction('extract', {
  summary: 'Extract structured data from pages by a prompt, a JSON schema or both.',
  notes:
    'A language model reads the pages and fills in one answer for all of them. It comes when the extraction is done, within two minutes; there is nothing to poll. An address may end in /* to mean the pages below it. For an answer for each page, with evidence, use ns_render_b/extract.',
  synonyms: ['structured data', 'json from page', 'scrape fields', 'firecrawl', 'llm extract'],
  questions: [
    'put the specs of these products into one table',
    'fill in this schema from the pages of the company',
    'who are the board members named on these pages?',
  ],
  timeoutMs: 120_000,
  errors: ['bad_url'],
  input: z
    .strictObject({
      urls: z.array(webAddress).min(1).max(urlsMax).describe('The pages.'),
      prompt: z.string().trim().min(1).max(10_000).optional().describe('What to extract.'),
      schema: jsonSchema,
    })
    .refine(({ prompt, schema }) => prompt !== undefined || schema !== undefined, {
      message: 'Send prompt, schema or both',
    }),
  output: z.looseObject({
    id: z.string().describe('The vendor’s id of the extraction, for reference.'),
    status: z.literal('completed'),
    data: z.union([z.looseObject({}), z.array(z.unknown())]).describe('Shaped by the schema.'),
    tokensUsed: z.int().nullish(),
  }),
  price: { cents: 1 },
  example: {
    input: { urls: ['https://example.com/'], prompt: 'What is the title of the page?' },
    cents: 1,
  },
  async run(context) {
    const { input, http, clock } = context
    const untilMs = clock.now() + timeoutMs
    const request = pick(input, 'urls', 'prompt', 'schema')
    const { id, invalidURLs } = await launchJob(http, '/extract', request)
    const { status, data, tokensUsed } = await awaitJob(context, path`/extract/${id}`, untilMs)
    if (status !== 'completed') {
      throw fail('upstream_error', {
        message:
          'The extraction did not succeed in time. Nothing was charged; send fewer pages, or ask for less.',
      })
    }
    return { id, status, data, tokensUsed, invalidURLs }
  },
})
