import { defineAction, z } from '#core/action.ts'
import { limitOf, neverLaunched, poll, vendorJobOf } from './lib/vendor-job.ts'

/** The vendor's default, used where the reply does not state it. */
const pageSizeUsual = 100

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
  takes: {
    'job or transaction id': { place: 1, fills: (job_id) => ({ kind: 'tam' as const, job_id }) },
  },
  owned: ({ job_id: id }) => ({ kind: 'job', id }),
  async run({ input: { kind, job_id, cursor }, http, issued }) {
    const [id] = await issued(vendorJobOf(job_id))
    if (id === undefined) return { job_id, status: 'pending', rows: [], next_cursor: null }
    if (id === neverLaunched) return { job_id, status: 'failed', rows: [], next_cursor: null }
    const page: Page = await poll(http, kind, id, cursor)
    const paid = (await issued(limitOf(job_id))).map(Number).find(Number.isInteger)
    return { ...withinLimit(page, paid ?? Number.POSITIVE_INFINITY), job_id }
  },
})

interface Page {
  readonly rows?: readonly object[] | null
  /** Its name: `page_0003`. */
  readonly page?: string | null
  readonly next_cursor?: string | null
  readonly manifest?: { readonly page_size?: number } | null
}

/** A search may find more after it was told to stop. Those extra companies were not paid for. */
function withinLimit(page: Page, companiesMax: number) {
  const pageSize = page.manifest?.page_size ?? pageSizeUsual
  const before = pageSize * Number(/\d+$/.exec(page.page ?? '')?.[0] ?? 0)
  const rows = (page.rows ?? []).slice(0, Math.max(0, companiesMax - before))
  const isLast = before + pageSize >= companiesMax
  return { ...page, rows, ...(isLast && { next_cursor: null }) }
}
