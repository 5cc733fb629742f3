import { defineAction, z } from '#core/action.ts'
import { neverLaunched, poll, vendorJobOf } from './vendor-job.ts'

export const results = defineAction('results', {
  summary: 'Read the companies of a background search of ns_company, page by page, for free.',
  notes:
    'Send kind tam for ns_company/tam-build, lookalikes for ns_company/lookalikes-bulk, tech_intent for ns_company/tech-intent. The search is done when status is completed: a null next_cursor while it runs does not mean done. Pass next_cursor as cursor for the next page.',
  synonyms: ['poll company search', 'tam results', 'next page', 'job results', 'openfunnel'],
  questions: [
    'is my TAM build finished?',
    'read the next page of companies for this job_id',
    'get the results of the lookalike job',
  ],
  input: z.strictObject({
    kind: z.enum(['tam', 'lookalikes', 'tech_intent']).describe('Which search it is.'),
    job_id: z.uuid().describe('As the search answered.'),
    cursor: z.string().trim().min(1).max(64).optional().describe('next_cursor of the page before.'),
  }),
  output: z.looseObject({
    job_id: z.string(),
    status: z
      .string()
      .describe('pending, running, pausing, paused, cancelling, cancelled, completed or failed.'),
    rows: z.array(z.looseObject({})),
    next_cursor: z.string().nullish(),
  }),
  price: 'free',
  example: { input: { kind: 'tam', job_id: '8a8e8a97-8192-48ff-849a-d8a96e949732' }, cents: 0 },
  owned: ({ job_id: id }) => ({ kind: 'job', id }),
  async run({ input: { kind, job_id, cursor }, http, issued }) {
    const [id] = await issued(vendorJobOf(job_id))
    if (id === undefined) return { job_id, status: 'pending', rows: [], next_cursor: null }
    if (id === neverLaunched) return { job_id, status: 'failed', rows: [], next_cursor: null }
    const page = await poll(http, kind, id, cursor)
    return { ...page, job_id, rows: page.rows ?? [] }
  },
})
