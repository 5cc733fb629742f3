import { defineAction, z } from '#core/action.ts'

export const balance = defineAction('balance', {
  summary: 'See how many credits this gateway has left at the provider of ns_company, for free.',
  notes:
    'These are the operator’s credits, not your balance, which is at GET /api/v1/account. Look before a large ns_company/tam-build or ns_company/lookalikes-bulk: a search ends early when they run out, and only what was delivered is charged.',
  synonyms: ['credit balance', 'credits left', 'remaining quota', 'vendor credits', 'openfunnel'],
  questions: [
    'are there enough credits for a big company search?',
    'how many OpenFunnel credits are left?',
    'will my TAM build run out of credits?',
  ],
  input: z.strictObject({}),
  output: z.looseObject({
    total_credits: z.number().describe('All that were granted.'),
    credits_used: z.number(),
    credits_left: z.number(),
  }),
  price: 'free',
  example: { input: {}, cents: 0 },
  run: ({ http }) => http.get('/api/v1/credits/balance'),
})
