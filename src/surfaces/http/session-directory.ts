// The sessions of an owner, of all kinds: those of the engine, and those that are paid ahead.
import type { Owner } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { PrepaidSessions, SessionPage, SessionSummary } from '#core/session.ts'
import { priceOfUse } from '#runner/sessions/metering.ts'
import type { SessionRow } from '#runner/sessions/session-rows.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'

export type SessionDirectory = ReturnType<typeof createSessionDirectory>

export function createSessionDirectory({
  sessions,
  prepaid,
}: {
  readonly sessions: Pick<Sessions, 'list' | 'find' | 'close'>
  readonly prepaid: PrepaidSessions
}) {
  const findMetered = async (owner: Owner, id: string) =>
    isUuid(id) ? await sessions.find(owner, id) : undefined

  return {
    /** The newest first. More than the page takes, if there are more. */
    async list(owner: Owner, page: SessionPage): Promise<SessionSummary[]> {
      const metered = (await sessions.list(owner, page)).map(summarize)
      return [...metered, ...(await prepaid.list(owner, page))].sort(newestFirst)
    },
    /** Throws `not_found`. */
    async find(owner: Owner, id: string): Promise<SessionSummary> {
      const metered = await findMetered(owner, id)
      return metered ? summarize(metered) : ((await prepaid.find(owner, id)) ?? missing())
    },
    /** Throws `not_found`. */
    async close(owner: Owner, id: string): Promise<SessionSummary> {
      if (await findMetered(owner, id)) return summarize(await sessions.close(owner, id))
      return (await prepaid.close(owner, id)) ?? missing()
    },
    /** Throws `not_found`, and `bad_request` for a session that runs no commands. */
    async requireCommands(owner: Owner, id: string): Promise<void> {
      if (await findMetered(owner, id)) return
      if ((await prepaid.find(owner, id)) === undefined) missing()
      throw fail('bad_request', {
        message:
          'A browser runs no commands: connect to connectUrl, which ns_browser/session_status gives, with Playwright or Puppeteer.',
      })
    },
  }
}

/** The cost of an open session is what its use has cost so far; it is charged when the session is settled. */
export function summarize(session: SessionRow): SessionSummary {
  const { id, state, tariff, used, settled, held } = session
  const isOver = state === 'closing' || state === 'closed'
  return {
    ...session,
    cursor: id,
    status: isOver ? 'closed' : state,
    cost: isOver ? settled : priceOfUse(tariff, used),
    charged: settled,
    held: held ?? 0,
  }
}

const newestFirst = (one: SessionSummary, other: SessionSummary) =>
  one.cursor < other.cursor ? 1 : -1

function missing(): never {
  throw fail('not_found', { message: 'There is no such session.' })
}
