import { defineAction, pick, z } from '#core/action.ts'
import type { ModelPrices } from '#core/model-price.ts'
import { requireModel } from '#core/pricing/model-pattern.ts'
import { callCentsMax, fitMaxTokens, modelTerms, usedCents, worstCents } from '../lib/model-call.ts'
import { findClaude } from './lib/find-claude.ts'
import { type MessagesInput, messagesInput } from './lib/messages-input.ts'

const priceOf = (prices: ModelPrices, model: string) => findClaude(prices, model).price

const callOf = (input: MessagesInput) => ({
  prompt: pick(input, 'messages', 'system'),
  messages: input.messages.length,
  maxTokens: input.max_tokens,
})
const count = z.int().min(0)

export const messages = (prices: ModelPrices) =>
  defineAction('messages', {
    summary: 'Ask a Claude model, in its vendor’s own message format.',
    notes:
      'The price is what the tokens cost, at most one dollar. Nothing is streamed. For streams, tools, pictures and fallback to other models use POST /api/llm/v1/chat/completions. For other vendors use ns_llm_b/chat or ns_router/chat.',
    synonyms: ['claude', 'anthropic', 'llm', 'chat', 'ask a model', 'write text'],
    questions: [
      'ask Claude to summarise this',
      'let Anthropic’s model write an answer',
      'which action talks to Claude without an account?',
    ],
    ...modelTerms,
    input: messagesInput,
    output: z.looseObject({
      provider: z.string().optional().describe('Who served.'),
      id: z.string(),
      model: z.string(),
      content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
      stop_reason: z.string().nullish(),
      usage: z
        .looseObject({
          input_tokens: count,
          output_tokens: count,
          cache_read_input_tokens: count.nullish(),
        })
        .describe('What is charged for.'),
    }),
    check: (input) => void fitMaxTokens(priceOf(prices, input.model), callOf(input)),
    admits: async ({ model }, caller) => requireModel(caller, findClaude(prices, model).model),
    price: {
      upToCents: (input) => worstCents(priceOf(prices, input.model), callOf(input)),
      atMostCents: callCentsMax,
      settle: ({ input, output: { usage } }) =>
        usedCents(priceOf(prices, input.model), {
          promptTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
          completionTokens: usage.output_tokens,
          cacheReadTokens: usage.cache_read_input_tokens ?? 0,
          cacheWriteTokens: 0,
        }),
    },
    example: {
      input: {
        model: 'claude-haiku-4-5',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello, world' }],
      },
      cents: 0.0659,
    },
    run: async ({ input, http }) => ({
      provider: 'Anthropic',
      ...(await http.post('/v1/messages', input)),
    }),
  })
