import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { jobId, noJob } from './lib/job-id.ts'

export const extractStatus = defineAction('extract_status', {
  summary: 'See how far an extraction of ns_render_b/extract is, and read its results.',
  notes:
    'Start an extraction with ns_render_b/extract. Each poll is billed, so wait some seconds between polls. results has one entry for each page, with its data once it is completed. The field statuses of basis are supported, unverified, unsupported and notFound. Extractions are forgotten at expiresAt.',
  synonyms: ['poll extract', 'extraction results', 'job status', 'fastcrw', 'evidence'],
  questions: [
    'are my records ready?',
    'show the evidence for each field',
    'did any of the pages fail?',
  ],
  input: z.strictObject({ id: jobId.describe('The id that ns_render_b/extract answered with.') }),
  output: z.looseObject({
    id: z.string(),
    status: z.string().describe('processing, cancelling, completed, failed or cancelled.'),
    results: z.array(
      z.looseObject({
        url: z.string(),
        status: z.string(),
        data: z.unknown().optional().describe('Shaped by the schema.'),
        error: z.string().nullish(),
        basis: z.array(z.looseObject({ field: z.string(), status: z.string() })).nullish(),
      }),
    ),
    error: z.string().nullish(),
    expiresAt: z.string().nullish(),
  }),
  price: { cents: 1 },
  example: { input: { id: '8c1d7f0e-52a4-4e0b-9a63-6b1f0a7c2d55' }, cents: 1 },
  owned: ({ id }) => ({ kind: 'extraction', id }),
  async run({ input, http }) {
    const job = await http.get(path`/v1/extract/${input.id}`).catch(explain('not_found', noJob))
    const { success: _success, creditsUsed: _creditsUsed, ...state } = job
    return { ...state, id: input.id, results: state.results ?? [] }
  },
})
