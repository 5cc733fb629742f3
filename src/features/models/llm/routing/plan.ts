// The routes that may answer a request, their order, and the highest cost.
import { type CallError, fail } from '#core/errors.ts'
import { worstPrice } from '#core/model-price.ts'
import type { Micros } from '#core/money.ts'
import { matchesModel, modelForbidden } from '#core/pricing/model-pattern.ts'
import { roomOf, thinks } from '#core/pricing/thinking.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import { arrange, type Measure } from './arrange.ts'
import type { ModelCatalog, Models, Route } from './models.ts'
import type { RouteSpeed } from './route-speed.ts'
import { boundTokens } from './tokens.ts'
import { boundsThoughts } from './upstreams.ts'

/** Most tokens that templates, roles, tool instructions and pictures add to a prompt. */
const overheadTokens = { call: 64, message: 8, tools: 700, picture: 3_000 } as const

export interface ChatPlan {
  readonly offer: ModelCatalog
  /** Several models may answer. */
  readonly tier: boolean
  readonly routes: readonly Route[]
  readonly worstMicros: Micros
}

interface Dependencies {
  readonly models: Models
  readonly speed: Pick<RouteSpeed, 'of'>
  readonly ownNamespace: string
}

/**
 * Throws `not_found` for a model that is not sold, or that no provider serves as the caller wants it;
 * `provider_not_configured` for one without an upstream; `forbidden` for one that is not among `models`, the patterns
 * of a key.
 */
export function planChat(
  dependencies: Dependencies,
  chat: ModelRequest,
  models?: readonly string[],
): ChatPlan {
  const offer = dependencies.models.current()
  const { preferences } = chat
  const names = new Set([chat.model, ...(preferences?.models ?? [])])
  const groups = [...names]
    .map((name) => membersOf(name, offer, dependencies.ownNamespace))
    .map((group) => (models === undefined ? group : allowedOf(group, models)))
  const all = groups.map(({ slugs }) => slugs.flatMap((slug) => offer.routes(slug)))
  const able = all.map((routes) =>
    routes.filter(({ upstream }) => upstream.wire.cannot(chat) === undefined),
  )
  if (able.flat().length === 0) throw unanswered(chat, all.flat())
  const routes =
    preferences === undefined
      ? able.flat()
      : arrange(able, preferences, measureFor(dependencies, chat), chat.promptBytes)
  if (routes.length === 0) throw unwanted(chat, able.flat())
  const tier = groups.length > 1 || groups.some((group) => group.tier)
  return { offer, tier, routes: unique(routes), worstMicros: worstOf({ routes }, chat, 0) }
}

interface Group {
  readonly name: string
  readonly tier: boolean
  readonly slugs: readonly string[]
}

/** A key that may use a tier may use its models in it. */
function allowedOf(group: Group, models: readonly string[]): Group {
  const allows = (name: string) => models.some((pattern) => matchesModel(pattern, name))
  if (allows(group.name)) return group
  const slugs = group.slugs.filter(allows)
  if (slugs.length > 0) return { ...group, slugs }
  throw modelForbidden(models, group.name)
}

/** A tier is a list of models. */
function membersOf(name: string, offer: ModelCatalog, ownNamespace: string): Group {
  const tierName = name.startsWith(`${ownNamespace}/`) ? name.slice(ownNamespace.length + 1) : ''
  if (Object.hasOwn(offer.tiers, tierName))
    return { name, tier: true, slugs: offer.tiers[tierName as keyof ModelCatalog['tiers']] }
  const price = offer.prices.get(name)
  if (price?.surface !== undefined)
    throw fail('not_found', {
      message: `${name} does not answer conversations: it is a model for ${price.surface}. GET /api/llm/v1/models lists the models with what they are for.`,
      data: { param: 'model' },
    })
  if (price !== undefined) return { name, tier: false, slugs: [name] }
  throw fail('not_found', {
    message: `There is no model "${name.slice(0, 100)}" here. GET /api/llm/v1/models lists the models.`,
    data: { param: 'model' },
  })
}

