// Which model may answer a request, in which order, and the most that it can cost.
import { type CallError, fail } from '#core/errors.ts'
import { worstPrice } from '#core/model-price.ts'
import type { Micros } from '#core/money.ts'
import type { Models, Offer, Route } from './models.ts'
import type { ChatRequest } from './request.ts'

/** What templates, roles, tool instructions and pictures add to a prompt, in tokens, at the most. */
const overheadTokens = { call: 64, message: 8, tools: 700, picture: 3_000 } as const

export interface Plan {
  readonly offer: Offer
  readonly tier: boolean
  readonly routes: readonly Route[]
  readonly worstMicros: Micros
}

/** Throws `not_found` for a model that is not sold, `provider_not_configured` for one that nobody answers here. */
export function planChat(
  { models, ownNamespace }: { models: Models; ownNamespace: string },
  chat: ChatRequest,
): Plan {
  const offer = models.current()
  const [namespace, name = ''] = chat.model.split('/', 2)
  const tier =
    namespace === ownNamespace && name in offer.tiers && chat.model === `${namespace}/${name}`
  const slugs = tier ? offer.tiers[name as keyof Offer['tiers']] : [chat.model]
  if (!tier && !offer.prices.has(chat.model)) {
    throw fail('not_found', {
      message: `There is no model "${chat.model.slice(0, 100)}" here. GET /api/llm/v1/models lists those that there are.`,
      data: { param: 'model' },
    })
  }
  const all = slugs.flatMap((slug) => offer.routes(slug))
  const routes = all.filter(({ upstream }) => upstream.wire.cannot(chat) === undefined)
  if (routes.length === 0) throw unanswered(chat, all)
  const worst = routes.map(({ price }) =>
    worstPrice(price, {
      promptTokensMax: promptTokensMax(chat, price.image_tokens),
      completionTokensMax: chat.n * chat.maxTokens,
    }),
  )
  return { offer, tier, routes, worstMicros: Math.max(...worst) }
}

function unanswered(chat: ChatRequest, [first]: readonly Route[]): CallError {
  const why = first?.upstream.wire.cannot(chat)
  if (why !== undefined) return fail('bad_request', { message: `${chat.model} ${why}.` })
  return fail('provider_not_configured', {
    message: `No provider on this gateway answers ${chat.model}. GET /api/llm/v1/models lists the models that are answered. Nothing was charged.`,
  })
}

function promptTokensMax(
  { promptBytes, messageCount, hasTools, pictures }: ChatRequest,
  pictureTokens: number = overheadTokens.picture,
): number {
  return (
    promptBytes +
    overheadTokens.call +
    overheadTokens.message * messageCount +
    (hasTools ? overheadTokens.tools : 0) +
    pictureTokens * pictures
  )
}
