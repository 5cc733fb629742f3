// The surfaces that lines of a batch may name, and the prices that the lines have.
import { fail } from '#core/errors.ts'
import type { Chat } from '../llm/chat.ts'
import { invalid, isObject } from '../llm/conversation/fields.ts'
import type { ModelCatalog, Models, Route } from '../llm/routing/models.ts'
import type { ModelTimeouts } from '../llm/routing/settings.ts'
import { chatSurface } from '../llm/surface/chat/chat.ts'
import { definedOnly } from '../surfaces/fields.ts'
import type { SurfaceReply } from '../surfaces/request.ts'
import type { ModelSurfaces } from '../surfaces/surfaces.ts'
import type { LineAnswer, RunLine } from './run-batch.ts'

export function createEndpoints({
  chat,
  surfaces,
}: {
  readonly chat: Chat
  readonly surfaces: ModelSurfaces
}): ReadonlyMap<string, RunLine> {
  return new Map<string, RunLine>([
    ['/chat/completions', runChat(chat)],
    ['/embeddings', async (body, call) => answerOf(await surfaces.embeddings(body, call))],
    ['/moderations', async (body, call) => answerOf(await surfaces.moderations(body, call))],
    ['/rerank', async (body, call) => answerOf(await surfaces.rerank(body, call))],
    ['/images/generations', runImages(surfaces.images)],
    ['/images/edits', runImages(surfaces.imageEdits)],
  ])
}

const runChat =
  (chat: Chat): RunLine =>
  async (body, call) => {
    refuseStream(body)
    return answerOf(
      await chat.run({ ...call, body, surface: chatSurface, openStream: neverStreams }),
    )
  }

const runImages =
  (run: ModelSurfaces['images']): RunLine =>
  async (body, call) => {
    refuseStream(body)
    return answerOf(await run(body, call))
  }

function refuseStream(body: unknown): void {
  if (isObject(body) && body.stream === true)
    throw invalid('stream', 'A line of a batch is not streamed. Leave out stream.')
}

const neverStreams = (): never => {
  throw new Error('A line of a batch was streamed.')
}

type WholeReply = {
  readonly kind: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** A line is only left when the gateway stops, and is asked again then. */
function answerOf(reply: WholeReply | SurfaceReply): LineAnswer {
  const { body, headers } = reply as WholeReply
  if (body === undefined) throw fail('unavailable')
  return { callId: headers?.['x-transaction-id'] ?? '', body: body.toString() }
}

/** How long an upstream may take that answers when it has room. Source: OpenAI's guide to flex processing. */
const patienceMs = 15 * 60_000

/**
 * The same models, at the prices of batches where their upstreams have such prices. Such a model is not asked elsewhere
 * at its full price: a line can wait.
 */
export function atBatchPrices(models: Models): Models {
  let known: { readonly offer: ModelCatalog; readonly cheaper: ModelCatalog } | undefined
  return {
    ...models,
    current() {
      const offer = models.current()
      if (known?.offer !== offer) known = { offer, cheaper: cheaperOffer(offer) }
      return known.cheaper
    },
  }
}

function cheaperOffer(offer: ModelCatalog): ModelCatalog {
  // A model that is named twice has the same route twice, and is asked once.
  const known = new Map<Route, Route | undefined>()
  const cheaperOf = (route: Route) => {
    if (!known.has(route)) known.set(route, atBatchPrice(route))
    return known.get(route)
  }
  return {
    ...offer,
    timeouts: { ...offer.timeouts, ...patient(offer.timeouts) },
    timeoutsByModel: Object.fromEntries(
      Object.entries(offer.timeoutsByModel).map(([slug, own]) => [
        slug,
        { ...own, ...patient({ ...offer.timeouts, ...definedOnly(own) }) },
      ]),
    ),
    routes(slug, surface) {
      const routes = offer.routes(slug, surface)
      const cheaper = routes.flatMap((route) => cheaperOf(route) ?? [])
      return cheaper.length > 0 ? cheaper : routes
    },
  }
}

const patient = ({ answer_ms, answer_last_ms, total_ms }: ModelTimeouts) => ({
  answer_ms: Math.max(answer_ms, patienceMs),
  answer_last_ms: Math.max(answer_last_ms, patienceMs),
  total_ms: Math.max(total_ms, patienceMs),
})

/** Only for chats: what asks the upstream for the price is not sent on other surfaces. */
function atBatchPrice(route: Route): Route | undefined {
  const { price, upstream } = route
  const { batchFields, extraFields } = upstream
  if (price.surface !== undefined || price.batch === undefined || batchFields === undefined)
    return undefined
  const { prompt, cache_read = price.cache_read } = price.batch
  return {
    ...route,
    // What a cache has read never costs more than what it has not.
    price: { ...price, ...price.batch, cache_read: cache_read && Math.min(cache_read, prompt) },
    upstream: { ...upstream, extraFields: { ...extraFields, ...batchFields } },
  }
}
