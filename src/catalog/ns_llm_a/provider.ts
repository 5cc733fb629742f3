import type { ModelPrices } from '#core/model-price.ts'
import { defineProvider } from '#core/provider.ts'
import { messages } from './messages.ts'

export const llmA = (prices: ModelPrices) =>
  defineProvider({
    id: 'ns_llm_a',
    title: 'Anthropic',
    docs: 'https://docs.claude.com/en/api/messages',
    upstream: {
      baseUrl: 'https://api.anthropic.com',
      credential: {
        aliases: ['ANTHROPIC_API_KEY'],
        attach: (key) => ({ headers: { 'x-api-key': key } }),
      },
      headers: { 'anthropic-version': '2023-06-01' },
      // A long answer takes minutes.
      timeoutMs: 290_000,
      failure: ({ status }) => (status === 529 ? 'upstream_error' : undefined),
    },
    actions: [messages(prices)],
  })
