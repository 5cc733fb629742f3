// Batches, in the form of the common API.
import type { FastifyInstance } from 'fastify'
import type { BatchRow } from '#features/models/batches/batch-rows.ts'
import type { Batches } from '#features/models/batches/batches.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { idempotencyKeyOf } from '../../../doors/input.ts'
import { defineRoute } from '../../../doors/route.ts'
import {
  anyObject,
  integer,
  integerOrNull,
  list,
  object,
  text,
  textOrNull,
  truth,
} from '../../../doors/shapes.ts'
import { surfaceConfig } from './answering.ts'
import { listQuery, readPage } from './pages.ts'

const idPrefix = 'batch_'

const batch = object({
  id: text,
  object: { const: 'batch' },
  endpoint: text,
  status: text,
  input_file_id: text,
  output_file_id: textOrNull,
  error_file_id: textOrNull,
  errors: { type: ['object', 'null'] },
  completion_window: text,
  created_at: integer,
  in_progress_at: integerOrNull,
  completed_at: integerOrNull,
  expires_at: integer,
  request_counts: object({ total: integer, completed: integer, failed: integer }),
  metadata: { type: ['object', 'null'] },
})

const createBatch = defineRoute({
  method: 'post',
  path: '/api/llm/v1/batches',
  who: 'account',
  summary: 'Answer a file of requests to models, line by line.',
  body: {
    type: 'object',
    required: ['input_file_id', 'endpoint', 'completion_window'],
    properties: {
      input_file_id: text,
      endpoint: { type: 'string', description: 'The url of each line: /v1/embeddings.' },
      completion_window: { const: '24h' },
      metadata: anyObject,
    },
  },
  once: true,
  answer: batch,
  errors: ['bad_request', 'not_found', 'idempotency_key_reused'],
})
const listBatches = defineRoute({
  method: 'get',
  path: '/api/llm/v1/batches',
  who: 'account',
  summary: 'Your batches, newest first.',
  query: listQuery,
  answer: object({
    object: { const: 'list' },
    data: list(batch),
    first_id: textOrNull,
    last_id: textOrNull,
    has_more: truth,
  }),
})
const readBatch = defineRoute({
  method: 'get',
  path: '/api/llm/v1/batches/{id}',
  who: 'account',
  summary: 'Read how far a batch is.',
  answer: batch,
  errors: ['not_found'],
})
const cancelBatch = defineRoute({
  method: 'post',
  path: '/api/llm/v1/batches/{id}/cancel',
  who: 'account',
  summary: 'Cancel a batch: requests under way end, and no other is begun.',
  answer: batch,
  errors: ['not_found'],
})

export const batchRoutes = [createBatch, listBatches, readBatch, cancelBatch]

export function addBatchRoutes(
  server: FastifyInstance,
  { batches }: { readonly batches: Batches },
): void {
  const options = { config: surfaceConfig }
  addRoute(
    server,
    createBatch,
    async ({ request, caller }) => {
      const idempotencyKey = readIdempotencyKey(idempotencyKeyOf(request))
      return describe(await batches.create(caller, request.body, idempotencyKey))
    },
    options,
  )
  addRoute(
    server,
    listBatches,
    async ({ caller, query }) => {
      const { after, limit } = readPage(query)
      const rows = await batches.list(caller, { after, limit: limit + 1 })
      const data = rows.slice(0, limit).map(describe)
      return {
        object: 'list',
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: rows.length > limit,
      }
    },
    options,
  )
  addRoute(
    server,
    readBatch,
    async ({ caller, params }) => describe(await batches.find(caller, idOf(params.id))),
    options,
  )
  addRoute(
    server,
    cancelBatch,
    async ({ caller, params }) => describe(await batches.cancel(caller, idOf(params.id))),
    options,
  )
}

const idOf = (id: string) => (id.startsWith(idPrefix) ? id.slice(idPrefix.length) : id)

const seconds = (date: Date | null) => (date === null ? null : Math.floor(date.getTime() / 1_000))

function describe(row: BatchRow) {
  const endedAs = (status: BatchRow['status']) =>
    row.status === status ? seconds(row.endedAt) : null
  return {
    id: `${idPrefix}${row.id}`,
    object: 'batch',
    endpoint: `/v1${row.endpoint}`,
    errors: row.errors === null ? null : { object: 'list', data: JSON.parse(row.errors) },
    input_file_id: row.inputFile,
    completion_window: '24h',
    status: row.status,
    output_file_id: row.outputFile,
    error_file_id: row.errorFile,
    created_at: seconds(row.createdAt),
    in_progress_at: seconds(row.beganAt),
    expires_at: seconds(row.expiresAt),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: seconds(row.cancelledAt),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total: row.total, completed: row.succeeded, failed: row.failed },
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  }
}
