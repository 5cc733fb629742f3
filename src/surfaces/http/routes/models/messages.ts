// The messages surface, in the format of Anthropic's Messages API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Messages } from '#features/models/llm/hosted/messages.ts'
import type { Models } from '#features/models/llm/routing/models.ts'
import type { CountTokens } from '#features/models/llm/surface/messages/count-tokens.ts'
import { messagesErrorBody } from '#features/models/llm/surface/messages/error-body.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute } from '../../../doors/route.ts'
import { anyObject, integer, list, object, text, truth } from '../../../doors/shapes.ts'
import {
  addWalletHead,
  createModelAnswers,
  historyBytesMax,
  strangerBodyBytesMaxOf,
  type WalletMeters,
} from './model-answers.ts'

const asked = {
  model: { type: 'string', description: 'A model of GET /api/llm/v1/models, or a tier.' },
  messages: list(anyObject),
  system: { description: 'Instructions: a text, or a list of text blocks.' },
  tools: list(anyObject),
}
const ask = {
  type: 'object',
  required: ['model', 'max_tokens', 'messages'],
  properties: {
    ...asked,
    max_tokens: { type: 'integer', minimum: 1 },
    stream: { type: 'boolean' },
    max_cost_cents: { type: 'integer', description: 'The most that this call may cost.' },
  },
}

export const createMessage = defineRoute({
  method: 'post',
  path: '/api/llm/v1/messages',
  who: 'payer',
  summary: 'Ask a language model, in the format of Anthropic’s Messages API.',
  body: ask,
  once: true,
  answer: anyObject,
  errors: ['bad_request', 'insufficient_balance', 'payment_required', 'upstream_error'],
})
export const countMessageTokens = defineRoute({
  method: 'post',
  path: '/api/llm/v1/messages/count_tokens',
  who: 'account',
  summary: 'Count the tokens of a message before it is sent. Free.',
  body: { type: 'object', required: ['model', 'messages'], properties: asked },
  answer: object({ input_tokens: integer, estimated: truth, model: text }),
  errors: ['bad_request', 'forbidden', 'not_found'],
})

const config = { errorBody: messagesErrorBody, takesZeros: true, keyHeader: 'x-api-key' } as const

export function addMessageRoutes(
  server: FastifyInstance,
  {
    countTokens,
    messages,
    ...dependencies
  }: { messages: Messages; models: Models; countTokens: CountTokens; keyless: WalletMeters },
) {
  const answer = createModelAnswers({ ...dependencies, chat: messages })
  addWalletHead(server, createMessage.path, { config, keyless: dependencies.keyless })
  const options = { bodyLimit: historyBytesMax, config }
  addRoute(
    server,
    createMessage,
    ({ request }, reply) => {
      nameRequest(request, reply)
      return answer({ request, reply })
    },
    {
      ...options,
      config: { ...config, strangerBodyBytesMax: strangerBodyBytesMaxOf(dependencies.keyless) },
    },
  )
  addRoute(
    server,
    countMessageTokens,
    async ({ request }, reply) => {
      nameRequest(request, reply)
      const { body, caller } = request
      const describeHosted = await messages.describeFor(caller, body)
      return await countTokens(body, { models: caller?.models, describeHosted })
    },
    options,
  )
}

/** Clients of this format read the id of the request in this header. */
function nameRequest({ id }: FastifyRequest, reply: FastifyReply) {
  reply.header('request-id', id)
}
