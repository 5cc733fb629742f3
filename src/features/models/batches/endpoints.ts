// The surfaces that lines of a batch may name, and the prices that the lines have.
import { fail } from '#core/errors.ts'
import type { Chat } from '../llm/chat.ts'
import { invalid, isObject } from '../llm/conversation/fields.ts'
import type { ModelCatalog, Models, Route } from '../llm/routing/models.ts'
import { chatSurface } from '../llm/surface/chat/chat.ts'
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

/** The same models, at the prices of batches where their upstreams have such prices. */
export function atBatchPrices(models: Models): Models {
  let known: { readonly offer: ModelCatalog; readonly cheaper: ModelCatalog } | undefined
  return {
    ...models,
    current() {
      const offer = models.current()
      if (known?.offer !== offer) {
        // A model that is named twice has the same route twice, and is asked once.
        const cheaperRoutes = new Map<Route, Route>()
        const cheaperOf = (route: Route) => {
          const cheaper = cheaperRoutes.get(route) ?? atBatchPrice(route)
          cheaperRoutes.set(route, cheaper)
          return cheaper
        }
        const routes: ModelCatalog['routes'] = (slug, surface) =>
          offer.routes(slug, surface).map(cheaperOf)
        known = { offer, cheaper: { ...offer, routes } }
      }
      return known.cheaper
    },
  }
}

function atBatchPrice(route: Route): Route {
  const { price, upstream } = route
  const { batchFields, extraFields } = upstream
  if (price.batch === undefined || batchFields === undefined) return route
  return {
    ...route,
    price: { ...price, ...price.batch },
    upstream: { ...upstream, extraFields: { ...extraFields, ...batchFields } },
  }
}
