// A gRPC server for tests, over HTTP/2. It refuses fields that its .proto files do not name, and fails in the
// ways that a test asks for.
import { once } from 'node:events'
import {
  constants,
  createSecureServer,
  createServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { protobuf } from '#oracles/protobuf.ts'
import { portOf } from '#platform/http/port.ts'

export type Metadata = Readonly<Record<string, string | string[] | undefined>>

export interface GrpcCall {
  /** The method, without its service. */
  readonly method: string
  readonly service: string
  readonly message: Readonly<Record<string, unknown>>
  readonly metadata: Metadata
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

export class GrpcFailure extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Fault =
  | { readonly status: number; readonly message?: string; readonly metadata?: Metadata }
  | { readonly http: number }
  | { readonly reply: object }
  | { readonly bytes: Buffer }
  /** Sends no answer. */
  | 'silence'
  /** Ends the stream in the middle of the usual answer. */
  | 'cut'
  /** Ends the usual answer without telling its outcome. */
  | 'no outcome'
  /** Does the work and loses the answer. */
  | 'lost'

type Handler = (call: GrpcCall) => Promise<object> | object | AsyncIterable<object>

interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
}

/** With `tls` it speaks HTTP/1.1 too, and takes the protocol that the client names first. */
export async function startGrpcServer(
  protoFiles: readonly string[],
  handle: Handler,
  tls?: Certificate,
) {
  const root = protobuf.loadSync([...protoFiles])
  const sessions = new Set<ServerHttp2Session>()
  const calls: GrpcCall[] = []
  const strays: string[] = []
  let fault: ((call: GrpcCall) => Fault | undefined) | undefined

  async function answer(stream: ServerHttp2Stream, metadata: Metadata) {
    const [, service = '', method = ''] = String(metadata[':path']).split('/')
    const types = findTypes(root, service, method)
    if (types === undefined) {
      strays.push(`${service}/${method}`)
      return refuse(stream, new GrpcFailure(12, 'no such method'))
    }
    const [request, response] = types
    const body = await buffer(stream)
    const leaving = new AbortController()
    stream.on('close', () => leaving.abort())
    const unknown = [...unknownFields(request, body.subarray(5))]
    strays.push(...unknown.map((field) => `${method}: ${field}`))
    const message = request.toObject(request.decode(body.subarray(5)), { longs: Number })
    const call = { method, service, message, metadata, signal: leaving.signal }
    calls.push(call)
    const planned = fault?.(call)
    if (planned === 'silence') return
    if (typeof planned === 'object') return failBy(stream, response, planned)
    try {
      if (unknown.length > 0) throw new GrpcFailure(3, `unknown: ${unknown.join(', ')}`)
      await reply(stream, response, await handle(call), planned)
    } catch (thrown) {
      if (stream.destroyed) return
      if (!(thrown instanceof GrpcFailure)) strays.push(`${method}: ${String(thrown)}`)
      refuse(stream, thrown)
    }
  }

  const server = listenTo(tls)
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session)).on('error', () => {})
  })
  server.on('stream', (stream, metadata) => {
    stream.setMaxListeners(0)
    stream.on('error', () => {})
    answer(stream, metadata as Metadata).catch((thrown) => strays.push(String(thrown)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)

  return {
    port,
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    calls,
    /** What the .proto files do not know. */
    strays,
    fail(next: typeof fault) {
      fault = next
    },
    async close() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function findTypes(root: protobuf.Root, service: string, method: string) {
  const { requestType, responseType } = root.lookupService(service).methods[method] ?? {}
  if (requestType === undefined || responseType === undefined) return undefined
  const scope = service.slice(0, service.lastIndexOf('.'))
  const find = (name: string) => root.lookupType(`${scope}.${name}`)
  return [find(requestType), find(responseType)] as const
}

const listenTo = (tls: Certificate | undefined) =>
  tls === undefined
    ? createServer()
    : createSecureServer({
        ...tls,
        allowHTTP1: true,
        ALPNCallback: ({ protocols }) => protocols[0],
      })

const accepted = { ':status': 200, 'content-type': 'application/grpc' }

function frame(content: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

async function reply(
  stream: ServerHttp2Stream,
  type: protobuf.Type,
  answers: object | AsyncIterable<object>,
  planned: 'cut' | 'no outcome' | 'lost' | undefined,
) {
  if (stream.destroyed) return
  if (planned === 'lost') return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  stream.respond(accepted, { waitForTrailers: planned === undefined })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  const isStream = Symbol.asyncIterator in answers
  for await (const each of isStream ? (answers as AsyncIterable<object>) : [answers]) {
    if (stream.destroyed) return
    const content = frame(type.encode(type.fromObject(each)).finish())
    if (planned === 'cut') {
      stream.write(content.subarray(0, Math.max(1, content.length - 1)), () =>
        stream.close(constants.NGHTTP2_INTERNAL_ERROR),
      )
      return
    }
    if (!stream.write(content)) await Promise.race([once(stream, 'drain'), once(stream, 'close')])
  }
  stream.end()
}

function failBy(stream: ServerHttp2Stream, type: protobuf.Type, planned: Exclude<Fault, string>) {
  if ('http' in planned) {
    stream.respond({ ':status': planned.http, 'content-type': 'text/plain' })
    return stream.end('down')
  }
  if ('status' in planned)
    return refuse(
      stream,
      new GrpcFailure(planned.status, planned.message ?? 'refused'),
      planned.metadata,
    )
  const content =
    'bytes' in planned ? planned.bytes : type.encode(type.fromObject(planned.reply)).finish()
  stream.respond(accepted, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.end(frame(content))
}

function refuse(stream: ServerHttp2Stream, thrown: unknown, metadata: Metadata = {}) {
  const { status, message } = thrown instanceof GrpcFailure ? thrown : new GrpcFailure(13, 'a bug')
  const outcome = { 'grpc-status': String(status), 'grpc-message': encodeURIComponent(message) }
  stream.respond({ ...accepted, ...metadata, ...outcome }, { endStream: true })
}

/** The numbers of the fields that the type does not name, at any depth. */
function* unknownFields(type: protobuf.Type, bytes: Uint8Array): Generator<string> {
  const reader = protobuf.Reader.create(bytes)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const field = type.fieldsById[tag >>> 3]
    if (field === undefined) yield `${type.name}.${tag >>> 3}`
    field?.resolve()
    if ((tag & 7) === 2 && field?.resolvedType instanceof protobuf.Type)
      yield* unknownFields(field.resolvedType, reader.bytes())
    else reader.skipType(tag & 7)
  }
}
