import { defineAction, z } from '#core/action.ts'

export const search = defineAction('search', {
  summary: 'Search a marketplace of agents that can be run by their price per token.',
  notes:
    'Free. Without q all of them. The id is for ns_market/run; compare price_per_1k and avg_tokens_per_req to know what a run costs.',
  synonyms: [
    'agent marketplace',
    'find an agent',
    'ai agents',
    'hire an agent',
    'specialist agent',
  ],
  questions: [
    'is there an agent for contract review?',
    'which agents write SQL?',
    'what does it cost to run this agent?',
  ],
  keyless: true,
  input: z.strictObject({
    q: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe('What the agent should be able to do.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    agents: z.array(
      z.looseObject({
        id: z.union([z.string(), z.number()]).describe('For ns_market/run.'),
        name: z.string().nullish(),
        price_per_1k: z.number().nullish().describe('Dollars per 1000 tokens.'),
        avg_tokens_per_req: z.number().nullish(),
      }),
    ),
  }),
  price: 'free',
  example: { input: { q: 'contract review' }, cents: 0 },
  async run({ input, http }) {
    const answer = await http.get(input.q === undefined ? '/agents' : '/agents/search', {
      query: input,
    })
    return {
      provider: 'Auto.exchange',
      agents: Array.isArray(answer) ? answer : (answer?.agents ?? []),
    }
  },
})
