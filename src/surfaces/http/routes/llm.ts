// The chat surface, in the common chat-completions format.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type CallError, fail } from '#core/errors.ts'
import type { Chat } from '#features/models/llm/chat.ts'
import { chatErrorBody } from '#features/models/llm/chat-error.ts'
import type { EventSink } from '#features/models/llm/exchange/relay.ts'
import { describeModels, describePricing } from '#features/models/llm/pricing.ts'
import type { ModelCatalog, Models } from '#features/models/llm/routing/models.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { openEventStream } from '../../doors/event-stream.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { defineRoute } from '../../doors/route.ts'
import { anyObject, integerOrNull, list, object } from '../../doors/shapes.ts'
import { sendStored, storeAnswer } from '../../doors/stored-answer.ts'

/** Messages may hold pictures. */
const chatBytesMax = 10_000_000
const config = { errorBody: chatErrorBody, takesZeros: true } as const

interface Dependencies {
  chat: Chat
  models: Models
  ownNamespace: string
}

const chat = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    model: { type: 'string', description: 'A model of GET /api/llm/v1/models, or a tier.' },
    messages: list(anyObject),
    max_tokens: integerOrNull,
    stream: { type: 'boolean' },
    max_cost_cents: { type: 'integer', description: 'The most that this call may cost.' },
  },
}

export const completeChat = defineRoute({
  method: 'post',
  path: '/api/llm/v1/chat/completions',
  who: 'account',
  summary: 'Ask a language model, in the common chat-completions format.',
  body: chat,
  once: true,
  answer: anyObject,
  errors: ['bad_request', 'insufficient_balance', 'upstream_error'],
})
export const listModels = defineRoute({
  method: 'get',
  path: '/api/llm/v1/models',
  summary: 'List the models.',
  answer: object({ object: { const: 'list' }, data: list(anyObject) }),
})
export const readModel = defineRoute({
  method: 'get',
  path: '/api/llm/v1/models/{path}',
  summary: 'Read one model.',
  answer: anyObject,
  errors: ['not_found'],
})
export const readPricing = defineRoute({
  method: 'get',
  path: '/api/llm/v1/pricing',
  summary: 'Tiers and prices per million tokens.',
  answer: anyObject,
})

export function addLlmRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { models, ownNamespace } = dependencies
  addChatRoute(server, dependencies)

  const pricing = oncePerOffer((offer) => storeAnswer(describePricing(offer, ownNamespace)))
  addRoute(
    server,
    readPricing,
    ({ request }, reply) => sendStored(request, reply, pricing(models.current())),
    { config },
  )

  const rows = oncePerOffer((offer) => describeModels(offer, ownNamespace))
  const listed = oncePerOffer((offer) => storeAnswer({ object: 'list', data: rows(offer) }))
  addRoute(
    server,
    listModels,
    ({ request }, reply) => sendStored(request, reply, listed(models.current())),
    { config },
  )
  const read: Handler<typeof readModel> = ({ params: { path: id } }) => {
    const model = rows(models.current()).find((row) => row.id === id)
    if (model === undefined)
      throw fail('not_found', { message: 'There is no such model on this gateway.' })
    return model
  }
  addRoute(server, readModel, read, { config })

  // Clients of this format read an unknown address in their own error form.
  server.all('/api/llm/v1/*', { config: { ...config, completes: true } }, () => {
    throw fail('not_found', {
      message:
        'There is nothing at this address. Use POST /api/llm/v1/chat/completions, GET /api/llm/v1/models or GET /api/llm/v1/pricing.',
    })
  })
}

function addChatRoute(server: FastifyInstance, { chat, models }: Dependencies) {
  addRoute(
    server,
    completeChat,
    async ({ request, caller }, reply) => {
      request.isPaid = true
      const idempotencyKey = readIdempotencyKey(idempotencyKeyOf(request))
      const left = new AbortController()
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) left.abort()
      })
      const answered = await chat
        .run({
          body: request.body,
          caller,
          idempotencyKey,
          gone: left.signal,
          openStream: (headers, trailers) =>
            openStream(reply, {
              headers:
                trailers.length === 0 ? headers : { ...headers, trailer: trailers.join(', ') },
              readerMs: models.current().timeouts.reader_ms,
            }),
        })
        .catch((error: CallError) => {
          // Without this header some clients wait until midnight to retry.
          if (isCapSpent(error)) reply.header('x-should-retry', 'false')
          throw error
        })
      if (answered.kind === 'json') {
        return reply
          .headers({ ...answered.headers, 'content-type': 'application/json; charset=utf-8' })
          .send(answered.body)
      }
      if (answered.kind === 'streamed') reply.raw.end(answered.tail, 'latin1')
      else {
        reply.hijack()
        reply.raw.destroy()
      }
      return reply
    },
    { bodyLimit: chatBytesMax, config },
  )
}

function openStream(
  reply: FastifyReply,
  { headers, readerMs }: { headers: Record<string, string>; readerMs: number },
): EventSink {
  const raw = openEventStream(reply, { headers, readerMs })
  return {
    write: (events) => raw.write(events, 'latin1'),
    onDrain: (resume) => raw.on('drain', resume),
    trailers: (sent) => raw.addTrailers(sent),
  }
}

function isCapSpent({ data }: CallError): boolean {
  const reason = (data as { reason?: string } | undefined)?.reason
  return reason === 'inference_cap' || reason === 'uncharged_cap'
}

function oncePerOffer<Value>(make: (offer: ModelCatalog) => Value): (offer: ModelCatalog) => Value {
  let known: { offer: ModelCatalog; value: Value } | undefined
  return (offer) => {
    if (known?.offer !== offer) known = { offer, value: make(offer) }
    return known.value
  }
}
