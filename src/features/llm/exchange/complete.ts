// A whole answer, read to its end before anything of it is passed on.
import type { Dispatcher } from 'undici'
import type { ChatRequest } from '../request/request.ts'
import type { Route } from '../routing/models.ts'
import type { WholeAnswer } from '../wire/wire.ts'
import { type Exchange, openExchange, type Patience } from './exchange.ts'
import type { UpstreamFailure } from './failure.ts'

export const answerBytesMax = 16_000_000

/** Resolves to the answer or to why there is none. Rejects with the signal's reason once the caller is gone. */
export function completeOnce(options: {
  dispatcher: Dispatcher
  route: Route
  chat: ChatRequest
  patience: Patience
  gone: AbortSignal
}): Promise<WholeAnswer | UpstreamFailure> {
  const { dispatcher, route, chat, patience, gone } = options
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    const settle = (result: WholeAnswer | UpstreamFailure) => {
      gone.removeEventListener('abort', leave)
      resolve(result)
    }
    const leave = () => {
      exchange?.stop()
      reject(gone.reason)
    }
    exchange = openExchange(dispatcher, requestFor(route, chat), patience, {
      onData(chunk) {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes <= answerBytesMax) return
        exchange?.stop()
        settle({ kind: 'unreadable', reason: 'an answer that is too large' })
      },
      onEnd: () => settle(readAnswer(route, chunks)),
      onFailure: settle,
    })
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  })
}

export function readAnswer(
  { upstream }: Route,
  chunks: readonly Buffer[],
): WholeAnswer | UpstreamFailure {
  try {
    const [only] = chunks
    const text = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
    return upstream.wire.readAnswer(JSON.parse(text.toString()))
  } catch (error) {
    return { kind: 'unreadable', reason: (error as Error).name }
  }
}

export function requestFor({ upstream, upstreamModel }: Route, chat: ChatRequest) {
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
