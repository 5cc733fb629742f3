import type { ModelPrices } from '#core/model-price.ts'
import { defineProvider } from '#core/provider.ts'
import { chat } from './chat.ts'

export const modelRouter = (prices: ModelPrices) =>
  defineProvider({
    id: 'ns_router',
    title: 'OpenRouter',
    docs: 'https://openrouter.ai/docs/api-reference/chat-completion',
    upstream: {
      baseUrl: 'https://openrouter.ai/api/v1',
      credential: {
        aliases: ['OPENROUTER_API_KEY'],
        attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
      },
      // A long answer takes minutes.
      timeoutMs: 290_000,
      // It reports a model's failure in an answer of status 200.
      failure: ({ status, body }) => {
        const code = Number((body as { error?: { code?: unknown } } | null)?.error?.code)
        return status === 200 && code >= 400 ? code : undefined
      },
    },
    actions: [chat(prices)],
  })
