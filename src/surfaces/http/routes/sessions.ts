// /api/v1/sessions: resources that stay open between calls.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { inlineBytesMax } from '#core/file-transfer/order.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { SessionRegistry } from '#runner/sessions/registry.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { wantsEvents } from '../../doors/event-stream.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { defineRoute } from '../../doors/route.ts'
import {
  commandAnswer,
  createSessionRun,
  jobAnswer,
  sessionRunBody,
  streamSessionRun,
} from '../../doors/session-run.ts'
import { anyObject, integer, list, objectWith, page, text, textOrNull } from '../../doors/shapes.ts'
import { showSession } from '../../doors/show-session.ts'
import { bodyBytesMax } from '../body.ts'
import { pageFields, pageOf } from '../paging.ts'

/** Base64 is a third longer. The rest of the body is the program and the names. */
const runBytesMax = Math.ceil(inlineBytesMax / 3) * 4 + bodyBytesMax

export const sessionsQuery = z.strictObject({
  status: z.enum(['live']).optional().describe('live: without those that are closed.'),
  ...pageFields,
})

export const sessionFields = {
  session_id: text,
  action: text,
  status: { enum: ['opening', 'open', 'suspended', 'closed'] },
  cost_cents: integer,
  cost_usd: text,
  charged_cents: integer,
  charged_usd: text,
  held_cents: integer,
  held_usd: text,
  used_seconds: anyObject,
  created_at: text,
  last_used_at: textOrNull,
  ended_at: textOrNull,
}
export const sessionExtras = {
  close_reason: { ...text, description: 'Why it was closed.' },
  files_unsaved_since: {
    ...text,
    description:
      'Copies of its files have failed since then: what was changed is lost if it stops. Read out what you need, and delete what is too large.',
  },
}
export const shownSession = objectWith(sessionFields, sessionExtras)

export const listSessions = defineRoute({
  method: 'get',
  path: '/api/v1/sessions',
  who: 'owner',
  summary: 'The sessions and rented browsers of the account, newest first.',
  query: sessionsQuery,
  answer: page({ sessions: list(shownSession) }),
  errors: ['bad_request'],
})
export const readSession = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}',
  who: 'owner',
  summary: 'One session with its use and its cost so far.',
  answer: shownSession,
  errors: ['not_found'],
})
export const closeSession = defineRoute({
  method: 'delete',
  path: '/api/v1/sessions/{id}',
  who: 'owner',
  summary:
    'Close a session: its use is charged, and the rest of its hold released. A browser is released. Repeating it changes nothing.',
  answer: shownSession,
  errors: ['not_found'],
})
export const runInOpenSession = defineRoute({
  method: 'post',
  path: '/api/v1/sessions/{id}/run',
  who: 'owner',
  summary: 'Run a shell command or code in a session, with files before and after it.',
  body: sessionRunBody,
  checksInput: true,
  once: true,
  answer: { anyOf: [commandAnswer, jobAnswer] },
  events:
    'stdout and stderr with {text} while the command runs, then result with the answer, or error with the error body.',
  errors: [
    'bad_request',
    'not_found',
    'payload_too_large',
    'file_pending',
    'session_closed',
    'idempotency_key_reused',
    'too_many_inflight',
    'session_elsewhere',
  ],
})

export function addSessionRoutes(
  server: FastifyInstance,
  {
    sessions,
    registry,
    filesOf,
  }: {
    sessions: Sessions
    registry: SessionRegistry
    filesOf: OpenCallerFiles
  },
) {
  addRoute(server, listSessions, async ({ caller, query: { status, cursor, limit } }) => {
    const page = { after: cursor, limit: limit + 1, live: status === 'live' }
    const found = await registry.list(ownerOf(caller), page)
    const { rows, next_cursor } = pageOf(found, limit, (session) => session.cursor)
    return { sessions: rows.map(showSession), next_cursor }
  })

  addRoute(server, readSession, async ({ caller, params }) =>
    showSession(await registry.find(ownerOf(caller), params.id)),
  )

  addRoute(server, closeSession, async ({ caller, params }) =>
    showSession(await registry.close(ownerOf(caller), params.id)),
  )

  const runInSession = createSessionRun({ sessions, registry, filesOf })
  const answerRun: Handler<typeof runInOpenSession> = async (
    { request, caller, params, body },
    reply,
  ) => {
    const order = { id: params.id, body, idempotencyKey: idempotencyKeyOf(request) }
    if (wantsEvents(request.headers.accept)) {
      await streamSessionRun(reply, (onOutput) => runInSession(caller, { ...order, onOutput }))
      return reply
    }
    const { answer, replayed } = await runInSession(caller, order)
    if (replayed) reply.header('idempotency-replayed', 'true')
    return answer
  }
  addRoute(server, runInOpenSession, answerRun, { bodyLimit: runBytesMax })
}
