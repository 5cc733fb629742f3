// Requests that are under way. A client of revision 2025-11-25 cancels one by a message of its own, and says by the id
// of its session which client it is. The gateway keeps nothing of a session but this.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

export const sessionHeader = 'mcp-session-id'

export interface RunningRequests {
  /** A session for a client that begins one with this body. */
  sessionFor(body: unknown): string | undefined
  /** Calls `stop` when the client cancels a request of this body. Returns what ends that. */
  begin(request: FastifyRequest, stop: () => void): () => void
  /** What the body cancels is stopped. */
  cancel(request: FastifyRequest): void
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown }
}

export function createRunningRequests(): RunningRequests {
  const stops = new Map<string, () => void>()

  return {
    sessionFor: (body) =>
      messagesOf(body).some(({ method }) => method === 'initialize') ? randomUUID() : undefined,
    begin(request, stop) {
      const names = messagesOf(request.body).flatMap(({ id }) => nameOf(request, id))
      for (const name of names) stops.set(name, stop)
      return () => {
        for (const name of names) if (stops.get(name) === stop) stops.delete(name)
      }
    },
    cancel(request) {
      for (const { method, params } of messagesOf(request.body))
        if (method === 'notifications/cancelled')
          for (const name of nameOf(request, params?.requestId)) stops.get(name)?.()
    },
  }
}

const messagesOf = (body: unknown): readonly Message[] =>
  [body].flat().filter((each): each is Message => typeof each === 'object' && each !== null)

/** Of a request: no other caller can name it. Empty without a session. */
function nameOf({ caller, headers }: FastifyRequest, id: unknown): readonly string[] {
  const session = headers[sessionHeader]
  if (session === undefined || (typeof id !== 'string' && typeof id !== 'number')) return []
  return [JSON.stringify([caller?.keyId, session, id])]
}
