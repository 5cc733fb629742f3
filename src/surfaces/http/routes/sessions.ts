// /api/v1/sessions: resources that stay open between calls.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { inlineBytesMax } from '#core/file-transfer/order.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { PrepaidSessions, SessionSummary } from '#core/session.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { bodyBytesMax } from '../body.ts'
import { wantsEvents } from '../event-stream.ts'
import { idempotencyKeyOf, readInput, showAmount } from '../input.ts'
import { createOwnerCheck } from '../owner.ts'
import { pageFields, pageOf } from '../paging.ts'
import { createSessionDirectory } from '../session-directory.ts'
import { createSessionRun, streamSessionRun } from './session-run.ts'

/** Base64 is a third longer. The rest of the body is the program and the names. */
const runBytesMax = Math.ceil(inlineBytesMax / 3) * 4 + bodyBytesMax

export const sessionsQuery = z.strictObject({
  status: z.enum(['live']).optional().describe('live: without those that are closed.'),
  ...pageFields,
})

interface SessionRoute {
  Params: { id: string }
}

export function addSessionRoutes(
  server: FastifyInstance,
  {
    sessions,
    prepaid,
    keyless,
    filesOf,
  }: {
    sessions: Sessions
    prepaid: PrepaidSessions
    keyless: Keyless
    filesOf: OpenCallerFiles
  },
) {
  const requireOwner = createOwnerCheck(server, keyless)
  const at = '/api/v1/sessions/:id'
  const directory = createSessionDirectory({ sessions, prepaid })

  server.get('/api/v1/sessions', async (request) => {
    const owner = ownerOf(await requireOwner(request))
    const { status, cursor, limit } = readInput(sessionsQuery, request.query)
    const page = { after: cursor, limit: limit + 1, live: status === 'live' }
    return showSessionPage(await directory.list(owner, page), limit, showSession)
  })

  server.get<SessionRoute>(at, async (request) => {
    const owner = ownerOf(await requireOwner(request))
    return showSession(await directory.find(owner, request.params.id))
  })

  server.delete<SessionRoute>(at, async (request) => {
    const owner = ownerOf(await requireOwner(request))
    return showSession(await directory.close(owner, request.params.id))
  })

  const runInSession = createSessionRun({ sessions, directory, filesOf })
  server.post<SessionRoute>(`${at}/run`, { bodyLimit: runBytesMax }, async (request, reply) => {
    const caller = await requireOwner(request)
    const { id } = request.params
    const order = { id, body: request.body, idempotencyKey: idempotencyKeyOf(request) }
    if (wantsEvents(request.headers.accept)) {
      await streamSessionRun(reply, (onOutput) => runInSession(caller, { ...order, onOutput }))
      return reply
    }
    const { answer, replayed } = await runInSession(caller, order)
    if (replayed) reply.header('idempotency-replayed', 'true')
    return answer
  })
}

/** `found` has one session more than the page, if there are more. */
export function showSessionPage<Session extends { readonly cursor: string }>(
  found: readonly Session[],
  limit: number,
  show: (session: Session) => object,
) {
  const { rows, next_cursor } = pageOf(found, limit, ({ cursor }) => cursor)
  return { sessions: rows.map((session) => show(session)), next_cursor }
}

export function showSession(session: SessionSummary) {
  const { closeReason } = session
  return {
    session_id: session.id,
    action: session.action,
    status: session.status,
    ...(closeReason === null ? {} : { close_reason: closeReason }),
    ...showAmount('cost', session.cost, 'up'),
    ...showAmount('charged', session.charged, 'up'),
    ...showAmount('held', session.held, 'up'),
    used_seconds: session.used,
    created_at: session.createdAt,
    last_used_at: session.lastUsedAt,
    ended_at: session.endedAt,
  }
}
