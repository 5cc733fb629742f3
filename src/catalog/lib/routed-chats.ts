// Runs the direct model actions without their vendors' keys: the gateway's own router asks any upstream that has the
// model.
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { type ModelPrices, requirePrice } from '#core/model-price.ts'
import type { ModelOffer, ModelRouter } from '#core/model-router.ts'
import { findClaude } from '../ns_llm_a/lib/find-claude.ts'
import type { MessagesInput } from '../ns_llm_a/lib/messages-input.ts'
import { type ChatInput, chatCallOf } from './chat-fields.ts'
import { fitMaxTokens } from './model-call.ts'
import { asMessage, describeUsage } from './routed-answer.ts'

/** The stand-ins that some upstream can serve. */
export function createRoutedChats(router: ModelRouter, prices: ModelPrices): StandIns {
  const answered = () => router.offers().map(({ model }) => model)
  const ways: readonly (readonly [id: string, prefix: string, standIn: StandIn])[] = [
    [
      'ns_llm_a/messages',
      'anthropic/',
      {
        check: ({ model }: MessagesInput) => requireServed(findClaude(prices, model)),
        run: (context: RunContext<MessagesInput>) => askForMessage(context),
      },
    ],
    ['ns_llm_b/chat', 'openai/', chatOf((model) => `openai/${model}`)],
    ['ns_router/chat', '', chatOf((model) => model)],
  ]
  return new Map(
    ways
      .filter(([, prefix]) => answered().some((model) => model.startsWith(prefix)))
      .map(([id, , standIn]) => [id, standIn]),
  )

  function requireServed({ model }: Pick<ModelOffer, 'model'>) {
    if (answered().includes(model)) return
    throw fail('provider_not_configured', {
      message: `No upstream of this gateway serves ${model}. GET /api/llm/v1/models lists the models that are served. Nothing was charged.`,
    })
  }

  function chatOf(slugOf: (model: string) => string): StandIn {
    return {
      check: ({ model }: ChatInput) => requireServed({ model: slugOf(model) }),
      async run({ input, ...context }: RunContext<ChatInput>) {
        const model = slugOf(input.model)
        const max_tokens = fitMaxTokens(requirePrice(prices, model), chatCallOf(input))
        const answer = await router.complete({ ...input, model, max_tokens }, context)
        return {
          ...answer.completion,
          model: input.model,
          provider: answer.upstream,
          usage: describeUsage(answer),
        }
      },
    }
  }

  async function askForMessage({ input, ...context }: RunContext<MessagesInput>) {
    const { model: asked, messages, system, stop_sequences: stop, ...rest } = input
    const { model } = findClaude(prices, asked)
    const above = system === undefined ? [] : [{ role: 'system', content: system }]
    const chat = { ...rest, model, messages: [...above, ...messages], ...(stop && { stop }) }
    const answer = await router.complete(chat, context)
    return asMessage(answer, asked)
  }
}
