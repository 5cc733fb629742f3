// The addresses that take and serve the bytes of files. They are signed, so that they need no credential.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccessRight, Door, OpenAccess } from '#core/access/open-access.ts'
import type { SignedQuery } from '#core/access/signed-address.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { toRecord } from '#features/storage/files/actions/fields.ts'
import { readFileList } from '#features/storage/files/actions/list.ts'
import type { FileAddresses } from '#features/storage/files/addresses.ts'
import type { FileRow, FileRows } from '#features/storage/files/file-rows.ts'
import { type FileStore, fileBytesMax } from '#features/storage/files/file-store.ts'
import { serve } from '#features/storage/files/serving.ts'
import { envelope } from '#runner/envelope.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'
import { integer, list, object, page, text, textOrNull } from '../../doors/shapes.ts'
import { pageFields } from '../paging.ts'
import { signatureOfKey } from '../signed-query.ts'

interface Dependencies {
  readonly store: Pick<FileStore, 'get' | 'read' | 'receive'>
  readonly addresses: Pick<FileAddresses, 'read' | 'elsewhere'>
  readonly access: OpenAccess
  readonly quotas: Pick<FileRows, 'list' | 'usage'>
}

export const downloadFile = defineRoute({
  method: 'get',
  path: '/api/files/{id}',
  checksInput: true,
  summary: 'The content of a file at its signed get_url, with ranges and an ETag.',
  query: signatureOfKey,
  type: 'application/octet-stream',
  errors: ['not_found', 'file_pending'],
})
export const uploadFile = defineRoute({
  method: 'put',
  path: '/api/files/{id}',
  checksInput: true,
  summary: 'Send the bytes of a file to its signed put_url.',
  query: signatureOfKey,
  bytes: true,
  answer: { $ref: '#/components/schemas/Envelope' },
  errors: ['bad_request', 'not_found', 'file_already_uploaded', 'payload_too_large'],
})

const listQuery = z.strictObject({
  query: z.string().max(500).optional().describe('Words of names and tags.'),
  ...pageFields,
})

export const listFiles = defineRoute({
  method: 'get',
  path: '/api/v1/files',
  who: 'owner',
  summary:
    'The files of the account, newest first, with the room that they take. It is not a call: it leaves no transaction.',
  query: listQuery,
  answer: page({
    files: list(
      object({
        file_id: text,
        filename: text,
        tags: list(text),
        note: textOrNull,
        size: integer,
        mime: text,
        sha256: textOrNull,
        source: { enum: ['upload', 'url', 'action'] },
        status: { enum: ['pending', 'stored'] },
        created_at: text,
      }),
    ),
    used_bytes: integer,
    quota_bytes: integer,
  }),
})

export function addFileRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { store, addresses, access, quotas } = dependencies
  const admit = createFileAdmission(dependencies)

  addRoute(server, listFiles, ({ caller, query }) => readFileList(quotas, caller, query))

  // A plugin of its own, because its bodies are streams of bytes and not JSON.
  server.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (_request, body, done) => done(null, body))
    addRoute(
      door,
      uploadFile,
      async ({ request, params }, reply) => {
        const { file: expected, right } = await admit('upload', params.id, request)
        refuseLength(expected, request)
        endWithRight(access, { door: 'file upload', right }, reply)
        const body = (request.body as Readable | undefined) ?? Readable.from([])
        const file = await store.receive(expected.fileId, body)
        reply.header('content-type', 'application/json; charset=utf-8')
        reply.header('etag', `"${file.sha256}"`)
        return envelope({ output: JSON.stringify(toRecord(file)), charged: 0 })
      },
      { bodyLimit: fileBytesMax, config: { streamsBody: true, door: 'file upload' } },
    )
  })

  addRoute(
    server,
    downloadFile,
    async ({ request, params }, reply) => {
      const { file: found, right } = await admit('download', params.id, request)
      const { sha256, ...file } = found
      if (sha256 === null) throw fail('file_pending')
      const elsewhere = await addresses.elsewhere(file)
      if (elsewhere !== undefined) return reply.redirect(elsewhere, 307)
      endWithRight(access, { door: 'file download', right }, reply)
      return await send(store, { ...file, sha256 }, request, reply)
    },
    { answersHead: true, config: { door: 'file download' } },
  )
}

/** The file of a signed address, while the right of the one who asked for the address holds. Throws `not_found`. */
function createFileAdmission({ store, addresses, access }: Dependencies) {
  const refused = () =>
    fail('not_found', {
      message:
        'This address of a file is invalid or has expired. Use it exactly as you received it; files/get gives a fresh one.',
    })
  return async (
    wanted: 'upload' | 'download',
    id: string,
    { query }: FastifyRequest,
  ): Promise<{ file: FileRow; right: AccessRight }> => {
    const signed = addresses.read(wanted, id, query as SignedQuery)
    if (signed === undefined) throw refused()
    const file = await store.get(id)
    const right = { accountId: file.accountId, keyId: signed.keyId ?? file.keyId }
    if (!(await access.isGood(right))) throw refused()
    return { file, right }
  }
}

/** Breaks the transfer off when the right ends. */
function endWithRight(
  access: Pick<OpenAccess, 'enter'>,
  { door, right }: { door: Door; right: AccessRight },
  { raw }: FastifyReply,
): void {
  raw.once(
    'close',
    access.enter(door, right, () => raw.destroy()),
  )
}

/** By the announced length, before any of the body is read. Throws `payload_too_large`, `bad_request`. */
function refuseLength(
  { bytes, mayBeSmaller }: Pick<FileRow, 'bytes' | 'mayBeSmaller'>,
  request: FastifyRequest,
): void {
  const announced = request.headers['content-length']
  if (announced === undefined || Number(announced) === bytes) return
  if (Number(announced) > bytes)
    throw fail('payload_too_large', {
      message: `The file is larger than the ${bytes} bytes that were reserved for it. Call files/upload with the right size_bytes.`,
    })
  if (mayBeSmaller) return
  throw fail('bad_request', {
    message: `The body has ${announced} of the ${bytes} bytes that were announced. Send the whole file to the same address.`,
  })
}

async function send(
  store: Dependencies['store'],
  file: FileRow & { readonly sha256: string },
  { headers: { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch }, method }: FastifyRequest,
  reply: FastifyReply,
) {
  const served = serve(file, { range, ifRange: oneOf(ifRange), ifNoneMatch })
  reply.code(served.status).headers(served.headers)
  if (method === 'HEAD' || !('range' in served)) return reply.send()
  return reply.send(await store.read(file.fileId, served.range))
}

const oneOf = (header: string | readonly string[] | undefined) =>
  typeof header === 'string' ? header : header?.[0]
