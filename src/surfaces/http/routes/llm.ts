// The chat surface, in the common chat-completions format.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import type { Chat } from '#features/models/llm/chat.ts'
import { describeEndpoints, type RouteMeasures } from '#features/models/llm/describe-endpoints.ts'
import { describeModels } from '#features/models/llm/describe-models.ts'
import type { Messages } from '#features/models/llm/hosted/messages.ts'
import { describePricing } from '#features/models/llm/pricing.ts'
import type { ModelCatalog, Models } from '#features/models/llm/routing/models.ts'
import { chatSurface } from '#features/models/llm/surface/chat/chat.ts'
import { chatErrorBody } from '#features/models/llm/surface/chat/error-body.ts'
import type { CountTokens } from '#features/models/llm/surface/messages/count-tokens.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'
import { anyObject, integerOrNull, list, object } from '../../doors/shapes.ts'
import { sendStored, storeAnswer } from '../../doors/stored-answer.ts'
import { addMessageRoutes } from './models/messages.ts'
import {
  addWalletHead,
  createModelAnswers,
  modelBytesMax,
  strangerBodyBytesMaxOf,
  type WalletMeters,
} from './models/model-answers.ts'

const config = { errorBody: chatErrorBody, takesZeros: true } as const

interface Dependencies {
  chat: Chat
  messages: Messages
  models: Models
  measures: RouteMeasures
  countTokens: CountTokens
  ownNamespace: string
  keyless: WalletMeters
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
  who: 'payer',
  summary: 'Ask a language model, in the common chat-completions format.',
  body: chat,
  once: true,
  answer: anyObject,
  errors: ['bad_request', 'insufficient_balance', 'payment_required', 'upstream_error'],
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
  summary: 'Read one model, or with /endpoints after its name the providers that serve it.',
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
  const { models, measures, ownNamespace } = dependencies
  addChatRoute(server, dependencies)
  addMessageRoutes(server, dependencies)

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
    const offer = models.current()
    const [, slug] = /^(.+)\/endpoints$/.exec(id) ?? []
    const model =
      slug === undefined
        ? rows(offer).find((row) => row.id === id)
        : describeEndpoints(offer, slug, measures)
    if (model === undefined)
      throw fail('not_found', { message: 'There is no such model on this gateway.' })
    return model
  }
  addRoute(server, readModel, read, { config })

  // Clients of this format read an unknown address in their own error form.
  server.all('/api/llm/v1/*', { config: { ...config, completes: true } }, () => {
    throw fail('not_found', {
      message:
        'There is nothing at this address. GET /openapi.json lists the addresses under /api/llm/v1.',
    })
  })
}

function addChatRoute(server: FastifyInstance, dependencies: Dependencies) {
  const answer = createModelAnswers(dependencies)
  addWalletHead(server, completeChat.path, { config, keyless: dependencies.keyless })
  addRoute(
    server,
    completeChat,
    ({ request }, reply) => answer({ request, reply, surface: chatSurface, mayKeep: true }),
    {
      bodyLimit: modelBytesMax,
      config: { ...config, strangerBodyBytesMax: strangerBodyBytesMaxOf(dependencies.keyless) },
    },
  )
}

function oncePerOffer<Value>(make: (offer: ModelCatalog) => Value): (offer: ModelCatalog) => Value {
  let known: { offer: ModelCatalog; value: Value } | undefined
  return (offer) => {
    if (known?.offer !== offer) known = { offer, value: make(offer) }
    return known.value
  }
}
