// Remembers replies that serve several calls, such as lists that seldom change. Each service has its own memory.
import { LRUCache } from 'lru-cache'
import type { Clock, HttpReply, HttpRequest } from '#core/ports.ts'

const bytesMax = 48_000_000
const bytesPerCharacter = 2

interface Remembered {
  readonly reply: HttpReply
  readonly goodUntilMs: number
}

/** Calls `ask` for requests that are not remembered. Replies are remembered only if the request allows it. */
export function createReplyMemory({ clock }: { clock: Clock }) {
  const replies = new LRUCache<string, Remembered>({
    maxSize: bytesMax,
    sizeCalculation: ({ reply }) => JSON.stringify(reply.body ?? '').length * bytesPerCharacter + 1,
  })

  return async (
    request: HttpRequest,
    ask: (request: HttpRequest) => Promise<HttpReply>,
  ): Promise<HttpReply> => {
    const { method, rememberSeconds } = request
    if (rememberSeconds === undefined || method !== 'GET') return await ask(request)
    const { path, query, host, as, headers } = request
    const key = JSON.stringify([host, path, query, as, headers])
    const known = replies.get(key)
    if (known !== undefined && known.goodUntilMs > clock.now()) return known.reply
    const reply = await ask(request)
    const goodUntilMs = clock.now() + rememberSeconds * 1_000
    if (reply.status === 200 && reply.paid === undefined) replies.set(key, { reply, goodUntilMs })
    return reply
  }
}
