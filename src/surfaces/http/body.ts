// What a body may be before the gateway knows who pays for reading it.
import { Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type CallError, fail } from '#core/errors.ts'

export const bodyBytesMax = 1_000_000
/** Without an API key or a payment; an action that takes documents takes them from strangers too. */
export const strangerBodyBytesMax = 64_000
const depthMax = 100
/** Values of a body, objects and lists included; a large text is one. A known caller has one for so many bytes of the limit. */
const strangerValuesMax = 2_000
const bytesPerValue = 50
/** So many bytes of a body count as one request more. */
const bytesPerPoint = { known: 250_000, stranger: 16_000 } as const

/** Bytes that this request may send. A presented payment is not checked yet: it buys the bytes at a stranger's weight. */
function bytesMaxOf(request: FastifyRequest): number {
  const { bodyLimit, config } = request.routeOptions
  const most = bodyLimit ?? bodyBytesMax
  if (
    request.caller !== undefined ||
    config.operator ||
    request.server.paymentHeaders.isPresent(request)
  )
    return most
  return Math.min(most, config.strangerBodyBytesMax?.(request) ?? strangerBodyBytesMax)
}

/** Points beside the one that each request counts, for the length that it announces. */
export const pointsOfKnown = ({ headers }: FastifyRequest) =>
  pointsOf(Number(headers['content-length'] ?? 0), bytesPerPoint.known)
export const pointsOfStranger = ({ headers }: FastifyRequest) =>
  pointsOf(Number(headers['content-length'] ?? 0), bytesPerPoint.stranger)

/** The same for a body that came without its length, once it is read. */
export function pointsOfUnannounced({ headers, bodyText, caller }: FastifyRequest): number {
  if (headers['transfer-encoding'] === undefined) return 0
  return pointsOf(bodyText.length, bytesPerPoint[caller === undefined ? 'stranger' : 'known'])
}

/** What a known caller's body counts on top when it is refused: it was read for nothing, as a stranger's. */
export function pointsOfRefused({ bodyText, caller }: FastifyRequest): number {
  return caller === undefined ? 0 : pointsOf(bodyText.length, bytesPerPoint.stranger)
}

const pointsOf = (bytes: number, perPoint: number) => Math.floor(bytes / perPoint)

/** Throws `payload_too_large` for what a stranger may not send, by the length that it announces. */
export function refuseLargeBody(request: FastifyRequest): void {
  const bytes = Number(request.headers['content-length'] ?? 0)
  if (bytes <= strangerBodyBytesMax) return
  const bytesMax = bytesMaxOf(request)
  if (bytes > bytesMax) throw tooLarge(request, bytesMax)
}

/** The body, which breaks off where it gets longer than this request may send. */
export function limitBody(request: FastifyRequest, body: NodeJS.ReadableStream) {
  // A length that was announced has been judged, and Node keeps to it.
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
  const advice = isStranger ? 'Send an API key or a payment with it, or send less.' : 'Send less.'
  const whose = isStranger ? 'is from a caller who is not known, and is' : 'is'
  return fail('payload_too_large', {
    message: `The body ${whose} larger than ${bytesMax} bytes. ${advice}`,
  })
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
      message: `The body holds more than ${most} values. Send ${isKnown ? 'less' : 'an API key with it, or send less'}.`,
    })
  // Looked for only where the text has its escape: JSON cannot hold the character as it is.
  if (!config.takesZeros && text.includes('\\u0000') && holdsZero(parsed)) throw zeroRefused()
  return parsed
}

/** No text of the database holds U+0000, and hardly a provider takes it. */
const zeroRefused = () =>
  fail('bad_request', {
    message: 'A text of the request holds the character U+0000. Leave it out.',
  })

function holdsZero(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => name.includes('\0') || holdsZero(inner))
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

/** How many of `left` values are left after this one and those in it: fewer than none where it holds more. */
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