/** A model that is named twice, by itself and by its tier, is asked once. */
const unique = (routes: readonly Route[]) => [...new Set(routes)]

/** Lower is better. */
function measureFor({ speed }: Dependencies, chat: ModelRequest): Measure {
  return (route, sort) => {
    if (sort === 'price') return worstOfRoute(chat, route, chat.promptBytes)
    const measured = speed.of(route)
    if (sort === 'latency') return measured?.latencyMs?.p50
    const throughput = measured?.tokensPerSecond?.p50
    return throughput === undefined ? undefined : -throughput
  }
}

/**
 * The plan, then cheaper ones in case it is refused: first the same models with their tokens counted, then without the
 * most expensive models of a tier, one after the other.
 */
export async function* plansFor(plan: ChatPlan, chat: ModelRequest): AsyncGenerator<ChatPlan> {
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

/** The highest cost of the plan, if its prompt had so many bytes more. */
export const worstOf = (
  { routes }: Pick<ChatPlan, 'routes'>,
  chat: ModelRequest,
  moreBytes: number,
): Micros =>
  Math.max(...routes.map((route) => worstOfRoute(chat, route, chat.promptBytes + moreBytes)))

function worstOfRoute(
  chat: ModelRequest,
  { price, ...route }: Route,
  textTokensMax: number,
): Micros {
  return worstPrice(price, {
    cachesForHour: chat.cachesForHour === true,
    promptTokensMax: promptTokensMax(chat, textTokensMax, price.image_tokens),
    completionTokensMax: outputTokensMax(chat, { price, ...route }),
  })
}

/**
 * The most tokens that the answer can have. Thoughts may come on top of the caller's limit, up to the room of the
 * model.
 */
export function outputTokensMax(chat: ModelRequest, { slug, price, upstream }: Route): number {
  const most = answerTokensMax(chat, { price })
  const mayExceed = !boundsThoughts(upstream) && thinks(slug, chat.fields, price.thinks)
  return chat.n * (mayExceed ? Math.max(most, roomOf(price)) : most)
}

/**
 * The limit of tokens that a model is sent. Clients of other formats than the common one send the same high limit to
 * all models, and a model refuses one above its own.
 */
export function answerTokensMax(
  { maxTokens, extended }: Pick<ModelRequest, 'maxTokens' | 'extended'>,
  { price }: Pick<Route, 'price'>,
): number {
  return extended ? Math.min(maxTokens, price.output ?? maxTokens) : maxTokens
}

/** Providers serve the model, but none as the caller wants it. */
function unwanted({ model }: ModelRequest, routes: readonly Route[]): CallError {
  const names = [...new Set(routes.map(({ upstream }) => upstream.name))]
  return fail('not_found', {
    message: `No provider of ${model.slice(0, 100)} matches what you want in provider. It is served by ${names.join(', ')}. GET /api/llm/v1/models/{model}/endpoints shows their prices, parameters and retention. Nothing was charged.`,
    data: { param: 'provider' },
  })
}

function unanswered(chat: ModelRequest, [first]: readonly Route[]): CallError {
  const why = first?.upstream.wire.cannot(chat)
  if (why !== undefined) return fail('bad_request', { message: `${chat.model} ${why}.` })
  return fail('provider_not_configured', {
    message: `No provider on this gateway serves ${chat.model}. GET /api/llm/v1/models lists the models that are served. Nothing was charged.`,
  })
}

function promptTokensMax(
  { messageCount, hasTools, pictures, attachmentTokens = 0 }: ModelRequest,
  textTokensMax: number,
  pictureTokens: number = overheadTokens.picture,
): number {
  return (
    textTokensMax +
    overheadTokens.call +
    overheadTokens.message * messageCount +
    (hasTools ? overheadTokens.tools : 0) +
    pictureTokens * pictures +
    attachmentTokens
  )
}
