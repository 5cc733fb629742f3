import { z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import type { ModelPrices } from '#core/model-price.ts'
import { defineProvider } from '#core/provider.ts'
import { chat } from './chat.ts'

const keyReply = z.looseObject({
  data: z.looseObject({ limit: z.number().nullable(), limit_remaining: z.number().nullable() }),
})

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
      // What this key may still spend. What is left on the account is told only to a key that manages it.
      async quota(http) {
        const { limit, limit_remaining: remaining } = keyReply.parse(await http.get('/key')).data
        return { remaining, limit, unit: 'USD' }
      },
      // It reports a model's failure in an answer of status 200.
      failure: ({ status, body }) => {
        const code = Number(membersOf(membersOf(body).error).code)
        return status === 200 && code >= 400 ? code : undefined
      },
    },
    actions: [chat(prices)],
  })
