// /api/v1/sessions: resources that stay open between calls.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { fileFields, inlineBytesMax, orderOf } from '#core/file-transfer/order.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import { isUuid } from '#core/id.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import { priceOfUse } from '#runner/sessions/metering.ts'
import type { SessionRow } from '#runner/sessions/session-rows.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { bodyBytesMax } from '../body.ts'
import { idempotencyKeyOf, readInput, showAmount } from '../input.ts'
import { createOwnerCheck } from '../owner.ts'

const sessionsPerPageMax = 100
const commandCharactersMax = 1_000_000
const timeoutSecondsMax = 600
const timeoutSecondsDefault = 60
/** Base64 is a third longer. The rest of the body is the program and the names. */
const runBytesMax = Math.ceil(inlineBytesMax / 3) * 4 + bodyBytesMax

export const sessionsQuery = z.strictObject({
  status: z.enum(['live']).optional().describe('live: without those that are closed.'),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(sessionsPerPageMax).default(20),
})

export const sessionRunBody = z
  .strictObject({
    command: z.string().min(1).max(commandCharactersMax).optional().describe('A shell command.'),
    code: z.string().min(1).max(commandCharactersMax).optional(),
    language: z
      .enum(['python', 'javascript', 'bash'])
      .optional()
      .describe('Of code. Default python.'),
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
    keyless,
    filesOf,
  }: { sessions: Sessions; keyless: Keyless; filesOf: OpenCallerFiles },
) {
  const requireOwner = createOwnerCheck(server, keyless)
  const at = '/api/v1/sessions/:id'
  const idOf = ({ id }: { id: string }) => {
    if (isUuid(id)) return id
    throw notFound()
  }

  server.get('/api/v1/sessions', async (request) => {
    const owner = ownerOf(await requireOwner(request))
    const { status, cursor, limit } = readInput(sessionsQuery, request.query)
    const live = status === 'live'
    const found = await sessions.list(owner, { after: cursor, limit: limit + 1, live })
    return showSessionPage(found, limit)
  })

  server.get<SessionRoute>(at, async (request) => {
    const session = await sessions.find(ownerOf(await requireOwner(request)), idOf(request.params))
    if (session === undefined) throw notFound()
    return showSession(session)
  })

  server.delete<SessionRoute>(at, async (request) =>
    showSession(await sessions.close(ownerOf(await requireOwner(request)), idOf(request.params))),
  )

  server.post<SessionRoute>(`${at}/run`, { bodyLimit: runBytesMax }, async (request, reply) => {
    const caller = await requireOwner(request)
    const input = readInput(sessionRunBody, request.body)
    const { command, code, language = 'python', timeout } = input
    const order = orderOf(input)
    const timeoutMs = timeout * 1_000
    const program = command === undefined ? { code: code ?? '', language } : { command }
    const transfer = order && { order, store: filesOf(caller, undefined), bytesMax: inlineBytesMax }
    const answer = await sessions.run(
      ownerOf(caller),
      idOf(request.params),
      { ...program, timeoutMs, ...(transfer && { transfer }) },
      readIdempotencyKey(idempotencyKeyOf(request)),
    )
    const { stdout, stderr, exitCode, timedOut, truncated, files, replayed } = answer
    if (replayed) reply.header('idempotency-replayed', 'true')
    return {
      ...{ stdout, stderr, exit_code: exitCode, timed_out: timedOut },
      ...(truncated && { truncated }),
      ...(files && { files }),
    }
  })
}

const notFound = () => fail('not_found', { message: 'There is no such session.' })

export function showSessionPage(found: readonly SessionRow[], limit: number, show = showSession) {
  const page = found.slice(0, limit)
  return {
    sessions: page.map((session) => show(session)),
    next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

/** The cost of an open session is what its use has cost so far; it is charged when the session is settled. */
export function showSession(session: SessionRow) {
  const { id, action, state, tariff, used, settled, held, closeReason } = session
  const isOver = state === 'closing' || state === 'closed'
  return {
    session_id: id,
    action,
    status: isOver ? 'closed' : state,
    ...(closeReason === null ? {} : { close_reason: closeReason }),
    ...showAmount('cost', isOver ? settled : priceOfUse(tariff, used), 'up'),
    ...showAmount('charged', settled, 'up'),
    ...showAmount('held', held ?? 0, 'up'),
    used_seconds: used,
    created_at: session.createdAt,
    last_used_at: session.lastUsedAt,
    ended_at: session.endedAt,
  }
}
