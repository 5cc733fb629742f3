import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'

/** The vendor delays its reply until the result is available, which is at once for a completed run. */
const resultWaitSeconds = 10

export const runId = z.string().trim().min(1).max(200).describe('What ns_par/task answered with.')

export const taskStatus = defineAction('task-status', {
  summary: 'See how far a research run is, and read its report with the evidence once it is done.',
  notes:
    'Free: poll every half minute with the run_id that ns_par/task answered with. output is there when status is completed; failed and cancelled are final too. Runs of other accounts do not exist for you.',
  synonyms: ['poll research', 'research result', 'run status', 'report ready', 'parallel result'],
  questions: [
    'is my report finished?',
    'how far has the research come?',
    'show me the findings of the run that I started',
  ],
  input: z.strictObject({ run_id: runId }),
  output: z.looseObject({
    run_id: z.string(),
    status: z
      .string()
      .describe('queued, action_required, running, completed, failed, cancelling or cancelled.'),
    output: z
      .looseObject({
        type: z.string(),
        content: z.unknown(),
        basis: z.array(z.unknown()).nullish(),
      })
      .nullish()
      .describe('The report, and the evidence of each part.'),
    error: z.looseObject({}).nullish(),
  }),
  price: 'free',
  example: { input: { run_id: 'trun_9907962f83aa4d9d98fd7f4bf745d654' }, cents: 0 },
  takes: { 'run id': { fills: (run_id) => ({ run_id }) } },
  owned: ({ run_id: id }) => ({ kind: 'run', id }),
  async run({ input, http }) {
    const gone = explain('not_found', 'The vendor has forgotten this run. Nothing was charged.')
    const run = await http.get(path`/v1/tasks/runs/${input.run_id}`).catch(gone)
    if (run.status !== 'completed') return run
    const { status, body } = await http.send({
      method: 'GET',
      path: path`/v1/tasks/runs/${input.run_id}/result`,
      query: { timeout: resultWaitSeconds },
      accept: [408],
    })
    return status === 408 ? { ...run, status: 'running' } : { ...run, output: body.output }
  },
})
