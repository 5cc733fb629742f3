// Limits of request bodies. They are tighter while it is not known who pays for reading the body.
import { isUtf8 } from 'node:buffer'
import { Transform } from 'node:stream'
import type { FastifyRequest, RequestPayload } from 'fastify'
import { type CallError, fail } from '#core/errors.ts'

export const bodyBytesMax = 1_000_000
/** Without an API key or a payment. Actions that take documents allow `bodyBytesMax` to everyone. */
export const strangerBodyBytesMax = 64_000
const depthMax = 100
/**
 * How many values a body may hold, objects and lists included. A known caller may send one per `bytesPerValue` of its
 * limit.
 */
const strangerValuesMax = 2_000
const bytesPerValue = 50
/** Each time a body reaches this size, it counts as one more request. */
const bytesPerPoint = { known: 250_000, stranger: 16_000 } as const

/** The largest body of this request. A payment is not checked yet, so its bytes count as a stranger's. */
function bytesMaxOf(request: FastifyRequest): number {
  const { bodyLimit, config } = request.routeOptions
  const most = bodyLimit ?? bodyBytesMax
  if (
    request.caller !== undefined ||
    config.operator ||
    config.streamsBody ||
    request.server.paymentHeaders.isPresent(request)
  )
    return most
  return Math.min(most, config.strangerBodyBytesMax?.(request) ?? strangerBodyBytesMax)
}

/** Points for the announced length of a body, on top of the one that each request counts. */
export const pointsOfKnown = (request: FastifyRequest) =>
  pointsOf(bytesParsed(request), bytesPerPoint.known)
export const pointsOfStranger = (request: FastifyRequest) =>
  pointsOf(bytesParsed(request), bytesPerPoint.stranger)

/** The announced length of a body that is held in memory. */
const bytesParsed = ({ headers, routeOptions }: FastifyRequest) =>
  routeOptions.config.streamsBody ? 0 : Number(headers['content-length'] ?? 0)

/** Points for a body without an announced length, once it is read. */
export function pointsOfUnannounced({ headers, bodyText, caller }: FastifyRequest): number {
  if (headers['transfer-encoding'] === undefined) return 0
  return pointsOf(bodyText.length, bytesPerPoint[caller === undefined ? 'stranger' : 'known'])
}

/** Extra points for a refused body of a known caller, which then counts like a stranger's. */
export function pointsOfRefused({ bodyText, caller }: FastifyRequest): number {
  return caller === undefined ? 0 : pointsOf(bodyText.length, bytesPerPoint.stranger)
}

const pointsOf = (bytes: number, perPoint: number) => Math.floor(bytes / perPoint)

/** Throws `payload_too_large` when the announced length is more than this request may send. */
export function refuseLargeBody(request: FastifyRequest): void {
  const bytes = Number(request.headers['content-length'] ?? 0)
  if (bytes <= strangerBodyBytesMax) return
  const bytesMax = bytesMaxOf(request)
  if (bytes > bytesMax) throw tooLarge(request, bytesMax)
}

/** Throws `unsupported_encoding` for a body that is compressed, or says so. */
export function refuseEncodedBody(request: FastifyRequest): void {
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (!announcesBody(request) || request.routeOptions.config.takesEncodings) return
  if (encoding.trim().toLowerCase() !== 'identity') throw fail('unsupported_encoding')
}

export const announcesBody = ({ headers }: FastifyRequest): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined

/** The body, cut off with an error where it exceeds what this request may send. */
export function limitBody(request: FastifyRequest, body: RequestPayload) {
  // An announced length was checked already, and Node enforces it.
  if (request.headers['transfer-encoding'] === undefined) return body
  const bytesMax = bytesMaxOf(request)
  let bytes = 0
  return body.pipe(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        if (bytes > bytesMax) done(tooLarge(request, bytesMax))
        else done(null, chunk)
      },
    }),
  )
}

function tooLarge(request: FastifyRequest, bytesMax: number): CallError {
  const isStranger = bytesMax < (request.routeOptions.bodyLimit ?? bodyBytesMax)
  const limit = isStranger
    ? `${bytesMax} bytes, the limit without an API key or a payment`
    : `${bytesMax} bytes`
  const advice = isStranger ? 'Send an API key or a payment, or send less.' : 'Send less.'
  return fail('payload_too_large', {
    message: `The body is larger than ${limit}. ${advice}`,
  })
}

/** Throws `bad_request`: what is replaced in other bytes would be run, and paid for. */
export function readText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  throw fail('bad_request', { message: 'The body is not UTF-8. Send its text in that encoding.' })
}

/** The JSON of a body; an empty one is an empty object. Throws `bad_request`, `payload_too_large`. */
export function parseBody(request: FastifyRequest, text: string): unknown {
  const { bodyLimit = bodyBytesMax, config } = request.routeOptions
  const isKnown = request.caller !== undefined || config.operator === true
  const most = isKnown ? bodyLimit / bytesPerValue : strangerValuesMax
  const parsed = text === '' ? {} : parseJson(text)
  const left = countDown(parsed, depthMax, most)
  if (left === tooDeep)
    throw fail('bad_request', { message: `The body is nested deeper than ${depthMax} levels.` })
  if (left < 0)
    throw fail('payload_too_large', {
      message: `The body holds more than ${most} values. Send ${isKnown ? 'less' : 'an API key, or send less'}.`,
    })
  // JSON can hold these characters only as escapes, so most texts need no search.
  if (config.takesZeros) return parsed
  if (text.includes('\\u0000') && holds(parsed, isZeroIn)) throw zeroRefused()
  if (surrogateEscape.test(text) && holds(parsed, isBrokenIn)) throw surrogateRefused()
  return parsed
}

const surrogateEscape = /\\ud[89a-f]/i
const isZeroIn = (text: string) => text.includes('\0')
const isBrokenIn = (text: string) => !text.isWellFormed()

/** Half of a character is not Unicode: PostgreSQL refuses it in JSON. */
const surrogateRefused = () =>
  fail('bad_request', {
    message: 'A text in the request contains half of a character, a lone surrogate. Remove it.',
  })

/** PostgreSQL cannot store U+0000 in texts, and few providers accept it. */
const zeroRefused = () =>
  fail('bad_request', {
    message: 'A text in the request contains the character U+0000. Remove it.',
  })

/** Whether a text in the value, or the name of a field, is such a text. */
function holds(value: unknown, isSuch: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isSuch(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => isSuch(name) || holds(inner, isSuch))
}

/** Throws `bad_request` for an address whose parts or parameters hold U+0000. */
export function refuseZeroInAddress({ url }: FastifyRequest): void {
  if (url.includes('%00')) throw zeroRefused()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw fail('bad_request', {
      message: 'The body is not valid JSON. Send one JSON object.',
      cause,
    })
  }
}

const tooDeep = Number.NEGATIVE_INFINITY

/** `left` minus the number of values in this one, itself included. Negative when it holds more. */
function countDown(value: unknown, depth: number, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1
  if (depth === 0) return tooDeep
  let rest = left - 1
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    rest = countDown(inner, depth - 1, rest)
    if (rest < 0) return rest
  }
  return rest
}
