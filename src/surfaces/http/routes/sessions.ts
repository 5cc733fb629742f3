// /api/v1/sessions: resources that stay open between calls.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import { fileFields, inlineBytesMax, orderOf } from '#core/file-transfer/order.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { PrepaidSessions, SessionSummary } from '#core/session.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { bodyBytesMax } from '../body.ts'
import { idempotencyKeyOf, readInput, showAmount } from '../input.ts'
import { createOwnerCheck } from '../owner.ts'
import { pageFields, pageOf } from '../paging.ts'
import { createSessionDirectory, type SessionDirectory } from '../session-directory.ts'

const commandCharactersMax = 1_000_000
const timeoutSecondsMax = 600
const timeoutSecondsDefault = 60
/** Base64 is a third longer. The rest of the body is the program and the names. */
const runBytesMax = Math.ceil(inlineBytesMax / 3) * 4 + bodyBytesMax

export const sessionsQuery = z.strictObject({
  status: z.enum(['live']).optional().describe('live: without those that are closed.'),
  ...pageFields,
})

export const sessionRunBody = z
  .strictObject({
    command: z.string().min(1).max(commandCharactersMax).optional().describe('A shell command.'),
    code: z.string().min(1).max(commandCharactersMax).optional(),
    language: z
      .enum(['python', 'javascript', 'bash'])
      .optional()
      .describe('Of code. Default: that of the session’s template, python for most.'),
    timeout: z
      .int()
      .min(1)
      .max(timeoutSecondsMax)
      .default(timeoutSecondsDefault)
      .describe('Seconds.'),
    ...fileFields(inlineBytesMax),
  })
  .refine(({ command, code }) => (command === undefined) !== (code === undefined), {
    message: 'Send either command or code',
  })
  .refine(({ command, language }) => command === undefined || language === undefined, {
    message: 'language belongs to code; a command is run by the shell',
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
    const { answer, replayed } = await runInSession(await requireOwner(request), {
      id: request.params.id,
      body: request.body,
      idempotencyKey: idempotencyKeyOf(request),
    })
    if (replayed) reply.header('idempotency-replayed', 'true')
    return answer
  })
}

/** Runs a command or code in a session of the caller. Throws `bad_request`, `not_found`, `session_closed`. */
export type RunInSession = (
  caller: Caller,
  request: {
    readonly id: string
    readonly body: unknown
    readonly idempotencyKey: string | undefined
  },
) => Promise<{ readonly answer: object; readonly replayed: boolean }>

export function createSessionRun({
  sessions,
  directory,
  filesOf,
}: {
  sessions: Pick<Sessions, 'run'>
  directory: Pick<SessionDirectory, 'requireCommands'>
  filesOf: OpenCallerFiles
}): RunInSession {
  return async (caller, { id, body, idempotencyKey }) => {
    const owner = ownerOf(caller)
    const input = readInput(sessionRunBody, body)
    await directory.requireCommands(owner, id)
    const { command, code, language, timeout } = input
    const order = orderOf(input)
    const timeoutMs = timeout * 1_000
    const program = command === undefined ? { code: code ?? '', language } : { command }
    const transfer = order && { order, store: filesOf(caller, undefined), bytesMax: inlineBytesMax }
    const ran = await sessions.run(
      owner,
      id,
      { ...program, timeoutMs, ...(transfer && { transfer }) },
      readIdempotencyKey(idempotencyKey),
    )
    const { stdout, stderr, exitCode, timedOut, truncated, files, replayed } = ran
    const answer = {
      ...{ stdout, stderr, exit_code: exitCode, timed_out: timedOut },
      ...(truncated && { truncated }),
      ...(files && { files }),
    }
    return { answer, replayed: replayed === true }
  }
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
