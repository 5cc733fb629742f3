// The files of batches, in the form of the common API. They are files of the caller like any other.
import type { FastifyInstance } from 'fastify'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isForm } from '#features/models/surfaces/form.ts'
import type { FileRow } from '#features/storage/files/file-rows.ts'
import type { Files } from '#features/storage/files/files.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute } from '../../../doors/route.ts'
import { integer, list, object, text, truth } from '../../../doors/shapes.ts'
import { surfaceConfig } from './answering.ts'
import { formBytesMax, takeForms, weighForm } from './forms.ts'
import { listQuery, readPage } from './pages.ts'

/** Marks the files that were sent for a batch. */
const batchTag = 'batch'
const filenameMax = 200

const file = object({
  id: text,
  object: { const: 'file' },
  bytes: integer,
  created_at: integer,
  filename: text,
  purpose: text,
  status: text,
})
const noSuchFile = 'You have no such file.'

const createModelFile = defineRoute({
  method: 'post',
  path: '/api/llm/v1/files',
  who: 'account',
  summary: 'Send the file of a batch: a form with purpose batch, and one request in each line.',
  body: {
    type: 'object',
    required: ['file', 'purpose'],
    properties: { file: { type: 'string', format: 'binary' }, purpose: { const: batchTag } },
  },
  parts: 'only',
  answer: file,
  errors: ['bad_request', 'payload_too_large', 'file_quota_exceeded'],
})
const listModelFiles = defineRoute({
  method: 'get',
  path: '/api/llm/v1/files',
  who: 'account',
  summary: 'Your files, newest first.',
  query: listQuery,
  answer: object({ object: { const: 'list' }, data: list(file), has_more: truth }),
})
const readModelFile = defineRoute({
  method: 'get',
  path: '/api/llm/v1/files/{id}',
  who: 'account',
  ids: { id: noSuchFile },
  summary: 'Describe a file.',
  answer: file,
  errors: ['not_found'],
})
const readModelFileContent = defineRoute({
  method: 'get',
  path: '/api/llm/v1/files/{id}/content',
  who: 'account',
  ids: { id: noSuchFile },
  summary: 'The content of a file.',
  type: 'application/octet-stream',
  errors: ['not_found', 'file_pending'],
})
const deleteModelFile = defineRoute({
  method: 'delete',
  path: '/api/llm/v1/files/{id}',
  who: 'account',
  ids: { id: noSuchFile },
  summary: 'Remove a file.',
  answer: object({ id: text, object: { const: 'file' }, deleted: truth }),
  errors: ['not_found'],
})

export const modelFileRoutes = [
  createModelFile,
  listModelFiles,
  readModelFile,
  readModelFileContent,
  deleteModelFile,
]

export function addModelFileRoutes(
  server: FastifyInstance,
  { store, list: listFiles }: Pick<Files, 'store' | 'list'>,
): void {
  const options = { config: surfaceConfig }
  server.register(async (door) => {
    takeForms(door)
    addRoute(
      door,
      createModelFile,
      async ({ request, caller }, reply) => {
        await weighForm(request, reply)
        const { name, bytes } = readUpload(request.body)
        const row = await store.add(caller, {
          source: 'upload',
          filename: name,
          mediaType: 'application/jsonl',
          tags: [batchTag],
          content: bytes,
        })
        return describe(row)
      },
      { ...options, bodyLimit: formBytesMax },
    )
  })
  addRoute(
    server,
    listModelFiles,
    async ({ caller, query }) => {
      const { after, limit } = readPage(query)
      const rows = await listFiles(ownerOf(caller), {
        tags: [],
        query: '',
        after,
        limit: limit + 1,
      })
      const data = rows.slice(0, limit).map(describe)
      return { object: 'list', data, has_more: rows.length > limit }
    },
    options,
  )
  addRoute(
    server,
    readModelFile,
    async ({ caller, params }) => describe(await store.find(ownerOf(caller), params.id)),
    options,
  )
  addRoute(
    server,
    readModelFileContent,
    async ({ caller, params }, reply) => {
      const { state, mediaType } = await store.find(ownerOf(caller), params.id)
      if (state === 'pending') throw fail('file_pending')
      reply.header('content-type', mediaType)
      return reply.send(await store.read(params.id))
    },
    options,
  )
  addRoute(
    server,
    deleteModelFile,
    async ({ caller, params }) => {
      const { fileId } = await store.remove(caller, params.id)
      return { id: fileId, object: 'file', deleted: true }
    },
    options,
  )
}

/** Throws `bad_request`. */
function readUpload(body: unknown) {
  if (!isForm(body)) throw wrong('file', 'Send a form (multipart/form-data) with purpose and file.')
  const [purpose] = body.texts.get('purpose') ?? []
  if (purpose !== batchTag)
    throw wrong(
      'purpose',
      'Only files with purpose batch are taken here. For others use files/upload.',
    )
  const [sent, ...others] = body.files.get('file') ?? []
  if (sent === undefined || others.length > 0) throw wrong('file', 'file must be one file.')
  return { bytes: sent.bytes, name: sent.name.slice(0, filenameMax) || 'batch.jsonl' }
}

const wrong = (param: string, message: string) => fail('bad_request', { message, data: { param } })

const describe = ({ fileId, bytes, createdAt, filename, tags, source, state }: FileRow) => ({
  id: fileId,
  object: 'file',
  bytes,
  created_at: Math.floor(createdAt.getTime() / 1_000),
  filename,
  purpose: tags.includes(batchTag) ? 'batch' : source === 'action' ? 'batch_output' : 'user_data',
  status: state === 'stored' ? 'processed' : 'uploaded',
})
