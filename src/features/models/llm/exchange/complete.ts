// A whole answer: read to its end before any of it is passed on.
import type { Dispatcher } from 'undici'
import type { ChatRequest } from '../request/request.ts'
import type { Route } from '../routing/models.ts'
import type { WholeAnswer } from '../wire/wire.ts'
import { type Exchange, type ExchangeTimeouts, openExchange } from './exchange.ts'
import type { Billed, UpstreamFailure } from './failure.ts'
import type { UpstreamRequest } from './send.ts'

const answerBytesMax = 16_000_000
export const answerTooLarge: UpstreamFailure = {
  kind: 'unreadable',
  reason: 'an answer that is too large',
}

/** Resolves to the answer or to the reason why there is none. Rejects with the signal's reason if the caller leaves. */
export function completeOnce(options: {
  dispatcher: Dispatcher
  route: Route
  chat: ChatRequest
  timeouts: ExchangeTimeouts
  gone: AbortSignal
}): Promise<WholeAnswer | UpstreamFailure> {
  const { dispatcher, route, chat, timeouts, gone } = options
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined
    const answer = collectAnswer(route)
    const settle = (result: WholeAnswer | UpstreamFailure) => {
      gone.removeEventListener('abort', leave)
      resolve(result)
    }
    const leave = () => {
      exchange?.stop()
      reject(gone.reason)
    }
    exchange = openExchange(dispatcher, requestFor(route, chat), timeouts, {
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

export interface CollectedAnswer {
  /** False once the answer is too large. */
  add(chunk: Buffer): boolean
  read(): WholeAnswer | UpstreamFailure
  /** The failure that ended the answer. An upstream that has begun to answer bills at least what it has read. */
  brokenOff(failure: UpstreamFailure): UpstreamFailure
}

export function collectAnswer({ upstream: { wire } }: Route): CollectedAnswer {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk) {
      bytes += chunk.length
      chunks.push(chunk)
      return bytes <= answerBytesMax
    },
    read() {
      let json: unknown
      try {
        json = JSON.parse(joined(chunks).toString())
        const read = wire.readAnswer(json)
        return 'kind' in read ? { ...read, billed: toldOnly(wire.readBill(json)) } : read
      } catch (error) {
        const billed = { deliveredBytes: bytes, ...wire.readBill(json) }
        return { kind: 'unreadable', reason: (error as Error).name, billed }
      }
    },
    brokenOff: (failure) =>
      bytes === 0 ? failure : { ...failure, billed: { deliveredBytes: bytes } },
  }
}

export function requestFor({ upstream, upstreamModel }: Route, chat: ChatRequest): UpstreamRequest {
  const { wire, origin, basePath, headers, maxTokensField, takesCacheKey, extraFields } = upstream
  const cacheKey = takesCacheKey ? chat.promptCacheKey : undefined
  return {
    origin,
    path: basePath + wire.path,
    headers: {
      'content-type': 'application/json',
      accept: chat.stream ? 'text/event-stream' : 'application/json',
      ...headers,
    },
    body: wire.writeRequest(chat, { upstreamModel, maxTokensField, cacheKey, extraFields }),
  }
}
