import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { isUsable } from '../lib/issued-id.ts'
import { priceOf } from './lib/agent-price.ts'

const tokensMax = 128_000
const tokens = z.int().min(1).max(tokensMax)
/** The price of the most expensive agents. */
const usdPer1kMax = 0.075
const sessionId = z.string().trim().min(1).max(200)
const sessionOf = (id: string | null | undefined) =>
  id == null ? undefined : { kind: 'session', id }

export const run = defineAction('run', {
  summary: 'Run an agent of the marketplace on a prompt.',
  notes:
    'Costs about $0.0006 to $0.075 per 1000 tokens, by the agent. max_cost_cents is required: it is held, the tokens are capped so that it is not exceeded, and what the run cost is charged. Find agents with ns_market/search. A session_id continues a conversation of yours; stateless keeps none. To use a language model directly rather than an agent use ns_router/chat.',
  synonyms: ['run agent', 'agent call', 'delegate a task', 'specialist model', 'ask an agent'],
  questions: [
    'let that agent review my contract',
    'run agent 42 with this prompt',
    'have a specialist write the query',
  ],
  timeoutMs: 180_000,
  input: z.strictObject({
    agent_id: z
      .union([z.string().trim().min(1).max(100), z.int().transform(String)])
      .describe('Id of the agent, from ns_market/search.'),
    prompt: z.string().min(1).max(200_000).describe('What the agent should do.'),
    max_tokens: tokens.optional().describe('Most tokens to use, at most 128000.'),
    session_id: sessionId.optional().describe('Conversation to go on with.'),
    stateless: z.boolean().optional().describe('Keep no conversation.'),
  }),
  output: z.looseObject({
    text: z.string(),
    tokens_used: z.int().nullable(),
    cost: z.number().describe('Dollars.'),
    session_id: z.string().nullable(),
  }),
  price: {
    upToCents: 'maxCost',
    fromCents: 0,
    atMostCents: (tokensMax / 1_000) * usdPer1kMax * 100,
    basis: 'up to 7.5¢ per 1000 tokens',
    settle: ({ output }) => output.cost * 100,
  },
  async estimate({ input, http }) {
    const usdPer1k = await priceOf(http, input.agent_id)
    const most = input.max_tokens ?? tokensMax
    return { minCents: 0, maxCents: Math.ceil((most / 1_000) * usdPer1k * 100) }
  },
  costUsd: ({ cost }) => cost,
  example: {
    input: { agent_id: 'contract-reviewer', prompt: 'Review this.', max_tokens: 1000 },
    cents: 10,
  },
  issues: ({ session_id }) => sessionOf(session_id),
  owned: ({ session_id }) => sessionOf(session_id),
  async run({ input, http, maxCents }) {
    const { agent_id: id, max_tokens: wanted = tokensMax, ...rest } = input
    const usdPer1k = await priceOf(http, id)
    // The caller's ceiling limits the tokens.
    const affordable = Math.floor((maxCents / 100 / Math.max(usdPer1k, 1e-9)) * 1_000)
    const granted = Math.min(wanted, affordable, tokensMax)
    if (granted < 1)
      throw fail('max_cost_exceeded', {
        message: `A thousand tokens of this agent cost $${usdPer1k}, and your max_cost_cents of ${maxCents} does not pay for one. Raise the ceiling.`,
      })
    const order = { method: 'POST', path: path`/agents/${id}/run` } as const
    const body = { ...rest, max_tokens: granted }
    const { body: answer, paid } = await http.send({ ...order, body })
    return {
      ...answer,
      cost: paid?.usd ?? answer.cost,
      tokens_used: answer.tokens_used ?? null,
      session_id: isUsable(sessionId, answer.session_id) ? answer.session_id : null,
    }
  },
})
