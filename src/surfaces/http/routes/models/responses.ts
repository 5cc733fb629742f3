// The Responses API.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { Responses } from '#features/models/llm/responses/responses.ts'
import type { Models } from '#features/models/llm/routing/models.ts'
import { chatErrorBody } from '#features/models/llm/surface/chat/error-body.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute } from '../../../doors/route.ts'
import { anyObject, integerOrNull, list, object, text, truth } from '../../../doors/shapes.ts'
import {
  addWalletHead,
  createModelAnswers,
  historyBytesMax,
  strangerBodyBytesMaxOf,
  type WalletMeters,
} from './model-answers.ts'

const config = { errorBody: chatErrorBody, takesZeros: true } as const
const itemsPerPageMax = 100
const itemsPerPageDefault = 20

const responseBody = {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string', description: 'A model of GET /api/llm/v1/models, or a tier.' },
    input: { description: 'A text, or a list of items.' },
    instructions: { type: ['string', 'null'] },
    tools: list(anyObject),
    max_output_tokens: integerOrNull,
    previous_response_id: { type: ['string', 'null'] },
    store: { type: ['boolean', 'null'], description: 'Keep it for 30 days. Default true.' },
    background: { type: ['boolean', 'null'] },
    stream: { type: ['boolean', 'null'] },
    max_cost_cents: { type: 'integer', description: 'The most that this call may cost.' },
  },
}
const include = z.union([z.string(), z.array(z.string())]).optional()
const itemsQuery = z.object({
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(itemsPerPageMax).default(itemsPerPageDefault),
  order: z.enum(['asc', 'desc']).default('desc'),
  include,
  'include[]': include,
})

export const createResponse = defineRoute({
  method: 'post',
  path: '/api/llm/v1/responses',
  who: 'payer',
  summary: 'Ask a language model, in the format of the Responses API.',
  body: responseBody,
  once: true,
  answer: anyObject,
  errors: [
    'bad_request',
    'not_found',
    'insufficient_balance',
    'payment_required',
    'upstream_error',
  ],
})
export const readResponse = defineRoute({
  method: 'get',
  path: '/api/llm/v1/responses/{id}',
  who: 'account',
  summary: 'Read a response that was kept, or is being made in the background.',
  query: z.object({ include, 'include[]': include, stream: z.enum(['true', 'false']).optional() }),
  answer: anyObject,
  errors: ['not_found'],
})
export const deleteResponse = defineRoute({
  method: 'delete',
  path: '/api/llm/v1/responses/{id}',
  who: 'account',
  summary: 'Delete a response that was kept.',
  answer: object({ id: text, object: { const: 'response' }, deleted: truth }),
  errors: ['not_found'],
})
export const cancelResponse = defineRoute({
  method: 'post',
  path: '/api/llm/v1/responses/{id}/cancel',
  who: 'account',
  summary: 'Cancel a response in the background.',
  answer: anyObject,
  errors: ['bad_request', 'not_found'],
})
export const listInputItems = defineRoute({
  method: 'get',
  path: '/api/llm/v1/responses/{id}/input_items',
  who: 'account',
  summary: 'List the items that a response answers.',
  query: itemsQuery,
  answer: object({
    object: { const: 'list' },
    data: list(anyObject),
    first_id: { type: ['string', 'null'] },
    last_id: { type: ['string', 'null'] },
    has_more: truth,
  }),
  errors: ['bad_request', 'not_found'],
})

export function addResponsesRoutes(
  server: FastifyInstance,
  {
    responses,
    ...dependencies
  }: {
    readonly responses: Responses
    readonly models: Models
    readonly keyless: WalletMeters
  },
) {
  const answer = createModelAnswers({ ...dependencies, chat: { run: responses.respond } })
  addWalletHead(server, createResponse.path, { config, keyless: dependencies.keyless })
  addRoute(server, createResponse, ({ request }, reply) => answer({ request, reply }), {
    bodyLimit: historyBytesMax,
    config: { ...config, strangerBodyBytesMax: strangerBodyBytesMaxOf(dependencies.keyless) },
  })
  addRoute(
    server,
    readResponse,
    async ({ caller, params: { id }, query }) => {
      if (query.stream === 'true')
        throw fail('bad_request', {
          message:
            'A response is read as a whole here. Leave stream out, and ask again while its status is queued or in_progress.',
        })
      return await responses.read(caller, id, includeOf(query))
    },
    { config },
  )
  addRoute(
    server,
    deleteResponse,
    async ({ caller, params: { id } }) => {
      await responses.remove(caller, id)
      return { id, object: 'response', deleted: true }
    },
    { config },
  )
  addRoute(
    server,
    cancelResponse,
    async ({ caller, params: { id } }) => await responses.cancel(caller, id),
    { config },
  )
  addRoute(
    server,
    listInputItems,
    async ({ caller, params: { id }, query }) =>
      pageOfItems(await responses.readItems(caller, id), query),
    { config },
  )
}

/** Clients write a list as `include[]=a&include[]=b` or as `include=a&include=b`. */
function includeOf(query: z.output<typeof readResponse.query>): ReadonlySet<string> {
  const given = [query.include ?? [], query['include[]'] ?? []].flat()
  return new Set(given)
}

function pageOfItems(
  items: readonly { readonly id?: string }[],
  { after, limit, order }: z.output<typeof itemsQuery>,
) {
  const ordered = order === 'asc' ? items : items.toReversed()
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0)
    throw fail('bad_request', {
      message: 'after must be the id of an item of this response.',
      data: { param: 'after' },
    })
  const data = ordered.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  }
}
