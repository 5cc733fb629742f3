import { defineAction, z } from '#core/action.ts'
import { requireUnfailed } from '../lib/failed-work.ts'
import { issue } from '../lib/issued-id.ts'
import { runId } from './task-status.ts'

export const task = defineAction('task', {
  summary: 'Launch deep research on a question, which goes on in the background for minutes.',
  notes:
    'Answers with a run_id at once and is billed then. Poll ns_par/task-status, which is free, with it; pro takes some 2 to 10 minutes, ultra 5 to 25. Launching it again to look is a new run. For an answer within two minutes use ns_cite/deep-search.',
  synonyms: ['deep research', 'research report', 'parallel task', 'background research', 'analyst'],
  questions: [
    'write me a report on this market',
    'investigate this company thoroughly while I wait',
    'can somebody dig for half an hour into who supplies them?',
  ],
  input: z.strictObject({
    input: z.string().trim().min(1).max(15_000).describe('The question, with all that matters.'),
    processor: z.enum(['pro', 'ultra']).default('pro').describe('How much effort to spend.'),
  }),
  output: z.looseObject({
    run_id: z.string().describe('For ns_par/task-status.'),
    status: z.string(),
    processor: z.string().nullish(),
  }),
  price: { cents: 10, variants: [{ when: { processor: 'ultra' }, cents: 30 }] },
  example: {
    input: { input: 'What are the main uses of quantum sensors?', processor: 'pro' },
    cents: 10,
  },
  issues: ({ run_id: id }) => issue('run', runId, id),
  async run({ input, http }) {
    const launched = await http.post('/v1/tasks/runs', input)
    requireUnfailed(launched?.status)
    return launched
  },
})
