import { defineAction, z } from '#core/action.ts'
import { type ModelPrices, requirePrice } from '#core/model-price.ts'
import { requireModel } from '#core/pricing/model-pattern.ts'
import { chatCallOf, chatInput, chatOutput, readCounts } from '../lib/chat-fields.ts'
import { callCentsMax, fitMaxTokens, modelTerms, usedCents, worstCents } from '../lib/model-call.ts'

const input = z.strictObject({
  model: z
    .string()
    .regex(/^~?[\w.-]+\/[\w.:-]+$/, 'must be written vendor/model')
    .max(100)
    .describe('vendor/model, as in GET /api/llm/v1/pricing.'),
  ...chatInput,
})

export const chat = (prices: ModelPrices) =>
  defineAction('chat', {
    summary: 'Ask any of some 300 language models by vendor and name.',
    notes:
      'The price is what the tokens cost, at most one dollar. Nothing is streamed. For streams, tools, pictures and fallback to other models use POST /api/llm/v1/chat/completions. For Claude in its own format use ns_llm_a/messages, for GPT ns_llm_b/chat.',
    synonyms: ['openrouter', 'llm', 'gpt', 'claude', 'gemini', 'deepseek', 'ask a model'],
    questions: [
      'ask Llama or Mistral something',
      'try the same prompt on another model',
      'which models can I talk to by name?',
    ],
    ...modelTerms,
    input,
    output: chatOutput,
    check: (input) => void fitMaxTokens(requirePrice(prices, input.model), chatCallOf(input)),
    admits: async ({ model }, caller) => requireModel(caller, model),
    price: {
      upToCents: (input) =>
        worstCents(requirePrice(prices, input.model), {
          ...chatCallOf(input),
          unboundedModel: input.model,
        }),
      atMostCents: callCentsMax,
      settle: ({ input, output }) =>
        usedCents(requirePrice(prices, input.model), readCounts(output.usage)),
    },
    example: {
      input: {
        model: 'openai/gpt-4o-mini',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'What is the meaning of life?' }],
      },
      cents: 0.008,
    },
    costUsd: (output) => output.usage.cost,
    run: ({ input, http }) =>
      http.post('/chat/completions', {
        ...input,
        max_tokens: fitMaxTokens(requirePrice(prices, input.model), chatCallOf(input)),
      }),
  })
