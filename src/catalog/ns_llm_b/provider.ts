import { membersOf } from '#core/input/members.ts'
import type { ModelPrices } from '#core/model-price.ts'
import { defineProvider } from '#core/provider.ts'
import { chat } from './chat.ts'
import { embeddings } from './embeddings.ts'
import { imageGenerate } from './image-generate.ts'

export const llmB = (prices: ModelPrices) =>
  defineProvider({
    id: 'ns_llm_b',
    title: 'OpenAI',
    docs: 'https://platform.openai.com/docs/api-reference',
    upstream: {
      baseUrl: 'https://api.openai.com/v1',
      credential: {
        aliases: ['OPENAI_API_KEY'],
        attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
      },
      // A long answer takes minutes, and pictures are large.
      timeoutMs: 290_000,
      responseBytesMax: 19_000_000,
      failure: ({ status, body }) => {
        const { code } = membersOf(membersOf(body).error)
        return status === 400 && /moderation_blocked|content_policy/.test(String(code))
          ? 'content_policy_violation'
          : undefined
      },
    },
    actions: [chat(prices), embeddings(prices), imageGenerate(prices)],
  })
