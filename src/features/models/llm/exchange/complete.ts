// A whole answer: read to its end before any of it is passed on.
import type { Dispatcher } from 'undici'
import { errorOf } from '#core/errors.ts'
import { mayThink } from '#core/pricing/thinking.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import type { Route } from '../routing/models.ts'
import { answerTokensMax } from '../routing/plan.ts'
import type { WholeAnswer } from '../wire/wire.ts'
import { type Exchange, type ExchangeTimeouts, openExchange } from './exchange.ts'
import type { Billed, UpstreamFailure } from './failure.ts'
import type { UpstreamRequest } from './send.ts'

const answerBytesMax = 16_000_000
export const answerTooLarge: UpstreamFailure = {
  kind: 'unreadable',
  reason: 'an answer that is too large',
}

interface Exchanging {
  readonly dispatcher: Dispatcher
  readonly timeouts: ExchangeTimeouts
  readonly gone: AbortSignal
}

/** Resolves to the answer or to the reason why there is none. Rejects with the signal's reason if the caller leaves. */
export const completeOnce = ({
  route,
  chat,
  ...exchanging
}: Exchanging & {
  readonly route: Route
  readonly chat: ModelRequest
}): Promise<WholeAnswer | UpstreamFailure> =>
  collectOnce(requestFor(route, chat), collectAnswer(route), exchanging)

/** As `completeOnce`, for any request and answer. */
export function collectOnce<Answer>(
  request: UpstreamRequest,
  answer: CollectedAnswer<Answer>,
  { dispatcher, timeouts, gone }: Exchanging,
): Promise<Answer | UpstreamFailure> {
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined
    const settle = (result: Answer | UpstreamFailure) => {
      gone.removeEventListener('abort', leave)
      resolve(result)
    }
    const leave = () => {
      exchange?.stop()
      reject(gone.reason)
    }
    exchange = openExchange(dispatcher, request, timeouts, {
      onData(chunk) {
        if (answer.add(chunk)) return
        exchange?.stop()
        settle(answer.brokenOff(answerTooLarge))
      },
      onEnd: () => settle(answer.read()),
      onFailure: (failure) => settle(answer.brokenOff(failure)),
    })
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  })
}

const joined = (chunks: readonly Buffer[]) =>
  chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)

/** An error in place of an answer is billed only if it says so. */
const toldOnly = (bill: Billed) =>
  bill.usage === undefined && bill.costUsd === undefined ? undefined : bill

export interface CollectedAnswer<Answer = WholeAnswer> {
  /** False once the answer is too large. */
  add(chunk: Buffer): boolean
  read(): Answer | UpstreamFailure
  /** The failure that ended the answer. An upstream that has begun to answer bills at least what it has read. */
  brokenOff(failure: UpstreamFailure): UpstreamFailure
}

export const collectAnswer = ({ upstream: { wire } }: Route): CollectedAnswer =>
  collectBytes<WholeAnswer>(answerBytesMax, (reply) => {
    let json: unknown
    try {
      json = JSON.parse(reply.toString())
      const read = wire.readAnswer(json)
      return 'kind' in read ? { ...read, billed: toldOnly(wire.readBill(json)) } : read
    } catch (error) {
      const bill = wire.readBill(json)
      const billed = bill.usage === undefined ? { ...bill, deliveredBytes: reply.length } : bill
      return { kind: 'unreadable', reason: errorOf(error).name, billed }
    }
  })

export function collectBytes<Answer>(
  bytesMax: number,
  read: (reply: Buffer) => Answer | UpstreamFailure,
): CollectedAnswer<Answer> {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk) {
      bytes += chunk.length
      chunks.push(chunk)
      return bytes <= bytesMax
    },
    read: () => read(joined(chunks)),
    brokenOff: (failure) =>
      bytes === 0 ? failure : { ...failure, billed: { deliveredBytes: bytes } },
  }
}

export function requestFor(
  route: Route,
  asked: ModelRequest,
): UpstreamRequest & { readonly body: string } {
  const { slug, price, upstream, upstreamModel } = route
  const { wire, origin, basePath, headers, maxTokensField, takesCacheKey } = upstream
  const maxTokens = answerTokensMax(asked, route)
  const chat = maxTokens === asked.maxTokens ? asked : { ...asked, maxTokens }
  return {
    origin,
    path: basePath + wire.path(chat, upstreamModel),
    headers: {
      'content-type': 'application/json',
      accept: chat.stream ? 'text/event-stream' : 'application/json',
      ...headers,
    },
    body: wire.writeRequest(chat, {
      slug,
      upstreamModel,
      mayThink: mayThink(slug, price.thinks),
      maxTokensField,
      cacheKey: takesCacheKey ? chat.promptCacheKey : undefined,
      takesCacheMarks: upstream.takesCacheMarks,
      extraFields: upstream.extraFields,
    }),
  }
}
