// The sessions of all accounts, for the operator.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import { summarize } from '#runner/sessions/registry.ts'
import type { SessionRow } from '#runner/sessions/session-rows.ts'
import type { Pressure, Sessions } from '#runner/sessions/sessions.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, objectWith, page, text, textOrNull } from '../../doors/shapes.ts'
import { showSession } from '../../doors/show-session.ts'
import { pageOf } from '../paging.ts'
import { sessionExtras, sessionFields, sessionsQuery } from '../routes/sessions.ts'
import { type AccountNames, accountName, withAccountNames } from './account-names.ts'
import type { Operations } from './operations.ts'

const noSession = 'There is no such session.'

const operatedSession = objectWith(
  {
    ...sessionFields,
    age_seconds: integer,
    account_id: text,
    key_id: textOrNull,
    gateway: textOrNull,
  },
  { ...sessionExtras, ...accountName },
)

export const listAllSessions = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/sessions`,
  who: 'operator',
  summary: 'The sessions of all accounts, newest first.',
  query: sessionsQuery,
  answer: page({ sessions: list(operatedSession) }),
})
export const endSession = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/sessions/{id}`,
  who: 'operator',
  role: 'support',
  summary: 'Close a session.',
  ids: { id: noSession },
  answer: operatedSession,
})

/** Adds to the operator's routes, which require ADMIN_TOKEN. */
export function addAdminSessionRoutes(
  admin: FastifyInstance,
  {
    sessions,
    operations,
    accounts,
  }: {
    sessions: Pick<Sessions, 'list' | 'get' | 'kill'>
    operations: Operations
    accounts: AccountNames
  },
) {
  addRoute(admin, listAllSessions, async ({ query: { status, cursor, limit } }) => {
    const page = { after: cursor, limit: limit + 1, live: status === 'live' }
    const { rows, next_cursor } = pageOf(await sessions.list({}, page), limit, ({ id }) => id)
    return { sessions: await withAccountNames(accounts, rows.map(showWithOwner)), next_cursor }
  })
  addRoute(admin, endSession, async ({ request, params: { id } }) => {
    if ((await sessions.get(id)) === undefined) throw fail('not_found', { message: noSession })
    await operations.announce(request, { action: 'session.close', subject: id })
    const session = await sessions.kill(id)
    if (session === undefined) throw fail('not_found', { message: noSession })
    return showWithOwner(session)
  })
}

/** The sessions of this machine in the health report. `pressure`: the share of its places that is taken. */
export const showPressure = (all: readonly Pressure[]) =>
  all.map(({ action, open, openMax, suspended, closing }) => ({
    action,
    open,
    open_max: openMax,
    pressure: open / openMax,
    suspended,
    // Settled, with a resource that could not be removed yet: it is tried again.
    to_remove: closing,
  }))

const showWithOwner = (session: SessionRow) => ({
  ...showSession(summarize(session)),
  age_seconds: Math.floor(
    ((session.endedAt ?? session.lastSeenAt).getTime() - session.createdAt.getTime()) / 1_000,
  ),
  account_id: session.accountId,
  key_id: session.keyId,
  gateway: session.gatewayId,
})
