// Answers that are sent as server-sent events.
import type { FastifyReply } from 'fastify'

/**
 * `raw` takes the events. A client that reads nothing for `readerMs` counts as gone, even if its connection is still
 * up.
 */
export function openEventStream(
  reply: FastifyReply,
  { headers = {}, readerMs }: { headers?: Readonly<Record<string, string>>; readerMs: number },
) {
  const { raw } = reply
  reply.hijack()
  raw.setTimeout(readerMs, () => {
    if (raw.writableLength > 0) raw.destroy()
  })
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  return raw
}

/** Whether the client asks for events, and does not also take one answer. */
export function wantsEvents(accept = ''): boolean {
  const types = accept.split(',').map((each) => each.split(';')[0]?.trim().toLowerCase())
  return types.includes('text/event-stream') && !types.includes('application/json')
}
