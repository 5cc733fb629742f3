// The rented browsers of all accounts, for the operator.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import type { BrowserSession } from '#features/machines/browser/session-rows.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, object, objectWith, text, textOrNull, truth } from '../../doors/shapes.ts'
import { type AccountNames, accountName, withAccountNames } from './account-names.ts'
import type { Operations } from './operations.ts'

const browsersListedMax = 1_000

export interface AdminBrowsers {
  /** Newest first. */
  listActive(limit: number): Promise<readonly BrowserSession[]>
  find(id: string): Promise<BrowserSession | undefined>
  /** Ends a session, here or at the vendor. Undefined when there is none. */
  end(id: string): Promise<BrowserSession | undefined>
}

const fields = {
  session_id: text,
  account_id: text,
  status: text,
  place: { enum: ['vendor', 'here'] },
  gateway: textOrNull,
  paid_minutes: integer,
  remaining_seconds: integer,
  keep_alive: truth,
  country: textOrNull,
  started_at: text,
  expires_at: textOrNull,
}
const browser = objectWith(fields, accountName)

export const listBrowsers = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/browsers`,
  who: 'operator',
  summary: 'The rented browsers.',
  answer: object({ browsers: list(browser) }),
})
export const endBrowser = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/browsers/{id}`,
  who: 'operator',
  role: 'support',
  summary: 'End a rented browser.',
  answer: browser,
})

export function addAdminBrowserRoutes(
  admin: FastifyInstance,
  {
    browsers,
    operations,
    accounts,
  }: { browsers: AdminBrowsers; operations: Operations; accounts: AccountNames },
) {
  addRoute(admin, listBrowsers, async () => ({
    browsers: await withAccountNames(
      accounts,
      (await browsers.listActive(browsersListedMax)).map(show),
    ),
  }))
  addRoute(admin, endBrowser, async ({ request, params: { id } }) => {
    if ((await browsers.find(id)) === undefined) throw noBrowser()
    await operations.announce(request, { action: 'browser.end', subject: id })
    const ended = await browsers.end(id)
    if (ended === undefined) throw noBrowser()
    return show(ended)
  })
}

const noBrowser = () => fail('not_found', { message: 'There is no such browser session.' })

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
