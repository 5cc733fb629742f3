// A response that rarely changes is serialized, tagged and compressed once.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressedBytesMin, takesGzip, varyBy } from './compression.ts'

export interface StoredAnswer {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
}

export const storeAnswer = (value: unknown): StoredAnswer =>
  storeBytes(Buffer.from(JSON.stringify(value)), 'application/json; charset=utf-8')

export function storeBytes(plain: Buffer, type: string): StoredAnswer {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`
  const gzip = plain.length < compressedBytesMin ? undefined : gzipSync(plain)
  return { type, etag, plain, gzip }
}

/** Sends 304 if the caller has this response already, and gzip if the caller accepts it. */
export function sendStored(request: FastifyRequest, reply: FastifyReply, answer: StoredAnswer) {
  const { type, etag, plain, gzip } = answer
  reply.header('etag', etag)
  varyBy(reply, 'Accept-Encoding')
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.header('content-type', type)
  if (gzip === undefined || !takesGzip(request.headers['accept-encoding'])) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(gzip)
}

function namesTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
