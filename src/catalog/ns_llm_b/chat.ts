import { defineAction, z } from '#core/action.ts'
import { type ModelPrices, requirePrice } from '#core/model-price.ts'
import { requireModel } from '#core/pricing/model-pattern.ts'
import { chatCallOf, chatInput, chatOutput, readCounts } from '../lib/chat-fields.ts'
import { callCentsMax, fitMaxTokens, modelTerms, usedCents, worstCents } from '../lib/model-call.ts'

const input = z.strictObject({
  model: z.string().min(1).max(100).describe('The model, as the vendor names it.'),
  ...chatInput,
})

export const chat = (prices: ModelPrices) => {
  const priceOf = (model: string) => requirePrice(prices, `openai/${model}`)
  return defineAction('chat', {
    summary: 'Ask a GPT model, in its vendor’s own chat format.',
    notes:
      'The price is what the tokens cost, at most one dollar. Nothing is streamed. For streams, tools, pictures and fallback to other models use POST /api/llm/v1/chat/completions. For Claude use ns_llm_a/messages, for any other model ns_router/chat.',
    synonyms: ['gpt', 'openai', 'chatgpt', 'llm', 'ask a model', 'write text'],
    questions: [
      'ask GPT a question',
      'let OpenAI’s model rewrite this text',
      'answer this like ChatGPT would',
    ],
    ...modelTerms,
    input,
    output: chatOutput,
    check: (input) => void fitMaxTokens(priceOf(input.model), chatCallOf(input)),
    admits: async ({ model }, caller) => requireModel(caller, `openai/${model}`),
    price: {
      upToCents: (input) => worstCents(priceOf(input.model), chatCallOf(input)),
      atMostCents: callCentsMax,
      settle: ({ input, output }) => usedCents(priceOf(input.model), readCounts(output.usage)),
    },
    example: {
      input: {
        model: 'gpt-4o-mini',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello!' }],
      },
      cents: 0.0077,
    },
    run: async ({ input: { max_tokens: _asked, ...input }, http }) => ({
      provider: 'OpenAI',
      ...(await http.post('/chat/completions', {
        ...input,
        // All of the vendor's models accept this name.
        max_completion_tokens: fitMaxTokens(
          priceOf(input.model),
          chatCallOf({ ...input, max_tokens: _asked }),
        ),
      })),
    }),
  })
}
