// gRPC, for vendors without another API: messages in frames over HTTP/2, and an outcome in the trailers. Source: "gRPC
// over HTTP2" of the gRPC project.
import { Agent, H2CClient, Pool } from 'undici'
import type { RawReply } from './failure.ts'

/** A flag for compression, and a length of four bytes. */
const frameHeadBytes = 5

/** HTTP statuses that mean the same, by gRPC status. 0 is success. */
const statuses: Readonly<Record<number, number>> = {
  1: 500,
  2: 500,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 422,
  10: 409,
  11: 400,
  12: 501,
  13: 500,
  14: 503,
  15: 500,
  16: 401,
}

export const grpcHeaders = { 'content-type': 'application/grpc', te: 'trailers' }

/** Speaks HTTP/2 to every host. A base URL with `http:` is HTTP/2 without encryption, which has no negotiation. */
export function createGrpcAgent(options: Agent.Options): Agent {
  return new Agent({
    ...options,
    allowH2: true,
    connect: { ...options.connect, preferH2: true },
    factory: (origin, hostOptions) =>
      new URL(origin).protocol === 'http:'
        ? new H2CClient(origin, hostOptions)
        : new Pool(origin, hostOptions),
  })
}

export function frameMessage(message: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

/**
 * The reply as if it were plain HTTP: an equivalent status; the messages, or an explanation of the failure. Throws for
 * an answer that breaks off. `truncated`: the rest of the answer was not read on purpose.
 */
export function readGrpcReply(
  { status, headers }: Pick<RawReply, 'status' | 'headers'>,
  bytes: Buffer,
  truncated: boolean,
): RawReply {
  if (status !== 200) return { status, headers, body: bytes.toString('utf8') }
  const outcome = headers['grpc-status'] === undefined ? undefined : Number(headers['grpc-status'])
  if (outcome === undefined && !truncated) throw new Error('The reply has no gRPC status.')
  if (outcome === undefined || outcome === 0) {
    const messages = readFrames(bytes, truncated)
    return { status, headers, body: messages, ...(truncated && { truncated }) }
  }
  return {
    status: statuses[outcome] ?? 500,
    headers,
    body: { message: decodeMessage(headers['grpc-message'] ?? '') },
  }
}

function readFrames(bytes: Buffer, truncated: boolean): Buffer[] {
  const messages: Buffer[] = []
  let start = 0
  while (start < bytes.length) {
    const isWhole = bytes.length - start >= frameHeadBytes
    const end = isWhole ? start + frameHeadBytes + bytes.readUInt32BE(start + 1) : bytes.length + 1
    if (end > bytes.length) {
      if (truncated) break
      throw new Error('A gRPC message is cut off.')
    }
    if (bytes[start] !== 0)
      throw new Error('A gRPC message is compressed, which was not asked for.')
    messages.push(bytes.subarray(start + frameHeadBytes, end))
    start = end
  }
  return messages
}

function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
