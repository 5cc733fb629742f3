// What the routes of all model surfaces share: one paid call, answered as a whole or as a stream.
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { cacheHeader, readCacheHeader } from '#features/models/llm/answer-cache.ts'
import type { EventSink } from '#features/models/llm/exchange/relay.ts'
import type { ChatCall, ChatReply } from '#features/models/llm/held-chat.ts'
import type { Models } from '#features/models/llm/routing/models.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { PaidMeter } from '#runner/keyless/metered.ts'
import { openEventStream } from '../../../doors/event-stream.ts'
import { idempotencyKeyOf } from '../../../doors/input.ts'
import { requireCaller } from '../../../doors/owner.ts'
import { bodyBytesMax, strangerBodyBytesMax } from '../../body.ts'

/** Messages may hold pictures. */
export const modelBytesMax = 10_000_000
/** Agents send the whole history with each request, and its pictures. */
export const historyBytesMax = 20_000_000

/** A wallet asks for the price of a whole conversation before it pays. */
export const strangerBodyBytesMaxOf =
  ({ rails }: WalletMeters) =>
  () =>
    rails.length === 0 ? strangerBodyBytesMax : bodyBytesMax

/** How wallets pay for what a request asks. */
export type WalletMeters = Pick<
  Keyless,
  'rails' | 'meter' | 'answerChannelMessage' | 'recallChannel'
>

/** What the request says about a call. */
type AnsweredCall = Pick<
  ChatCall,
  'body' | 'caller' | 'meter' | 'idempotencyKey' | 'gone' | 'openStream'
>

type AskedModel<Call> = Omit<Call, keyof AnsweredCall> & {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** What the surface reads. Absent: the body of the request. */
  readonly body?: unknown
  /** Its answer may be kept for the same request, if the caller asks for that. */
  readonly mayKeep?: boolean
}

/** For `addRoute`: asks the model and sends its answer in the form of the surface. */
export function createModelAnswers<Call extends AnsweredCall>({
  chat,
  models,
  keyless,
}: {
  chat: { run(call: Call): Promise<ChatReply> }
  models: Models
  keyless: WalletMeters
}) {
  return async ({
    request,
    reply,
    mayKeep = false,
    ...asked
  }: AskedModel<Call>): Promise<FastifyReply> => {
    const { caller } = request
    if (caller === undefined && request.bodyText === '') {
      const said = await answerChannelMessage(keyless, request)
      if (said !== undefined)
        return reply.headers(said.headers).type('application/json; charset=utf-8').send(said.body)
    }
    const meter = caller === undefined ? openWalletMeter(keyless, request) : undefined
    request.isPaid = true
    const idempotencyKey = readIdempotencyKey(idempotencyKeyOf(request))
    const wantedSeconds =
      meter === undefined ? readCacheHeader(headerOf(request, cacheHeader)) : undefined
    const cacheSeconds = mayKeep ? wantedSeconds : undefined
    if (wantedSeconds !== undefined)
      reply.header(cacheHeader, mayKeep && idempotencyKey === undefined ? 'miss' : 'off')
    const answered = await chat
      .run({
        body: request.body,
        ...asked,
        caller,
        meter,
        idempotencyKey,
        cacheSeconds,
        gone: whenLeft(reply),
        openStream: (headers, trailers) =>
          openStream(reply, {
            headers: {
              ...headers,
              ...meter?.headers(),
              ...(trailers.length === 0 ? {} : { trailer: trailers.join(', ') }),
            },
            readerMs: models.current().timeouts.reader_ms,
          }),
      } as AnsweredCall as Call)
      .catch((error) => {
        if (meter !== undefined) reply.headers(meter.headers())
        return adviseOnRetry(reply)(error)
      })
    if (answered.kind === 'json') {
      return reply
        .headers({
          ...answered.headers,
          ...meter?.headers(),
          'content-type': 'application/json; charset=utf-8',
        })
        .send(answered.body)
    }
    if (answered.kind === 'streamed') reply.raw.end(answered.tail + (meter?.tail() ?? ''), 'latin1')
    else {
      reply.hijack()
      reply.raw.destroy()
    }
    return reply
  }
}

/**
 * HEAD of an address that wallets pay: challenges a wallet to say who it is, and tells it of its open session. Free.
 */
export function addWalletHead(
  server: FastifyInstance,
  path: string,
  { config, keyless }: { config: FastifyContextConfig; keyless: WalletMeters },
) {
  server.head(path, { config }, async (request, reply) => {
    if (request.caller === undefined) {
      if (keyless.rails.length === 0) requireCaller(request)
      const payment = request.server.paymentHeaders.read(request)
      reply.headers(
        await keyless.recallChannel({ path, payment, requestHeader: headersOf(request) }),
      )
    }
    return reply.code(204).send()
  })
}

const headersOf =
  ({ headers }: FastifyRequest) =>
  (name: string) =>
    headers[name]?.toString()

/** What a wallet says about its session besides calls is sent to the address of its calls, without a body. */
async function answerChannelMessage(keyless: WalletMeters, request: FastifyRequest) {
  const payment = request.server.paymentHeaders.read(request)
  if (payment === undefined) return undefined
  const [path = ''] = request.url.split('?')
  return await keyless.answerChannelMessage({ path, payment })
}

/** Throws `invalid_token` where no wallet can pay. */
function openWalletMeter(keyless: WalletMeters, request: FastifyRequest): PaidMeter {
  if (keyless.rails.length === 0) requireCaller(request)
  const [path = ''] = request.url.split('?')
  return keyless.meter({
    path,
    description: 'An answer of a language model.',
    bodyText: request.bodyText,
    payment: request.server.paymentHeaders.read(request),
    requestHeader: headersOf(request),
  })
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function openStream(
  reply: FastifyReply,
  { headers, readerMs }: { headers: Record<string, string>; readerMs: number },
): EventSink {
  const raw = openEventStream(reply, { headers, readerMs })
  return {
    write: (events) => raw.write(events, 'latin1'),
    onDrain: (resume) => raw.on('drain', resume),
    trailers: (sent) => raw.addTrailers(sent),
  }
}

/** Aborted when the caller leaves before the end of the answer. */
export function whenLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort()
  })
  return left.signal
}

/** For `catch`. Without this header some clients wait until midnight to retry. */
export const adviseOnRetry =
  (reply: FastifyReply) =>
  (error: CallError): never => {
    const { reason } = membersOf(error.data)
    if (reason === 'inference_cap' || reason === 'uncharged_cap')
      reply.header('x-should-retry', 'false')
    throw error
  }
