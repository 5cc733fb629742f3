// The rented browsers of all accounts, for the operator.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import type { BrowserSession } from '#features/machines/browser/session-rows.ts'
import type { Operations } from './operations.ts'

const browsersListedMax = 1_000

export interface AdminBrowsers {
  /** Newest first. */
  listActive(limit: number): Promise<readonly BrowserSession[]>
  /** Ends a session, here or at the vendor. Undefined when there is none. */
  end(id: string): Promise<BrowserSession | undefined>
}

export function addAdminBrowserRoutes(
  admin: FastifyInstance,
  prefix: string,
  { browsers, operations }: { browsers: AdminBrowsers; operations: Operations },
) {
  admin.get(`${prefix}/browsers`, async () => ({
    browsers: (await browsers.listActive(browsersListedMax)).map(show),
  }))
  admin.delete<{ Params: { id: string } }>(`${prefix}/browsers/:id`, async (request) => {
    const { id } = request.params
    await operations.announce(request, { action: 'browser.end', subject: id })
    const ended = await browsers.end(id)
    if (ended === undefined)
      throw fail('not_found', { message: 'There is no such browser session.' })
    return show(ended)
  })
}

function show(session: BrowserSession) {
  const { id, accountId, status, gatewayId, paidMinutes, remainingMs, country } = session
  return {
    session_id: id,
    account_id: accountId,
    status,
    place: gatewayId === null ? 'vendor' : 'here',
    gateway: gatewayId,
    paid_minutes: paidMinutes,
    remaining_seconds: Math.floor(remainingMs / 1_000),
    keep_alive: session.keepAlive,
    country,
    started_at: new Date(session.startedAtMs).toISOString(),
    expires_at: session.expiresAt,
  }
}
