import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { control, neverLaunched, vendorJobOf } from './lib/vendor-job.ts'

export const jobControl = defineAction('job-control', {
  summary: 'Pause, resume or cancel a market search of ns_company/tam-build, for free.',
  notes:
    'Cancelling bills only the companies delivered so far, which stay readable with ns_company/results. A pause takes effect when the step under way is done; a search paused for six hours is cancelled. Bulk lookalikes and tech intent stop by themselves at their limit.',
  synonyms: ['cancel job', 'pause search', 'resume search', 'stop tam build', 'openfunnel'],
  questions: [
    'stop my TAM build',
    'pause the company search that I started',
    'resume the paused market search',
  ],
  input: z.strictObject({
    job_id: z.uuid().describe('As ns_company/tam-build answered.'),
    action: z.enum(['pause', 'resume', 'cancel']).describe('What to do.'),
  }),
  output: z.looseObject({ job_id: z.string(), status: z.string(), message: z.string().nullish() }),
  price: 'free',
  example: {
    input: { job_id: '8a8e8a97-8192-48ff-849a-d8a96e949732', action: 'cancel' },
    cents: 0,
  },
  owned: ({ job_id: id }) => ({ kind: 'job', id }),
  async run({ input: { job_id, action }, http, issued }) {
    const [id] = await issued(vendorJobOf(job_id))
    if (id === undefined || id === neverLaunched) {
      const message =
        'This search is not under way. Poll ns_company/results to see where it stands.'
      throw fail('not_found', { message })
    }
    const { body } = await control(http, id, action)
    // The vendor’s sentence names its own paths.
    return { job_id, status: body.status, message: null }
  },
})
