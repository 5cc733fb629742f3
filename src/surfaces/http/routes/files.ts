// The addresses that take and serve the bytes of files. They are signed, so that they need no credential.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import { toRecord } from '#features/files/actions/fields.ts'
import type { FileAddresses } from '#features/files/addresses.ts'
import type { FileRow } from '#features/files/file-rows.ts'
import { type FileStore, fileBytesMax } from '#features/files/file-store.ts'
import { serve } from '#features/files/serving.ts'
import { envelope } from '#runner/envelope.ts'

interface FileRoute {
  Params: { id: string }
  Querystring: { exp?: string; sig?: string }
}

interface Dependencies {
  readonly store: Pick<FileStore, 'get' | 'read' | 'receive'>
  readonly addresses: Pick<FileAddresses, 'accepts' | 'elsewhere'>
}

const at = '/api/files/:id'

export function addFileRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { store, addresses } = dependencies
  const admit = (access: 'upload' | 'download', request: FastifyRequest<FileRoute>) => {
    if (addresses.accepts(access, request.params.id, request.query)) return request.params.id
    throw fail('not_found', {
      message:
        'This address of a file is invalid or has expired. Use it exactly as you received it; files/get gives a fresh one.',
    })
  }

  // A plugin of its own, because its bodies are streams of bytes and not JSON.
  server.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (_request, body, done) => done(null, body))
    door.put<FileRoute>(
      at,
      { bodyLimit: fileBytesMax, config: { streamsBody: true } },
      async (request, reply) => {
        const id = admit('upload', request)
        refuseLength(await store.get(id), request)
        const body = (request.body as Readable | undefined) ?? Readable.from([])
        const file = await store.receive(id, body)
        reply.header('content-type', 'application/json; charset=utf-8')
        reply.header('etag', `"${file.sha256}"`)
        return envelope({ output: JSON.stringify(toRecord(file)), charged: 0 })
      },
    )
  })

  server.route<FileRoute>({
    url: at,
    method: ['GET', 'HEAD'],
    handler: async (request, reply) => {
      const { sha256, ...file } = await store.get(admit('download', request))
      if (sha256 === null) throw fail('file_pending')
      const elsewhere = await addresses.elsewhere(file)
      if (elsewhere !== undefined) return reply.redirect(elsewhere, 307)
      return await send(store, { ...file, sha256 }, request, reply)
    },
  })
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
