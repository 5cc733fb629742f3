// Compresses large answers for callers that accept gzip. Of the catalog and of Markdown, brotli and zstd save at most a
// tenth more.
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Below this size compression saves no network packet. */
export const compressedBytesMin = 1_400
const compressible = /^(text\/(html|markdown|plain|css|javascript|csv)|application\/json)\b/

/**
 * Streams are sent as they are: each part of an event stream must leave at once, and ranges of a file are ranges of its
 * own bytes.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isLarge(payload) || !isCompressible(reply)) return done(null, payload)
    varyBy(reply, 'Accept-Encoding')
    if (!takesGzip(request.headers['accept-encoding'])) return done(null, payload)
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    gzip(payload, done)
  })
}

const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  Buffer.byteLength(payload) >= compressedBytesMin

function isCompressible(reply: FastifyReply): boolean {
  return (
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range') &&
    compressible.test(String(reply.getHeader('content-type') ?? ''))
  )
}

/** Says that the answer depends on this header of the request, too. */
export function varyBy(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary')
  const names = known === undefined ? [] : String(known).split(/ *, */)
  if (names.some((other) => other.toLowerCase() === name.toLowerCase())) return
  reply.header('vary', [...names, name].join(', '))
}

/** RFC 9110, "Accept-Encoding": a coding with the weight 0 is refused. */
export function takesGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim().toLowerCase()))
    .some(([name, weight = 'q=1']) => name === 'gzip' && Number(weight.replace('q=', '')) > 0)
}
