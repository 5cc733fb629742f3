// The routes that may answer a request, their order, and the highest cost.
import { type CallError, fail } from '#core/errors.ts'
import { worstPrice } from '#core/model-price.ts'
import type { Micros } from '#core/money.ts'
import { roomOf, thinks } from '#core/pricing/thinking.ts'
import type { ChatRequest } from '../request/request.ts'
import { boundTokens } from '../request/tokens.ts'
import type { ModelCatalog, Models, Route } from './models.ts'
import { boundsThoughts } from './upstreams.ts'

/** Most tokens that templates, roles, tool instructions and pictures add to a prompt. */
const overheadTokens = { call: 64, message: 8, tools: 700, picture: 3_000 } as const

export interface ChatPlan {
  readonly offer: ModelCatalog
  readonly tier: boolean
  readonly routes: readonly Route[]
  readonly worstMicros: Micros
}

/** Throws `not_found` for a model that is not sold, `provider_not_configured` for one without an upstream. */
export function planChat(
  { models, ownNamespace }: { models: Models; ownNamespace: string },
  chat: ChatRequest,
): ChatPlan {
  const offer = models.current()
  const [namespace, name = ''] = chat.model.split('/', 2)
  const tier =
    namespace === ownNamespace && name in offer.tiers && chat.model === `${namespace}/${name}`
  const slugs = tier ? offer.tiers[name as keyof ModelCatalog['tiers']] : [chat.model]
  if (!tier && !offer.prices.has(chat.model)) {
    throw fail('not_found', {
      message: `There is no model "${chat.model.slice(0, 100)}" here. GET /api/llm/v1/models lists the models.`,
      data: { param: 'model' },
    })
  }
  const all = slugs.flatMap((slug) => offer.routes(slug))
  const routes = all.filter(({ upstream }) => upstream.wire.cannot(chat) === undefined)
  if (routes.length === 0) throw unanswered(chat, all)
  const worstOf = (route: Route) => worstOfRoute(chat, route, chat.promptBytes)
  return { offer, tier, routes, worstMicros: Math.max(...routes.map(worstOf)) }
}

/**
 * The plan, then cheaper ones in case it is refused: first the same models with their tokens counted, then without the
 * most expensive models of a tier, one after the other.
 */
export async function* plansFor(plan: ChatPlan, chat: ChatRequest): AsyncGenerator<ChatPlan> {
  yield plan
  const bound = await boundTokens(chat.json)
  const priced = plan.routes.map((route) => ({
    route,
    micros: worstOfRoute(chat, route, Math.min(chat.promptBytes, bound(route.slug))),
  }))
  let [before, left] = [plan.worstMicros, priced]
  while (left.length > 0) {
    const worstMicros = Math.max(...left.map(({ micros }) => micros))
    if (worstMicros < before) yield { ...plan, routes: left.map(({ route }) => route), worstMicros }
    before = Math.min(before, worstMicros)
    left = left.filter(({ micros }) => micros < worstMicros)
  }
}

function worstOfRoute(
  chat: ChatRequest,
  { price, ...route }: Route,
  textTokensMax: number,
): Micros {
  return worstPrice(price, {
    promptTokensMax: promptTokensMax(chat, textTokensMax, price.image_tokens),
    completionTokensMax: outputTokensMax(chat, { price, ...route }),
  })
}

/**
 * The most tokens that the answer can have. Thoughts may come on top of the caller's limit, up to the room of the
 * model.
 */
export function outputTokensMax(
  { n, maxTokens, fields }: ChatRequest,
  { slug, price, upstream }: Route,
): number {
  const mayExceed = !boundsThoughts(upstream) && thinks(slug, fields, price.thinks)
  return n * (mayExceed ? Math.max(maxTokens, roomOf(price)) : maxTokens)
}

function unanswered(chat: ChatRequest, [first]: readonly Route[]): CallError {
  const why = first?.upstream.wire.cannot(chat)
  if (why !== undefined) return fail('bad_request', { message: `${chat.model} ${why}.` })
  return fail('provider_not_configured', {
    message: `No provider on this gateway serves ${chat.model}. GET /api/llm/v1/models lists the models that are served. Nothing was charged.`,
  })
}

function promptTokensMax(
  { messageCount, hasTools, pictures }: ChatRequest,
  textTokensMax: number,
  pictureTokens: number = overheadTokens.picture,
): number {
  return (
    textTokensMax +
    overheadTokens.call +
    overheadTokens.message * messageCount +
    (hasTools ? overheadTokens.tools : 0) +
    pictureTokens * pictures
  )
}
